import { z } from 'zod';
import { projectIdSchema, sessionIdSchema } from './id-schemas.ts';
import { authorSchema } from './record-stamp.ts';
import { AGGRESSIVENESS, compressSettingsSchema, KEEPIT_MODES, tierSchema } from './version.ts';

export const STRATEGIES = ['equal', 'proportional', 'recency', 'relevance', 'manual'] as const;
export type Strategy = (typeof STRATEGIES)[number];

export const OUTPUT_FORMATS = ['markdown', 'jsonl', 'both'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export const componentSchema = z.object({
  /** Absent: the composition's own project. */
  projectId: projectIdSchema.optional(),
  sessionId: sessionIdSchema,
  /**
   * `original`, or the versions of its parts: `part1_v002+part2_v001`; what was made for it alone is `composed`, and a
   * session that had no room `none`.
   */
  versionId: z.string(),
  order: z.number().int().min(0),
  /** Its heading included. */
  tokenContribution: z.number().int(),
  recompress: z.object({ settings: compressSettingsSchema, reason: z.string() }).optional(),
  /** Why this and not another. */
  reason: z.string().optional(),
  /** How many sessions ago it was then. */
  distance: z.number().int().optional(),
  /** Of the original, as it was then. */
  originalTokens: z.number().int().optional(),
});
export type CompositionComponent = z.infer<typeof componentSchema>;

/** How a session shall be rebuilt for a composition. */
export const recompressSchema = z.object({
  level: z.enum(['light', 'moderate', 'aggressive']).optional(),
  ratio: z.number().min(1).max(1000).optional(),
  preset: z.enum(['gentle', 'standard', 'aggressive']).optional(),
  aggressiveness: z.enum(AGGRESSIVENESS).optional(),
  tiers: z.array(tierSchema).optional(),
  keepit: z.enum(KEEPIT_MODES).optional(),
  distance: z.number().int().min(0).optional(),
  skipFirst: z.number().int().min(0).optional(),
  telegraphic: z.boolean().optional(),
});
export type Recompress = z.infer<typeof recompressSchema>;

/** What was asked for: enough to make a composition again, with another budget too. */
export const compositionRequestSchema = z.object({
  components: z.array(
    z.object({
      projectId: projectIdSchema,
      sessionId: sessionIdSchema,
      /** `auto`, `original`, or versions of parts; parts not named are chosen. */
      versionId: z.string(),
      recompress: recompressSchema.optional(),
      /** Tokens that the user gave it. */
      allocation: z.number().int().optional(),
    }),
  ),
  totalTokenBudget: z.number().int(),
  outputFormat: z.enum(OUTPUT_FORMATS),
  strategy: z.enum(STRATEGIES).optional(),
  topic: z.string().optional(),
  files: z.array(z.string()).optional(),
  branch: z.string().optional(),
  /** Versions made when their session was more sessions ago are not taken: 1 is fresh, 10 stale. */
  minFreshness: z.number().int().min(1).max(1000).optional(),
  /** A UTC day or moment: nothing later is included. */
  asOf: z.string().optional(),
});
export type CompositionRequest = z.infer<typeof compositionRequestSchema>;

/** A session file of the agent that was made from a composition. */
export const resumedSchema = z.object({
  sessionId: sessionIdSchema,
  file: z.string(),
  lines: z.number().int(),
  bytes: z.number().int(),
  at: z.string(),
});
export type Resumed = z.infer<typeof resumedSchema>;

export const compositionSchema = z.object({
  compositionId: z.string(),
  /** Who made it; absent: this user. */
  by: authorSchema.optional(),
  name: z.string(),
  createdAt: z.string(),
  components: z.array(componentSchema),
  /** Relative to the project's folder in the archive. */
  outputFile: z.string(),
  totalTokens: z.number().int(),
  totalMessages: z.number().int(),
  usedInSessions: z.array(z.string()),
  /** When a session last began from it. */
  lastUsed: z.string().optional(),
  /** The id in the marks round its text. */
  mark: z.string().optional(),
  tokenCounter: z.string().optional(),
  request: compositionRequestSchema.optional(),
  /** sha256 of the files there are. */
  markdownHash: z.string().optional(),
  jsonlHash: z.string().optional(),
  resumed: z.array(resumedSchema).optional(),
});
export type ComposedContextRecord = z.infer<typeof compositionSchema>;
