import { z } from 'zod';
import { route } from '../route.ts';
import { jobSchema } from '../schemas/job.ts';
import { pageOf } from '../schemas/page.ts';

export const jobRoutes = [
  route({
    method: 'get',
    path: '/api/memory/jobs',
    about: 'Long work of this server, newest first: what runs, what waits, what ended.',
    query: z.strictObject({ state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']).optional() }),
    answer: pageOf(jobSchema),
    run: async ({ jobs, query }) => ({
      items: jobs.list().filter((job) => query.state === undefined || job.state === query.state),
      next: null,
    }),
  }),
  route({
    method: 'get',
    path: '/api/memory/jobs/{jobId}',
    about: 'One job; once it has ended, with its result. `/events` behind it streams every change.',
    answer: jobSchema,
    run: async ({ jobs, params }) => jobs.get(params.jobId),
  }),
  route({
    method: 'delete',
    path: '/api/memory/jobs/{jobId}',
    about: 'Stops a job. What it has done until then stays.',
    answer: jobSchema,
    run: async ({ jobs, params }) => jobs.cancel(params.jobId),
  }),
] as const;
