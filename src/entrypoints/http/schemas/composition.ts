import { z } from 'zod';
import type { ComposeAsk } from '../../../app/compose/request.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import {
  compositionSchema,
  OUTPUT_FORMATS,
  recompressSchema,
  STRATEGIES,
} from '../../../core/model/composition.ts';
import { Fault } from '../../../core/model/fault.ts';
import { dayOrTime, wholePath } from '../params.ts';
import { compressFields, settingsOf } from './compress.ts';

const text = z.string().min(1).max(2000);

/** The names that a composition's record has for what was asked. */
const recordNames = {
  components: z
    .array(
      z.strictObject({
        sessionId: z.string().min(1).max(120),
        versionId: z.string().min(1).max(1000).optional().meta({ description: 'default: `auto`' }),
        projectId: z.string().min(1).max(2000).optional(),
        allocation: z.number().int().min(1).optional().meta({ description: 'tokens' }),
        recompress: recompressSchema.optional(),
        recompressSettings: z
          .strictObject(compressFields)
          .optional()
          .meta({ description: 'compress again, offline even if `model` is set' }),
      }),
    )
    .max(1000)
    .optional()
    .meta({
      description:
        "in the form of a composition's `request`: `sessions`, `allocations` and `recompress` in one",
    }),
  totalTokenBudget: z
    .number()
    .int()
    .min(1)
    .max(100_000_000)
    .optional()
    .meta({ description: 'same as `budget`' }),
  outputFormat: z.enum(OUTPUT_FORMATS).optional().meta({ description: 'same as `format`' }),
};

export const composeBody = z.strictObject({
  ...recordNames,
  name: z.string().min(1).max(200).optional().meta({ description: 'not needed for a preview' }),
  budget: z.number().int().min(1).max(100_000_000).optional(),
  sessions: z
    .array(text)
    .max(1000)
    .optional()
    .meta({ description: '`ID`, `ID:auto`, `ID:original`, `ID:part1_v002+part2_v001`, `current`' }),
  latest: z.number().int().min(1).max(10_000).optional(),
  linked: z.boolean().optional(),
  strategy: z.enum(STRATEGIES).optional(),
  allocations: z.record(z.string().max(200), z.number().int().min(1)).optional(),
  recompress: z.record(z.string().max(200), recompressSchema).optional(),
  topic: z.string().max(10_000).optional(),
  files: z.array(text).max(1000).optional(),
  branch: text.optional(),
  format: z.enum(OUTPUT_FORMATS).optional(),
  minFreshness: z.number().int().min(1).max(1000).optional().meta({
    description:
      'skip versions made when their session was more than this many sessions ago (1 fresh, 10 stale)',
  }),
  asOf: dayOrTime.optional(),
  project: text.optional(),
  force: z.boolean().optional().meta({ description: 'overwrite a composition of the same name' }),
  resume: z.boolean().optional().meta({ description: 'also write a new session for `claude --resume`' }),
  cwd: wholePath.optional().meta({
    description: "folder of that session (default: the project's folder)",
  }),
});
export type ComposeBody = z.output<typeof composeBody>;

export const saveBody = composeBody.extend({ name: z.string().min(1).max(200) });

/** What is asked, under one name each. */
export function composeAskOf(body: Omit<ComposeBody, 'name' | 'force' | 'resume' | 'cwd'>): ComposeAsk {
  const { components = [], totalTokenBudget, outputFormat, ...own } = body;
  const budget = own.budget ?? totalTokenBudget;
  if (budget === undefined) throw new Fault('usage', 'Missing `budget`: the maximum number of tokens.');
  const wanted = components.map(({ recompressSettings: sent, recompress, ...component }) => {
    const { model: _, mode: __, ...settings } = settingsOf(sent ?? {});
    return withoutUndefined({ ...component, recompress: sent ? settings : recompress });
  });
  return {
    ...withoutUndefined({ ...own, format: own.format ?? outputFormat }),
    budget,
    ...(wanted.length > 0 ? { components: wanted } : {}),
  } as ComposeAsk;
}

export const compositionRowSchema = compositionSchema
  .extend({
    projectId: z.string(),
    projectName: z.string(),
    contentId: z.string().meta({ description: 'the same in every archive that has it' }),
  })
  .meta({ id: 'Composition' });

export const compositionDetailsSchema = compositionSchema
  .extend({
    projectId: z.string(),
    projectName: z.string(),
    contentId: z.string(),
    gone: z.array(z.string()).meta({ description: 'sources that no longer exist' }),
    markdown: z.string().nullable(),
  })
  .meta({ id: 'CompositionDetails' });

const { compositionId, createdAt, usedInSessions: _, ...record } = compositionSchema.shape;

export const composedSchema = z
  .object({
    ...record,
    compositionId: compositionId.optional(),
    createdAt: createdAt.optional(),
    usedInSessions: z.array(z.string()).optional(),
    projectId: z.string(),
    strategy: z.enum(STRATEGIES),
    tokenBudget: z.number().int(),
    markdown: z.string(),
    jsonl: z.string(),
    notes: z.array(z.string()),
  })
  .meta({ id: 'Composed' });
