import type { Session } from '../../api/records.ts';

/** A marker to change, or words of a message to keep. */
export type Editing = {
  weight: number;
  marker?: Session['keepitMarkers'][number];
  /** The place of the message's line in the original. */
  src?: number;
  range?: { start: number; end: number };
  text?: string;
};
