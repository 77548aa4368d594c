import { z } from 'zod';
import { readGrowth } from '../../../app/maintenance/growth.ts';
import { readStats } from '../../../app/maintenance/stats.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { layersRead } from '../call-ref.ts';
import { projectQuery } from '../params.ts';
import { route } from '../route.ts';
import { spent } from '../schemas/spent.ts';

const int = z.number().int();

const statsSchema = z
  .object({
    scope: z.enum(['all', 'project', 'session']),
    projectId: z.string().nullable(),
    sessionId: z.string().nullable(),
    projects: int,
    sessions: int,
    messages: int,
    exchanges: int,
    toolCalls: int,
    toolErrors: int,
    subagents: int,
    first: z.string().nullable(),
    last: z.string().nullable(),
    tokens: z.object({ original: int, versions: int, versionTokens: int, covered: int, shortest: int }),
    levels: z.array(z.object({ level: z.string(), versions: int, tokens: int })),
    compositions: z.object({ count: int, tokens: int, originalTokens: int, saved: int, used: int }),
    activity: z.array(z.object({ day: z.string(), sessions: int, messages: int, tokens: int })),
    agents: z.array(z.object({ agent: z.string(), sessions: int })),
    storage: z
      .array(z.object({ kind: z.string(), bytes: int }))
      .meta({ description: 'on disk, largest first' }),
    bytes: int,
    keepits: z.object({
      total: int,
      held: int,
      byWeight: z.array(z.object({ weight: z.number(), count: int })),
    }),
    ledger: z
      .object({ ...spent, models: z.array(z.object({ model: z.string(), ...spent })) })
      .nullable()
      .meta({ description: 'cost of models; null if none was ever called' }),
  })
  .meta({ id: 'Statistics' });

export const statsRoutes = [
  route({
    method: 'get',
    path: '/api/memory/stats',
    about:
      'Statistics of everything or of one project: tokens, versions, storage, activity by day, keepits by weight.',
    query: projectQuery,
    answer: statsSchema,
    run: ({ world, query }) => readStats(world, withoutUndefined(query)),
  }),
  route({
    method: 'get',
    path: '/api/memory/growth',
    about: 'Shows what each day added to memory: rules, decisions, other facts, keepits, bytes of originals.',
    reads: layersRead,
    query: projectQuery,
    answer: z.object({
      items: z.array(
        z.object({ day: z.string(), rules: int, decisions: int, facts: int, keepits: int, bytes: int }),
      ),
      next: z.null(),
    }),
    run: async ({ world, query }) => ({ items: await readGrowth(world, query?.project), next: null }),
  }),
  route({
    method: 'get',
    path: '/api/memory/projects/{projectId}/stats',
    about: 'Statistics of a project.',
    answer: statsSchema,
    run: ({ world, params }) => readStats(world, { project: params.projectId }),
  }),
  route({
    method: 'get',
    path: '/api/memory/sessions/{sessionId}/stats',
    about: 'Statistics of a session.',
    query: projectQuery,
    answer: statsSchema,
    run: ({ world, params, query }) =>
      readStats(world, { ...withoutUndefined(query), session: params.sessionId }),
  }),
] as const;
