import { z } from 'zod';

/** `minimal` is what `light` was called before: accepted, and stored by versions of that time. */
export const AGGRESSIVENESS = ['light', 'minimal', 'moderate', 'aggressive'] as const;
export type Aggressiveness = (typeof AGGRESSIVENESS)[number];

export const tierSchema = z.object({
  /** Of the part's messages, ascending; the last one is 100. */
  endPercent: z.number().min(0).max(100),
  compactionRatio: z.number().min(1).max(1000),
  aggressiveness: z.enum(AGGRESSIVENESS),
});
export type Tier = z.infer<typeof tierSchema>;

export const decaySchema = z.object({
  compressionBase: z.object({ light: z.number(), moderate: z.number(), aggressive: z.number() }),
  maxSessionDistance: z.number().int().min(1),
  pinnedWeight: z.number(),
});
/** The constants that a decay was computed with. */
export type Decay = z.infer<typeof decaySchema>;

export const KEEPIT_MODES = ['decay', 'preserve-all', 'ignore'] as const;

/** All that decides about the bytes of a version, besides the original itself. */
export const compressSettingsSchema = z.object({
  mode: z.enum(['uniform', 'tiered', 'manual']),
  compactionRatio: z.number().min(1).max(1000).optional(),
  aggressiveness: z.enum(AGGRESSIVENESS).optional(),
  tierPreset: z.enum(['gentle', 'standard', 'aggressive', 'custom']).optional(),
  customTiers: z.array(tierSchema).optional(),
  /** Manual mode: what happens to each exchange, by its id; those not named are kept. */
  choices: z.record(z.string(), z.enum(['keep', 'shrink', 'drop'])).optional(),
  /** `extractive`, or the model that wrote the prose. */
  model: z.string(),
  /** The number of messages at the start of the session that are left out. */
  skipFirstMessages: z.number().int().min(0),
  keepitMode: z.enum(KEEPIT_MODES),
  sessionDistance: z.number().int().min(0),
  /** Words that carry little are left out of prose at aggressive levels. */
  telegraphic: z.boolean(),
  decay: decaySchema,
  /** The markers' weights as they were then, overlays applied, by marker. */
  weights: z.record(z.string(), z.number()),
  /** Markers that waited for the user's confirmation then. */
  held: z.array(z.string()).optional(),
  /** The session's title as it was then; it may get a better one later. */
  title: z.string().optional(),
});
export type CompressSettings = z.infer<typeof compressSettingsSchema>;

/** Why a marker is there or is not: weight and threshold in ten-thousandths, so that they compare exactly. */
export const keepitOutcomeSchema = z.object({
  markerId: z.string(),
  weight: z.number(),
  threshold: z.number(),
  survives: z.boolean(),
  /** The sum behind the threshold, for a person. */
  why: z.string(),
});
export type KeepitOutcome = z.infer<typeof keepitOutcomeSchema>;

const tallySchema = z.object({ total: z.number().int(), kept: z.number().int(), lost: z.array(z.string()) });

/** What of the original is in the version. `lost` lists at most a few hundred; `total - kept` is their number. */
export const receiptSchema = z.object({
  keepits: z.array(keepitOutcomeSchema),
  paths: tallySchema,
  commands: tallySchema,
  errors: tallySchema,
  askedRatio: z.number(),
  reachedRatio: z.number(),
  /** Why the asked ratio was not met, or why less than allowed was used. */
  reason: z.string().optional(),
  /** What a model invented and the check took out. */
  dropped: z.array(z.string()).optional(),
});
export type Receipt = z.infer<typeof receiptSchema>;

export const versionRecordSchema = z.object({
  /** `part1_v001`. */
  versionId: z.string(),
  part: z.number().int().min(1),
  /** File name without extension, in the session's folder below `summaries/`. */
  file: z.string(),
  createdAt: z.string(),
  settings: compressSettingsSchema,
  engine: z.string(),
  inputTokens: z.number().int(),
  inputMessages: z.number().int(),
  outputTokens: z.number().int(),
  outputMessages: z.number().int(),
  tokenCounter: z.string(),
  compressionRatio: z.number(),
  keepitStats: z.object({
    preserved: z.number().int(),
    summarized: z.number().int(),
    weights: z.record(z.string(), z.number().int()),
  }),
  /** sha256 of the part's bytes in the original, and of the two files. */
  inputHash: z.string(),
  /** sha256 of what was derived from them: statements and kept contents. */
  derivedHash: z.string().optional(),
  markdownHash: z.string(),
  jsonlHash: z.string(),
  /** Marker ids, for `survivedIn` and `summarizedIn`. */
  survived: z.array(z.string()),
  summarized: z.array(z.string()),
  reason: z.string().optional(),
  /** Lineage only: every version is made from the original. */
  sourceVersion: z.string().optional(),
});
export type VersionRecord = z.infer<typeof versionRecordSchema>;

/** A deleted version: its number is reused only for the same bytes. */
export const prunedVersionSchema = z.object({ versionId: z.string(), jsonlHash: z.string() });
export type PrunedVersion = z.infer<typeof prunedVersionSchema>;

/** A range of a session that is compressed on its own; part N+1 begins where part N ended. */
export const partSchema = z.object({
  part: z.number().int().min(1),
  /** Bytes of the original, end exclusive. */
  bytes: z.tuple([z.number().int(), z.number().int()]),
  /** Bytes of the L1 file, end exclusive, and its first line's number, from 1. */
  l1: z.tuple([z.number().int(), z.number().int()]),
  l1Line: z.number().int(),
  /** User and assistant messages, from 1, both ends included. */
  messages: z.tuple([z.number().int(), z.number().int()]),
  /** Text, tool inputs and tool results, once each. */
  tokens: z.number().int(),
  /** Which refining engine's L1 the places are of. */
  engine: z.number().int(),
  /** Calls that nothing had answered when the part was made, by `src` and a hash of their id: it has them as never answered. */
  unanswered: z.array(z.tuple([z.number().int(), z.string()])).optional(),
  createdAt: z.string(),
});
export type Part = z.infer<typeof partSchema>;

/** `part1_v001`, also in a list of them. */
export function versionId(part: number, version: number): string {
  return `part${part}_v${String(version).padStart(3, '0')}`;
}
