/** How much each feature of a sentence of the user counts. */
export const USER_WEIGHTS: Record<string, number> = {
  '': 0.24,
  agrees: -0.2,
  bare: -0.9,
  because: 0.7,
  longMessage: -1.8,
  conceded: -0.4,
  defines: -0.1,
  negates: 0.7,
  edits: 0.5,
  environment: -0.4,
  first: -0.4,
  names: -0.2,
  item: -0.6,
  over120: 0.4,
  over60: 0.5,
  limit: 0.4,
  over300: -0.1,
  number: -0.5,
  pasted: -1,
  plan: 1,
  proposes: 0.3,
  question: -0.1,
  'question+objects': 0.3,
  'question+proposes': 0.2,
  refusal: 0.5,
  rule: 0.3,
  review: -0.9,
  order: -0.6,
};

/** How much each feature of a sentence of the agent counts. */
export const AGENT_WEIGHTS: Record<string, number> = {
  '': -2.67,
  asks: -0.1,
  answers: 0.7,
  decides: 0.6,
  environment: 0.1,
  fix: 0.4,
  found: 0.4,
  guesses: -0.8,
  limit: 0.5,
  narrates: -1.4,
  open: -0.4,
  proposes: -0.2,
  colon: -1.2,
  file: -0.8,
  final: 0.3,
  firstReply: -0.2,
  firstSentence: -0.1,
  weakHeading: 0.2,
  firmHeading: 0.1,
  names: 0.8,
  names3: 0.1,
  item: -0.2,
  nearEnd: 0.6,
  lastSentence: 0.7,
  over140: 0.2,
  over70: 0.3,
  'middle+cause': -0.5,
  middle: 0.1,
  number: -0.2,
  'next:none': 0.2,
  'next:objects': -0.4,
  'next:agrees': 0.4,
  about1: 0.1,
  about3: 0.1,
  short: -0.5,
  yes: -0.3,
  table: -0.7,
  underHeading: -0.8,
};

/** How well a sentence of the agent states the outcome of the user's words. */
export const OUTCOME_WEIGHTS: Record<string, number> = {
  fix: 1,
  answers: 0.6,
  concedes: 0.4,
  cause: 0.8,
  limit: 0.6,
  decides: 0.6,
  found: 0.4,
  environment: 0.3,
  final: 0.5,
  firstReply: 0.3,
  names: 0.4,
  over70: 0.2,
  firmHeading: 0.3,
  item: -0.3,
  table: -0.8,
  file: -0.8,
  short: -0.8,
  open: -0.2,
  underHeading: -0.3,
};

/**
 * Weights of features for "holds what should be remembered", "states what is not true" and "a reader would keep it"; `prior`
 * is of the score.
 */
export type FittedWeights = {
  holds: Record<string, number>;
  wrong: Record<string, number>;
  kept: Record<string, number>;
};

/** The sum of the weights of what is there. */
export function weighed(features: Iterable<string>, weights: Record<string, number>): number {
  let sum = weights[''] ?? 0;
  for (const name of features) sum += Object.hasOwn(weights, name) ? weights[name]! : 0;
  return sum;
}
