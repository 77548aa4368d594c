import type { TurnKind } from './passage.ts';

/** Every figure of passages, in one place. docs/benchmarks.md says what they are worth. */
export const PASSAGE_WEIGHTS = {
  sentence: { k1: 1.2, b: 0.3 },
  turn: { k1: 0.9, b: 0.4 },
  /** What its best sentence adds to an exchange, whose other parts add up to 4.1 at most. */
  bestSentence: 1.2,
  /** Sentences: what the turn adds, and what each of the two beside it. */
  ofTurn: 0.5,
  beside: 0.25,
  kind: { user: 0.1, commit: 0.1, plan: 0, assistant: 0 } as const satisfies Record<TurnKind, number>,
  lastTurn: 0.15,
  firstOfTurn: 0.05,
  intent: -0.25,
  outcome: 0.1,
  code: -0.3,
  question: -0.1,
  short: -0.1,
  tableRule: -1,
  stated: 0.15,
  /** A task of a list that the agent keeps says what is to be done, again and again. */
  task: -0.3,
  /** Of an exchange beside its sentences. */
  exchange: 2.5,
  /** Less for each sentence beyond the free ones of an exchange, divided by the budget: a small one shows several exchanges, too. */
  again: 40,
  free: 2,
  /** More for a sentence beside a chosen one: words read together say more. */
  besideChosen: 0.1,
  /** Units of the ask that heads a passage. */
  ask: 180,
} as const;

/** In UTF-16 units. */
export const SHORT = 25;
export const LONGEST_SENTENCE = 320;
