/** One line of a version's JSONL: a piece of the condensed conversation and where it comes from. */
export type VersionLine = {
  /** How it is laid out; an `ask` opens an exchange, a `gap` says what was left out. */
  form: 'title' | 'ask' | 'said' | 'tool' | 'code' | 'kept' | 'gap';
  role: 'user' | 'assistant' | 'tool' | 'system';
  text: string;
  /** A tool's name, or the speaker of an imported chat. */
  name?: string;
  ts: string;
  /** Lines of L1 it is made from, counted from 1. */
  l1: number[];
  /** Byte offsets of those lines in the original. */
  src: number[];
  /** Markers whose content is in this line byte for byte. */
  kept?: string[];
  /** Their weight, where it is shown. */
  weight?: number;
  /** How little is said around it: no time, or not even who speaks. */
  frame?: 'plain' | 'none';
  /** The user went back and asked again. */
  abandoned?: true;
  /** Set on code that is a diff. */
  diff?: true;
  /** The exchange's id. */
  exchange: string;
};
