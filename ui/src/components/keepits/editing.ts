import type { Session } from '../../api/records.ts';

/** A marker to change, or words of a message to keep. */
export type Editing = {
  weight: number;
  marker?: Session['keepitMarkers'][number];
  /** The number of the message's line, and its place in the original. */
  line?: number;
  src?: number;
  range?: { start: number; end: number };
  text?: string;
};
