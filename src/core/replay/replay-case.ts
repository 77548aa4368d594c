import type { TouchedLines } from './touched-lines.ts';

/** A place in a session: its message by the byte offset in the original, and the exchange around it. */
export type ReplayPlace = {
  project: string;
  session: string;
  exchange: string;
  src: number;
  ts: string;
};

/** Words at a place. */
export type PlacedWords = ReplayPlace & { text: string };

export const GOOD_CASES = ['instruction', 'error', 'file', 'decision'] as const;
export const BAD_CASES = ['contradicted', 'off-point'] as const;
export type CaseKind = (typeof GOOD_CASES)[number] | (typeof BAD_CASES)[number];

/** Something that memory would have changed, or would have got wrong, with both places. */
export type ReplayCase = {
  id: string;
  kind: CaseKind;
  /** What happened, in a sentence. */
  title: string;
  /** Where it was said, fixed, decided or changed first; of a bad case where the injected words are from. */
  before: PlacedWords;
  /** Where it was repeated; for a bad case, where it was contradicted or shown. */
  again: PlacedWords;
  /** Keepsake would have said it there: the injection's own words; of a bad case the session that would have got them. Absent: it knew, and would have said it only when asked. */
  said?: {
    on: 'start' | 'prompt' | 'action';
    text: string;
    to?: Pick<ReplayPlace, 'project' | 'session' | 'ts'>;
    /** It only named what could be recalled. */
    offer?: true;
  };
  /** What a note before the command would have said, were those notes on. */
  noted?: string;
  /** How much it would have spared, for the order of cases: calls, minutes, repetitions. */
  value: number;
};

/** What a hook would have said to a session. */
export type ReplayedInjection = {
  on: 'start' | 'prompt';
  /** The prompt that it is shown with; 0 for a start. */
  src: number;
  ts: string;
  text: string;
  tokens: number;
  /** It only names what could be recalled. */
  offer: boolean;
  sources: { session: string; exchange?: string; id?: string }[];
  /** Files of it that were opened later, names of it that the agent wrote and the user did not. */
  used: string[];
  /** The share of its words, beyond those of the prompt, that the agent wrote or worked on next; of an offer, that of what it offers; of a start 0. */
  echo: number;
  /** Of a start: how many lines it quotes, and how many of them the session touched. */
  startLines?: TouchedLines;
};
