import { z } from 'zod';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import {
  AGGRESSIVENESS,
  KEEPIT_MODES,
  receiptSchema,
  tierSchema,
  versionRecordSchema,
} from '../../../core/model/version.ts';
import { uncoveredSchema, versionSchema } from './session.ts';

/** The names that a version's record has for the same, so that its settings can be sent again. */
const recordNames = {
  compactionRatio: z.number().min(1).max(1000).optional().meta({ description: 'same as `ratio`' }),
  tierPreset: z
    .enum(['gentle', 'standard', 'aggressive', 'custom'])
    .optional()
    .meta({ description: 'same as `preset`; `custom` needs `customTiers`' }),
  customTiers: z.array(tierSchema).max(50).optional().meta({ description: 'same as `tiers`' }),
  skipFirstMessages: z
    .number()
    .int()
    .min(0)
    .max(10_000_000)
    .optional()
    .meta({ description: 'same as `skipFirst`' }),
  keepitMode: z.enum(KEEPIT_MODES).optional().meta({ description: 'same as `keepit`' }),
  sessionDistance: z
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .meta({ description: 'same as `distance`' }),
};

const LEVELS = ['light', 'moderate', 'aggressive'] as const;

/** How a version shall be made. */
export const compressFields = {
  mode: z.enum(['uniform', 'tiered']).optional(),
  ratio: z.number().min(1).max(1000).optional().meta({ description: '30 means 30:1' }),
  level: z
    .union([z.enum(LEVELS), z.literal(1), z.literal(2), z.literal(3)])
    .optional()
    .meta({ description: 'by name, or 1 light, 2 moderate, 3 aggressive' }),
  aggressiveness: z.enum(AGGRESSIVENESS).optional(),
  preset: z.enum(['gentle', 'standard', 'aggressive']).optional(),
  tiers: z.array(tierSchema).max(50).optional(),
  keepit: z.enum(KEEPIT_MODES).optional(),
  distance: z.number().int().min(0).max(1_000_000).optional(),
  skipFirst: z.number().int().min(0).max(10_000_000).optional(),
  model: z.string().max(200).optional(),
  telegraphic: z.boolean().optional(),
  ...recordNames,
};

type Named = { [key in keyof typeof compressFields]?: z.output<(typeof compressFields)[key]> };

function levelNamed(level: Named['level']): (typeof LEVELS)[number] | undefined {
  return typeof level === 'number' ? LEVELS[level - 1] : level;
}

/** Each setting under its own name, whichever name it was sent with. */
export function settingsOf<T extends Named>(sent: T) {
  const {
    compactionRatio,
    tierPreset,
    customTiers,
    skipFirstMessages,
    keepitMode,
    sessionDistance,
    ...rest
  } = sent;
  const { level, ...own } = rest;
  return withoutUndefined({
    ...own,
    level: levelNamed(level),
    ratio: own.ratio ?? compactionRatio,
    preset: own.preset ?? (tierPreset === 'custom' ? undefined : tierPreset),
    tiers: own.tiers ?? customTiers,
    skipFirst: own.skipFirst ?? skipFirstMessages,
    keepit: own.keepit ?? keepitMode,
    distance: own.distance ?? sessionDistance,
  });
}

export const compressBody = z.strictObject({
  ...compressFields,
  part: z.number().int().min(1).optional().meta({ description: 'only this part' }),
  force: z
    .boolean()
    .optional()
    .meta({ description: 'include the unfinished exchange of a session that just changed' }),
  dryRun: z.boolean().optional().meta({ description: 'nothing is stored' }),
  withText: z.boolean().optional().meta({ description: 'with `dryRun`: also return the text' }),
  sourceVersion: z.string().max(80).optional().meta({ description: 'recorded for lineage only' }),
});

const {
  versionId: _,
  part: __,
  file: ___,
  createdAt: ____,
  markdownHash,
  jsonlHash,
  ...facts
} = versionRecordSchema.shape;

export const outcomeSchema = z
  .object({
    ...facts,
    part: z.number().int(),
    messages: z.tuple([z.number().int(), z.number().int()]),
    receipt: receiptSchema.meta({ id: 'Receipt' }),
    thresholds: z.array(z.number()).meta({ description: 'lowest weight that is kept, from 0 to 1' }),
    version: versionSchema.optional(),
    existed: z.boolean(),
    text: z.string().optional().meta({ description: 'with `dryRun` and `withText`: the text' }),
    estimate: z
      .object({
        service: z.string(),
        model: z.string(),
        calls: z.number().int(),
        answered: z.number().int(),
        inputTokens: z.number().int(),
        outputTokens: z.number().int(),
        mostInputTokens: z.number().int(),
        mostOutputTokens: z.number().int(),
        usd: z.number().optional(),
        mostUsd: z.number().optional(),
      })
      .optional()
      .meta({ description: 'in a dry run with a model: the estimated cost' }),
  })
  .meta({ id: 'Outcome' });

export const outcomesSchema = z.object({
  sessionId: z.string(),
  projectId: z.string(),
  items: z.array(outcomeSchema),
  uncovered: uncoveredSchema.optional(),
});
