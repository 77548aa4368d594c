import { z } from 'zod';

export const jobSchema = z
  .object({
    jobId: z.string(),
    kind: z.string().meta({ description: 'the operation, such as `compress`' }),
    subject: z
      .string()
      .meta({ description: 'its subject: `PROJECT/SESSION`, a project, a path or a few words' }),
    state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
    progress: z
      .object({
        done: z.number(),
        total: z.number(),
        bytes: z.number().optional(),
        totalBytes: z.number().optional(),
        phase: z.string().optional(),
        current: z.string().optional(),
      })
      .nullable(),
    createdAt: z.string(),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    result: z.unknown().meta({ description: 'the answer that the route gives without `respond-async`' }),
    error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).nullable(),
  })
  .meta({ id: 'Job' });
