/** Every figure of passages but those of sentences, in one place. docs/benchmarks-in-detail.md says what they are worth. */
export const PASSAGE_WEIGHTS = {
  sentence: { k1: 1.2, b: 0.3 },
  turn: { k1: 0.9, b: 0.4 },
  /** What its best sentence adds to an exchange, whose other parts add up to 4.1 at most. */
  bestSentence: 1.2,
  /** How well a sentence fits: what the turn adds, and what each of the two beside it. */
  ofTurn: 0.5,
  beside: 0.25,
  /** Units of the ask that heads a passage. */
  ask: 180,
  /** What a chosen neighbor adds to a sentence's chance: words read together say more. */
  besideChosen: 0.5,
  /** What a keepit of weight 1, or a fact that the user confirmed, adds to the logarithm of a sentence's chance. */
  kept: 1,
} as const;

/** In UTF-16 units. */
export const SHORT = 25;
export const LONGEST_SENTENCE = 320;
