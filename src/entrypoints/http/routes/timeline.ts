import { z } from 'zod';
import { briefSessions } from '../../../app/brief-sessions.ts';
import { route } from '../route.ts';
import { pageOf } from '../schemas/page.ts';

const briefSchema = z
  .object({
    sessionId: z.string(),
    projectId: z.string(),
    title: z.string(),
    branch: z.string(),
    agent: z.string(),
    first: z.string(),
    last: z.string(),
    tokens: z.number().int(),
    messages: z.number().int(),
    registered: z.boolean().meta({ description: 'false: archived, but taken out of memory' }),
    keepits: z.number().int(),
    pinned: z.number().int(),
    versions: z.number().int(),
  })
  .meta({ id: 'BriefSession' });

export const timelineRoutes = [
  route({
    method: 'get',
    path: '/api/memory/projects/{projectId}/timeline',
    about: 'Every session of a project in a few words, newest first: for lists of thousands.',
    answer: pageOf(briefSchema),
    run: async ({ world, params }) => ({ items: await briefSessions(world, params.projectId), next: null }),
  }),
] as const;
