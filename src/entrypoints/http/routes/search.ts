import { z } from 'zod';
import { findProject } from '../../../app/find/project.ts';
import { rest } from '../../../app/in-steps.ts';
import { rejectMessage } from '../../../app/layers/facts-edit.ts';
import { recall } from '../../../app/recall/recall.ts';
import { suggest } from '../../../app/recall/suggest.ts';
import { withVerdicts } from '../../../app/search/hit-verdicts.ts';
import type { SearchHit } from '../../../app/search/hits.ts';
import type { SearchRequest } from '../../../app/search/request.ts';
import { search, searchMany } from '../../../app/search/search.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import type { World } from '../../../app/world.ts';
import { Fault } from '../../../core/model/fault.ts';
import { DOCUMENT_KINDS, type HitKind } from '../../../core/model/search.ts';
import { asksNothing, parseQuery } from '../../../core/search/query.ts';
import { dayOrTime, flagParam, listParam, projectParam } from '../params.ts';
import { route } from '../route.ts';

const KINDS: readonly HitKind[] = ['turn', ...DOCUMENT_KINDS];
const tokens = z.coerce.number().int().min(1).max(10_000_000);
const weight = z.coerce.number().min(0).max(1);
const words = z.string().max(10_000);
const grain = z.enum(['turn', 'exchange', 'session']);

const hitSchema = z
  .object({
    kind: z.enum(['turn', ...DOCUMENT_KINDS]),
    sessionId: z.string(),
    messageId: z.string(),
    project: z.string(),
    role: z.string(),
    by: z.string().optional().meta({ description: 'the author of the words, if not you' }),
    ts: z.string(),
    score: z.number(),
    snippet: z.string(),
    title: z.string(),
    branch: z.string(),
    exchange: z.object({ id: z.string(), range: z.tuple([z.number().int(), z.number().int()]) }),
    src: z.number(),
    text: z.string(),
    place: z.object({ file: z.string(), at: z.number(), id: z.string().optional() }),
    passage: z
      .string()
      .optional()
      .meta({ description: 'for an exchange: the request, and the sentences that match the query' }),
    said: z
      .array(
        z.object({
          speaker: z.string(),
          ts: z.string(),
          src: z.number(),
          text: z.string(),
          verdict: z.string().optional(),
        }),
      )
      .optional()
      .meta({ description: 'for an exchange: the sentences of the passage, with speaker, time and place' }),
    coverage: z
      .number()
      .optional()
      .meta({ description: "for an exchange: share of the query's words that match, weighted by rarity" }),
    verdict: z
      .string()
      .optional()
      .meta({ description: 'how it was withdrawn later in its session: `rejected: …` or `replaced by: …`' }),
  })
  .meta({ id: 'Hit' });

