import { z } from 'zod';
import { briefSessions, namedSessions } from '../../../app/find/brief-sessions.ts';
import { peekTranscript } from '../../../app/session/peek-transcript.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { pageParams, pageQuery } from '../params.ts';
import { route } from '../route.ts';
import { countedPageOf } from '../schemas/page.ts';

const briefSchema = z
  .object({
    sessionId: z.string(),
    projectId: z.string(),
    title: z.string(),
    by: z.string().optional().meta({ description: 'its author, if not you' }),
    branch: z.string(),
    agent: z.string(),
    first: z.string(),
    last: z.string(),
    tokens: z.number().int(),
    messages: z.number().int(),
    registered: z.boolean().meta({ description: 'false: archived but unregistered' }),
    keepits: z.number().int(),
    pinned: z.number().int(),
    versions: z.number().int(),
    covered: z.number().int().meta({ description: 'tokens that have a version' }),
    shortest: z.number().int().meta({ description: 'tokens of the shortest version of each part' }),
  })
  .meta({ id: 'BriefSession' });

export const timelineRoutes = [
  route({
    method: 'get',
    path: '/api/memory/projects/{projectId}/timeline',
    about: 'Lists every session of a project in short form, newest first; for lists of thousands.',
    query: pageQuery,
    answer: countedPageOf(briefSchema),
    run: ({ world, params, query }) => briefSessions(world, params.projectId, withoutUndefined(query)),
  }),
  route({
    method: 'get',
    path: '/api/memory/timeline',
    about: 'Finds sessions of all projects by words of their title, branch, id or project, newest first.',
    query: z.strictObject({ ...pageParams, words: z.string().max(300).optional() }),
    answer: countedPageOf(briefSchema.extend({ projectName: z.string() }).meta({ id: 'NamedSession' })),
    run: ({ world, query: { words = '', ...asked } }) => namedSessions(world, words, withoutUndefined(asked)),
  }),
  route({
    method: 'get',
    path: '/api/memory/transcripts/peek',
    about: 'Previews a transcript of the agent that is not archived yet. Nothing is stored.',
    reads: 'nothing',
    query: z.strictObject({ path: z.string().min(1).max(4096) }),
    answer: z
      .object({
        path: z.string(),
        sessionId: z.string(),
        cwd: z.string().nullable(),
        title: z.string(),
        first: z.string(),
        last: z.string(),
        messages: z.number().int(),
        tokens: z.number().int(),
        markers: z.array(z.object({ markerId: z.string(), weight: z.number(), content: z.string() })),
      })
      .meta({ id: 'PeekedTranscript' }),
    run: ({ world, query }) => peekTranscript(world, query.path),
  }),
] as const;
