import { z } from 'zod';
import type { Job } from '../../../app/jobs.ts';
import { page } from '../../../app/page.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { jobEvents } from '../job-events.ts';
import { pageParams } from '../params.ts';
import { download, route } from '../route.ts';
import { jobSchema } from '../schemas/job.ts';
import { countedPageOf } from '../schemas/page.ts';

export const jobRoutes = [
  route({
    method: 'get',
    path: '/api/memory/jobs',
    about: 'Lists the jobs of this server, newest first: running, waiting and ended.',
    query: z.strictObject({
      ...pageParams,
      state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']).optional(),
    }),
    answer: countedPageOf(jobSchema),
    run: async ({ jobs, query }) => {
      const all = jobs.list().filter((job) => query.state === undefined || job.state === query.state);
      const key = (job: Job) => `${job.createdAt}\u0000${job.jobId}`;
      return {
        ...page(all, key, withoutUndefined({ limit: query.limit, after: query.after })),
        total: all.length,
      };
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/jobs/{jobId}',
    about: 'Shows a job, with its result if it has ended.',
    answer: jobSchema,
    run: async ({ jobs, params }) => jobs.get(params.jobId),
  }),
  download({
    path: '/api/memory/jobs/{jobId}/events',
    about: 'Streams the job as server-sent events: one at every change, the last when it has ended.',
    downloads: ['text/event-stream'],
    run: async ({ jobs, params }) => ({
      type: 'text/event-stream',
      content: jobEvents(jobs, jobs.get(params.jobId).jobId),
    }),
  }),
  route({
    method: 'delete',
    path: '/api/memory/jobs/{jobId}',
    about: 'Stops a job. Completed work stays.',
    answer: jobSchema,
    run: async ({ jobs, params }) => jobs.cancel(params.jobId),
  }),
] as const;