export const searchRoutes = [
  route({
    method: 'get',
    path: '/api/memory/search',
    about:
      'Searches everything that was said, and facts, notes and memory. Query: words, "phrases", -without, begin*.',
    reads: 'index',
    query: z.strictObject({
      q: words.optional(),
      grain: grain.optional(),
      limit: z.coerce.number().int().min(1).max(500).optional(),
      ...projectParam,
      agent: z.string().max(100).optional(),
      role: z.enum(['user', 'assistant', 'tool']).optional(),
      files: listParam.optional(),
      onlyFiles: flagParam.optional(),
      since: dayOrTime.optional(),
      until: dayOrTime.optional(),
      topics: listParam.optional(),
      keepitMin: weight.optional(),
      keepitMax: weight.optional(),
      by: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .meta({ description: "author of the words: `me`, or another person's name" }),
      kinds: listParam.optional().meta({ description: `${KINDS.join(', ')} or all (default: turn)` }),
    }),
    answer: z.object({ items: z.array(hitSchema), next: z.null(), notes: z.array(z.string()) }),
    run: async ({ world, query }) => {
      const { q = '', grain, limit, kinds, ...filters } = query;
      const wanted = kinds?.includes('all') ? [...KINDS] : kinds?.map(kindOf);
      const chosen = withoutUndefined({ ...filters, kinds: wanted });
      if (q.trim() === '' && Object.keys(chosen).length === 0)
        throw new Fault('usage', 'Missing query: set `q`, or a filter.');
      if (wanted && grain && grain !== 'turn')
        throw new Fault('usage', '`kinds` and `grain` cannot be combined.');
      const request: SearchRequest = { query: q, ...withoutUndefined({ grain, limit }), filters: chosen };
      const { hits, notes } = await search(world, request);
      return { items: await withVerdicts(world, hits), next: null, notes };
    },
  }),
  route({
    method: 'post',
    path: '/api/memory/search/batch',
    about: 'Runs many queries on one state of the index, in order; a query that fails returns its error.',
    reads: 'index',
    body: z.strictObject({
      queries: z
        .array(
          z.strictObject({
            id: z.union([z.string().max(200), z.number()]),
            query: words,
            files: z.array(z.string().max(4096)).max(200).optional(),
            project: z.string().min(1).max(2000).optional(),
          }),
        )
        .max(1000),
      grain: grain.optional(),
      limit: z.number().int().min(1).max(500).optional(),
    }),
    answer: z.object({
      items: z.array(
        z.object({
          id: z.union([z.string(), z.number()]),
          hits: z.array(hitSchema),
          error: z.object({ code: z.string(), message: z.string() }).optional(),
        }),
      ),
      next: z.null(),
      notes: z.array(z.string()),
    }),
    readOnly: true,
    run: ({ world, body, signal }) => searchAll(world, body, signal),
  }),
  route({
    method: 'post',
    path: '/api/memory/search/reject',
    about:
      'Marks a found message as not true: memory stops stating it, and searches mark it. To undo it, undo the fact with the returned id.',
    body: z.strictObject({
      project: z.string().min(1).max(2000),
      sessionId: z.string().min(1).max(200),
      src: z
        .number()
        .int()
        .min(0)
        .meta({ description: 'of the hit: byte offset of its line in the original' }),
      note: z.string().max(2000).default(''),
    }),
    answer: z.object({ id: z.string(), rejected: z.literal(true) }),
    run: async ({ world, body: { project, sessionId, src, note } }) => {
      const folder = await findProject(world, project);
      const { id } = await rejectMessage(world, { project: folder, sessionId, src }, note);
      return { id, rejected: true as const };
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/recall',
    about:
      'Returns what memory knows about a topic, quoted, within a token budget; without a topic, the most important.',
    query: z.strictObject({
      topic: words.optional(),
      budget: tokens.optional(),
      files: listParam.optional(),
      asOf: dayOrTime.optional(),
      ...projectParam,
    }),
    answer: z
      .object({
        text: z.string(),
        tokens: z.number().int(),
        budget: z.number().int(),
        tokenCounter: z.string(),
        project: z.string().nullable(),
        projectName: z.string().nullable(),
        pieces: z.array(z.looseObject({ kind: z.string(), by: z.string().optional() })),
        left: z.number().int(),
        notes: z.array(z.string()),
      })
      .meta({ id: 'Recall' }),
    run: ({ world, query }) => recall(world, withoutUndefined(query)),
  }),
  route({
    method: 'get',
    path: '/api/memory/suggest',
    about: 'Suggests sessions that help with these files, branch or topics, with reasons.',
    query: z.strictObject({
      topics: listParam.optional(),
      files: listParam.optional(),
      branch: z.string().max(300).optional(),
      budget: tokens.optional(),
      limit: z.coerce.number().int().min(1).max(100).optional(),
      ...projectParam,
    }),
    answer: z.object({
      items: z.array(
        z
          .object({
            sessionId: z.string(),
            project: z.string(),
            title: z.string(),
            by: z.string().optional().meta({ description: 'the author of the session, if not you' }),
            last: z.string(),
            versionId: z.string(),
            relevanceScore: z.number(),
            matchedTopics: z.array(z.string()),
            matchedFiles: z.array(z.string()),
            suggestedTokens: z.number().int(),
            reasons: z.array(z.string()),
          })
          .meta({ id: 'Suggestion' }),
      ),
      next: z.null(),
      tooLarge: z.number().int(),
      notes: z.array(z.string()),
    }),
    run: async ({ world, query }) => ({ ...(await suggest(world, withoutUndefined(query))), next: null }),
  }),
] as const;

type Batch = {
  queries: {
    id: string | number;
    query: string;
    files?: string[] | undefined;
    project?: string | undefined;
  }[];
  grain?: z.output<typeof grain> | undefined;
  limit?: number | undefined;
};
type Answered = { id: string | number; hits: SearchHit[]; error?: { code: string; message: string } };

async function searchAll(world: World, { queries, ...how }: Batch, signal: AbortSignal) {
  const answers = new Map<number, Answered>();
  const notes = new Set<string>();
  async function* asked() {
    for (const [at, { id, query, files, project }] of queries.entries()) {
      await rest(signal);
      try {
        const filters = withoutUndefined({ files, project: project && (await findProject(world, project)) });
        if (asksNothing(parseQuery(query)) && (files ?? []).length === 0) answers.set(at, { id, hits: [] });
        else yield { at, id, query, ...withoutUndefined(how), filters };
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        const { code, message } = error;
        answers.set(at, { id, hits: [], error: { code, message } });
      }
    }
  }
  await searchMany(world, asked(), ({ at, id }, answer) => {
    answers.set(at, { id, hits: answer.hits });
    for (const note of answer.notes) notes.add(note);
  });
  return { items: queries.map((_, at) => answers.get(at)!), next: null, notes: [...notes] };
}

function kindOf(text: string): HitKind {
  const kind = KINDS.find((it) => it === text);
  if (kind) return kind;
  throw new Fault('usage', `${JSON.stringify(text.slice(0, 40))} is not one of ${KINDS.join(', ')}.`);
}
