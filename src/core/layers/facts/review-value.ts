/** What is looked at to put facts in the order in which they are worth a decision. */
export type Reviewable = {
  kind: string;
  confidence: number;
  review: boolean;
  validatedByUser: boolean;
  last_validated: string;
  sources: readonly { sessionId: string }[];
};

/** What is obeyed weighs more than what is only found. */
const WEIGHTS = new Map([
  ['rule', 4],
  ['preference', 3],
  ['constraint', 3],
  ['environment', 2.5],
  ['decision', 2],
  ['lesson', 1.5],
  ['candidate', 1.5],
  ['fact', 1.5],
  ['open', 0.5],
]);
const OTHER = 1;
const CONTRADICTED = 100;
const HALF_LIFE_DAYS = 120;
const DAY_MS = 86_400_000;

/** 0: nothing is to be decided. What was contradicted comes first, then what counts most if it is right. */
export function reviewValue(fact: Reviewable, now: string): number {
  if (fact.review) return CONTRADICTED + (WEIGHTS.get(fact.kind) ?? OTHER);
  if (fact.validatedByUser) return 0;
  const sessions = new Set(fact.sources.map(({ sessionId }) => sessionId)).size;
  const days = Math.max(0, (Date.parse(now) - Date.parse(fact.last_validated)) / DAY_MS || 0);
  const repeated = 1 + Math.log2(Math.max(1, sessions));
  return (WEIGHTS.get(fact.kind) ?? OTHER) * fact.confidence * repeated * 0.5 ** (days / HALF_LIFE_DAYS);
}
