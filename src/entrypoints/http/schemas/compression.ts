import { z } from 'zod';
import {
  AGGRESSIVENESS,
  compressionRecordSchema,
  KEEPIT_MODES,
  receiptSchema,
  tierSchema,
} from '../../../core/model/version.ts';
import { versionSchema } from './session.ts';

/** How a version shall be made. */
export const compressionFields = {
  mode: z.enum(['uniform', 'tiered']).optional(),
  ratio: z.number().min(1).max(1000).optional().meta({ description: '30 means 30:1' }),
  level: z.enum(['light', 'moderate', 'aggressive']).optional(),
  aggressiveness: z.enum(AGGRESSIVENESS).optional(),
  preset: z.enum(['gentle', 'standard', 'aggressive']).optional(),
  tiers: z.array(tierSchema).max(50).optional(),
  keepit: z.enum(KEEPIT_MODES).optional(),
  distance: z.number().int().min(0).max(1_000_000).optional(),
  skipFirst: z.number().int().min(0).max(10_000_000).optional(),
  model: z.string().max(200).optional(),
  telegraphic: z.boolean().optional(),
};

export const compressionBody = z.strictObject({
  ...compressionFields,
  part: z.number().int().min(1).optional().meta({ description: 'only this part' }),
  force: z.boolean().optional().meta({ description: 'an exchange that is still going on, too' }),
  dryRun: z.boolean().optional().meta({ description: 'nothing is stored' }),
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
} = compressionRecordSchema.shape;

export const outcomeSchema = z
  .object({
    ...facts,
    part: z.number().int(),
    messages: z.tuple([z.number().int(), z.number().int()]),
    receipt: receiptSchema.meta({ id: 'Receipt' }),
    thresholds: z.array(z.number()).meta({ description: 'lowest weight that survives, in ten-thousandths' }),
    version: versionSchema.optional(),
    existed: z.boolean(),
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
      .meta({ description: 'in a dry run by a model: what it would cost' }),
  })
  .meta({ id: 'Outcome' });

export const outcomesSchema = z.object({
  sessionId: z.string(),
  projectId: z.string(),
  items: z.array(outcomeSchema),
});
