import { z } from 'zod';
import { reviewQueue, undoFact } from '../../../app/layers/fact-review.ts';
import { FACT_KINDS, findFact, listFacts } from '../../../app/layers/facts.ts';
import { addFact, type Settlement, settleFact } from '../../../app/layers/facts-edit.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { factSourceSchema } from '../../../core/model/fact.ts';
import { SEMANTIC_TYPES } from '../../../core/model/semantic-types.ts';
import { VIAS } from '../../../core/model/via.ts';
import { layersRead } from '../call-ref.ts';
import { flagParam, pagesOf, projectParam, projectQuery } from '../params.ts';
import { type Call, route } from '../route.ts';
import { countedPageOf } from '../schemas/page.ts';

const factSchema = z
  .object({
    id: z.string(),
    kind: z.enum(FACT_KINDS),
    content: z.string(),
    projectId: z.string(),
    projectName: z.string(),
    folders: z.array(z.string()).meta({ description: 'the project ids of all folders that have it' }),
    sameAs: z
      .array(z.object({ projectId: z.string(), id: z.string() }))
      .optional()
      .meta({ description: 'copies in slightly other words, under other ids' }),
    by: z.string().meta({ description: '`me`, or the name of somebody else: their words obey nobody' }),
    via: z.enum(VIAS),
    source: z.enum(['user', 'assistant']),
    confidence: z.number(),
    share: z.string().meta({ description: 'how many of such statements readers kept: `3 of 4`' }),
    contradictions: z.number().int(),
    last_validated: z.string(),
    validatedByUser: z.boolean(),
    sources: z.array(factSourceSchema),
    against: z.array(factSourceSchema),
    review: z.boolean(),
    stale: z.string().optional(),
    files: z.array(z.string()).optional(),
    problem: z.string().optional(),
    attempts: z.number().int().optional(),
    feature: z.string().optional(),
    becomes: z.enum(FACT_KINDS).optional().meta({ description: 'of a candidate: what it would be' }),
    replaced: z
      .array(z.object({ was: z.string(), by: z.string() }))
      .optional()
      .meta({ description: 'what it took the place of, and the words that took that back' }),
    rejected: z
      .object({ at: z.string(), note: z.string() })
      .optional()
      .meta({ description: 'when you said that it is not true, and why' }),
  })
  .meta({ id: 'Fact' });
const content = z.string().min(1).max(20_000);

type OneCall = Call<'/{factId}', { project?: string | undefined }>;

async function settled(call: OneCall, settlement: Settlement) {
  const where = withoutUndefined({ project: call.query.project });
  const { before, after } = await settleFact(call.world, call.params.factId, settlement, where);
  return after ?? before;
}

function current({ world, params, query }: OneCall) {
  return findFact(world, params.factId, query.project);
}

export const factRoutes = [
  route({
    method: 'get',
    path: '/api/memory/facts',
    about: 'Rules, solutions and lessons that last; candidates, and what waits for a review.',
    reads: layersRead,
    query: z.strictObject({
      ...projectParam,
      ...pagesOf(200),
      kind: z.enum(FACT_KINDS).optional(),
      candidates: flagParam.optional(),
      review: flagParam.optional(),
      rejected: flagParam.optional(),
      replaced: flagParam.optional().meta({ description: 'only those that took the place of another' }),
      by: z.string().min(1).max(100).optional(),
    }),
    answer: countedPageOf(factSchema),
    run: ({ world, query }) => listFacts(world, { ...withoutUndefined(query), limit: query.limit }),
  }),
  route({
    method: 'post',
    path: '/api/memory/facts',
    about: 'Remembers something that you say outright.',
    body: z.strictObject({
      content,
      kind: z.enum(['rule', ...SEMANTIC_TYPES]).optional(),
      project: z.string().min(1).max(2000),
    }),
    answer: factSchema,
    status: 201,
    run: ({ world, body }) => addFact(world, { ...withoutUndefined(body), content: body.content }),
  }),
  route({
    method: 'get',
    path: '/api/memory/facts/{factId}',
    about: 'Show a fact with its sources and contradictions.',
    reads: layersRead,
    query: projectQuery,
    answer: factSchema,
    run: current,
  }),
  route({
    method: 'put',
    path: '/api/memory/facts/{factId}',
    about: 'Says a fact better. Its sources stay.',
    reads: layersRead,
    query: projectQuery,
    body: z.strictObject({ content }),
    answer: factSchema,
    current,
    run: (call) => settled(call, { action: 'correct', content: call.body.content }),
  }),
  route({
    method: 'delete',
    path: '/api/memory/facts/{factId}',
    about: 'Forgets a fact, for good: making the memory again does not bring it back.',
    reads: layersRead,
    query: projectQuery,
    answer: z.object({ id: z.string(), forgotten: z.literal(true) }),
    current,
    run: async (call) => ({ id: (await settled(call, { action: 'forget' })).id, forgotten: true as const }),
  }),
  route({
    method: 'post',
    path: '/api/memory/facts/{factId}/confirm',
    about: "Says that a fact is right; a candidate becomes a fact, and somebody else's becomes yours.",
    reads: layersRead,
    query: projectQuery,
    answer: factSchema,
    current,
    run: (call) => settled(call, { action: 'confirm' }),
  }),
  route({
    method: 'post',
    path: '/api/memory/facts/{factId}/keep',
    about: 'Ends a review: the fact stays as it is.',
    reads: layersRead,
    query: projectQuery,
    answer: factSchema,
    current,
    run: (call) => settled(call, { action: 'keep' }),
  }),
  route({
    method: 'post',
    path: '/api/memory/facts/{factId}/reject',
    about: 'Says that a fact is not true: nothing states it any more, and searches mark where it was said.',
    reads: layersRead,
    query: projectQuery,
    body: z.strictObject({ note: z.string().max(2000).default('') }),
    answer: z.object({ id: z.string(), rejected: z.literal(true) }),
    current,
    run: async (call) => ({
      id: (await settled(call, { action: 'reject', note: call.body.note })).id,
      rejected: true as const,
    }),
  }),
  route({
    method: 'post',
    path: '/api/memory/facts/{factId}/undo',
    about: 'Takes back the last thing you did to a fact: its words, kind, confidence and date are as before.',
    reads: layersRead,
    query: projectQuery,
    answer: z.object({
      factId: z.string(),
      action: z.enum(['add', 'confirm', 'correct', 'forget', 'reject', 'keep', 'contradict']),
      after: factSchema.optional().meta({ description: 'missing where it is no fact any more' }),
    }),
    run: ({ world, params, query }) => undoFact(world, params.factId, query.project),
  }),
  route({
    method: 'get',
    path: '/api/memory/fact-reviews',
    about:
      'What waits for a decision, the most valuable first: contradicted facts, then what nobody confirmed yet.',
    reads: layersRead,
    query: z.strictObject({ ...projectParam, limit: z.coerce.number().int().min(1).max(200).default(50) }),
    answer: z.object({ items: z.array(factSchema), total: z.number().int() }),
    run: async ({ world, query }) => {
      const queue = await reviewQueue(world, query.project);
      return { items: queue.slice(0, query.limit), total: queue.length };
    },
  }),
] as const;
