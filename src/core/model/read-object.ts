import type { Entry, LineFacts } from './entry.ts';
import type { L1Line } from './l1.ts';

/** The result of one object of a transcript: entries, data about its session, and how it is counted. */
export type ReadObject = {
  entries: Entry[];
  facts: LineFacts;
  skipped?: string;
  unknown?: string;
  /** The object is a refined line itself: it is not refined again. */
  refined?: L1Line;
};
