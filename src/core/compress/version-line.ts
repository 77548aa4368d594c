/** One line of a version's JSONL: a piece of the condensed conversation and where it comes from. */
export type VersionLine = {
  role: 'user' | 'assistant' | 'tool' | 'system';
  text: string;
  name?: string;
  ts: string;
  /** Lines of L1 it is made from, counted from 1. */
  l1: number[];
  /** Byte offsets of those lines in the original. */
  src: number[];
  /** Markers whose content is the whole text of this line, byte for byte. */
  kept?: string[];
  /** The exchange's id. */
  exchange: string;
};
