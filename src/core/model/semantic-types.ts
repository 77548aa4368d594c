/** Kinds of facts other than rules, solutions and core logic. Kept apart from the schemas: hooks must not load zod. */
export const SEMANTIC_TYPES = [
  'pattern',
  'decision',
  'preference',
  'fact',
  'constraint',
  'environment',
  'lesson',
  'open',
] as const;
