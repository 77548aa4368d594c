import type { KnownSentence } from './known-sentences.ts';
/**
 * Who or what speaks: a person, the agent, what a tool call published, a compaction's summary; or a statement of what is true at the
 * end of the session, put together from its quotes.
 */
export type TurnKind = 'user' | 'assistant' | 'commit' | 'plan' | 'summary' | 'statement';

/** One thing said in an exchange. */
export type PassageTurn = {
  kind: TurnKind;
  /** As it is written before the words. */
  speaker: string;
  ts: string;
  /** Byte offset of its line in the original. */
  src: number;
  text: string;
};

/** Words that were withdrawn, and the words that did it; no words: all of the message. */
export type RetractedWords = { src: number; was: string; verdict: string };

export type KeptWords = { src: number; text: string; weight: number };

/** An exchange that may answer, with all that was said in it. */
export type PassageExchange = {
  /** How well it fits by its words alone. */
  score: number;
  /** The first turn is the user's ask when `asks`. */
  asks: boolean;
  turns: PassageTurn[];
  takenBack: RetractedWords[];
  /** Places of words that a statement at the end of the session quotes. */
  stated: { src: number; text: string }[];
  /** Words that the user marked to be kept or confirmed, and how much: from 0 to 1. */
  kept: KeptWords[];
};

/** A word that is looked for: terms that may represent it, each with what a hit of it is worth. */
export type WantedWord = { term: string; weight: number }[];

/** A verbatim piece of a turn. */
export type PassageSentence = {
  turn: number;
  /** Its number in the turn. */
  place: number;
  text: string;
  known: KnownSentence;
};
