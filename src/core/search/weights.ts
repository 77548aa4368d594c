/** Every figure of ranking, in one place. Tuned by cross-validation; docs/benchmarks.md tells how. */
export const WEIGHTS = {
  /** BM25 of turns, which are short, and of exchanges and sessions, which are long. */
  turn: { k1: 0.9, b: 0.4 },
  exchange: { k1: 1.2, b: 0.75 },
  session: { k1: 1.2, b: 0.75 },

  /** Turns: what the neighbours in the session and the session as a whole add to a turn's own score. */
  previous: 0.5,
  next: 0.3,
  second: 0.2,
  /** The turn before asks a question: this one may be its answer. */
  answer: 0.4,
  ofSession: 0.5,
  speakerNamed: 1.8,
  asksWhen: 1.7,
  asksHowMany: 1.2,
  shortQuestion: 0.8,
  monthNamed: { times: 1.5, plus: 0.05 },
  dayNamed: 0.075,

  /** Sessions: their own score and that of their best exchange. */
  sessionOwn: 0.3,
  sessionBestExchange: 0.7,
  /** Changed files that were named, by how rare they are. */
  files: 0.8,
  branch: 0.2,
} as const;

/** Lines that are looked at closely. */
export const CANDIDATES = 200;
