import { z } from 'zod';

export const jobSchema = z
  .object({
    jobId: z.string(),
    kind: z.string().meta({ description: 'what is done, as `compress`' }),
    subject: z
      .string()
      .meta({ description: 'what it is done to: `PROJECT/SESSION`, a project, a path or a few words' }),
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
    result: z
      .unknown()
      .meta({ description: 'what the route answers when it is not asked to go on by itself' }),
    error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).nullable(),
  })
  .meta({ id: 'Job' });
