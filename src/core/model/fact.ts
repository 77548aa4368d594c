import { z } from 'zod';
import { LAYERS_ENGINE } from './layers-engine.ts';

/** Where something was said or done. */
export const factSourceSchema = z.object({
  /** Empty where nothing was said in a session: a note by hand. */
  sessionId: z.string(),
  messageUuid: z.string(),
  excerpt: z.string(),
  exchange: z.string(),
  ts: z.string(),
  /** Byte offset of the message in the original. */
  src: z.number().int(),
});
export type FactSource = z.infer<typeof factSourceSchema>;

const factFields = {
  id: z.string(),
  /** Whose words: only a user's make a rule. */
  source: z.enum(['user', 'assistant']),
  confidence: z.number(),
  /** What was said or happened against it since it was last settled. */
  contradictions: z.number().int(),
  last_validated: z.string(),
  validatedByUser: z.boolean(),
  sources: z.array(factSourceSchema),
  against: z.array(factSourceSchema),
};

export const ruleSchema = z.object({ ...factFields, content: z.string() });
export const solutionSchema = z.object({
  ...factFields,
  problem: z.string(),
  solution: z.string(),
  attempts: z.number().int(),
  /** `repeated`: failed ten times or more before; `breakthrough`: failed, files changed, passed. */
  trigger: z.enum(['repeated', 'breakthrough']),
  command: z.string(),
  files: z.array(z.string()),
});
export const coreLogicSchema = z.object({
  ...factFields,
  feature: z.string(),
  description: z.string(),
  files: z.array(z.string()),
});
export const SEMANTIC_TYPES = ['pattern', 'decision', 'preference', 'fact'] as const;
export const semanticSchema = z.object({
  ...factFields,
  type: z.enum(SEMANTIC_TYPES),
  content: z.string(),
  extractedAt: z.string(),
});
export type Rule = z.infer<typeof ruleSchema>;
export type Solution = z.infer<typeof solutionSchema>;
export type CoreLogic = z.infer<typeof coreLogicSchema>;
export type Semantic = z.infer<typeof semanticSchema>;

/** Said once, and not surely meant to last: becomes a rule or a memory when it comes again, or when it is confirmed. */
export const candidateSchema = z.object({
  id: z.string(),
  content: z.string(),
  kind: z.enum(['rule', 'preference', 'decision', 'fact']),
  score: z.number(),
  sources: z.array(factSourceSchema),
});
export type FactCandidate = z.infer<typeof candidateSchema>;

/** Waits for a user or an agent to say: keep, correct or delete. */
export const reviewSchema = z.object({ id: z.string(), contradictions: z.number().int(), since: z.string() });
export type Review = z.infer<typeof reviewSchema>;

/** `memory/facts.json` (L4). */
export const factFileSchema = z.object({
  engine: z.literal(LAYERS_ENGINE),
  keywords: z.record(z.string(), z.array(z.string())),
  permanent: z.object({
    rules: z.array(ruleSchema),
    solutions: z.array(solutionSchema),
    core_logic: z.array(coreLogicSchema),
    semantic: z.array(semanticSchema),
  }),
  candidates: z.array(candidateSchema),
  reviews: z.array(reviewSchema),
  stats: z.object({
    total_exchanges: z.number().int(),
    total_concepts: z.number().int(),
    last_updated: z.string(),
  }),
});
export type FactFile = z.infer<typeof factFileSchema>;

const base = {
  editId: z.string(),
  at: z.string(),
  factId: z.string(),
  by: z.enum(['user', 'assistant']),
};

/** What a user or an agent did to the facts. Only ever added, and applied in their order. */
export const factEditSchema = z.discriminatedUnion('action', [
  z.object({
    ...base,
    action: z.literal('add'),
    kind: z.enum(['rule', ...SEMANTIC_TYPES]),
    content: z.string(),
  }),
  z.object({ ...base, action: z.literal('confirm') }),
  z.object({ ...base, action: z.literal('correct'), content: z.string() }),
  /** A tombstone: a rebuild leaves the fact out. */
  z.object({ ...base, action: z.literal('forget') }),
  /** A review that ended well. */
  z.object({ ...base, action: z.literal('keep') }),
  /** An agent or a user saw something that speaks against it. */
  z.object({ ...base, action: z.literal('contradict'), note: z.string() }),
]);
export type FactEdit = z.infer<typeof factEditSchema>;
