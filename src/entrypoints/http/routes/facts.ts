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
    folders: z.array(z.string()).meta({ description: 'ids of all folders that have it' }),
    sameAs: z
      .array(z.object({ projectId: z.string(), id: z.string() }))
      .optional()
      .meta({ description: 'near-identical facts under other ids' }),
    by: z.string().meta({
      description: "`me`, or another person's name; facts of others have no effect until you confirm them",
    }),
    via: z.enum(VIAS),
    source: z.enum(['user', 'assistant']),
    confidence: z.number(),
    share: z.string().meta({ description: 'how many statements like this readers kept, such as `3 of 4`' }),
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
    becomes: z.enum(FACT_KINDS).optional().meta({ description: 'for a candidate: the kind it would have' }),
    replaced: z
      .array(z.object({ was: z.string(), by: z.string() }))
      .optional()
      .meta({ description: 'what it replaced, and the words that withdrew that' }),
    rejected: z
      .object({ at: z.string(), note: z.string() })
      .optional()
      .meta({ description: 'when you rejected it, and why' }),
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
    about: 'Lists rules, solutions and lessons; or candidates, or facts that need a review.',
    reads: layersRead,
    query: z.strictObject({
      ...projectParam,
      ...pagesOf(200),
      kind: z.enum(FACT_KINDS).optional(),
      candidates: flagParam.optional(),
      review: flagParam.optional(),
      rejected: flagParam.optional(),
      replaced: flagParam.optional().meta({ description: 'only facts that replaced another' }),
      by: z.string().min(1).max(100).optional(),
    }),
    answer: countedPageOf(factSchema),
    run: ({ world, query }) => listFacts(world, { ...withoutUndefined(query), limit: query.limit }),
  }),
  route({
    method: 'post',
    path: '/api/memory/facts',
    about: 'Adds a fact.',
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
    about: 'Shows a fact with its sources and contradictions.',
    reads: layersRead,
    query: projectQuery,
    answer: factSchema,
    run: current,
  }),
  route({
    method: 'put',
    path: '/api/memory/facts/{factId}',
    about: 'Rewords a fact. Its sources stay.',
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
    about: 'Deletes a fact for good. Rebuilding the memory does not bring it back.',
    reads: layersRead,
    query: projectQuery,
    answer: z.object({ id: z.string(), forgotten: z.literal(true) }),
    current,
    run: async (call) => ({ id: (await settled(call, { action: 'forget' })).id, forgotten: true as const }),
  }),
  route({
    method: 'post',
    path: '/api/memory/facts/{factId}/confirm',
    about: "Confirms a fact. A candidate becomes a fact; another person's fact becomes yours.",
    reads: layersRead,
    query: projectQuery,
    answer: factSchema,
    current,
    run: (call) => settled(call, { action: 'confirm' }),
  }),
  route({
    method: 'post',
    path: '/api/memory/facts/{factId}/keep',
    about: 'Ends a review without a change.',
    reads: layersRead,
    query: projectQuery,
    answer: factSchema,
    current,
    run: (call) => settled(call, { action: 'keep' }),
  }),
  route({
    method: 'post',
    path: '/api/memory/facts/{factId}/reject',
    about: 'Marks a fact as not true: memory stops stating it, and searches mark where it was said.',
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
    about: 'Undoes your last change to a fact: text, kind, confidence and date are as before.',
    reads: layersRead,
    query: projectQuery,
    answer: z.object({
      factId: z.string(),
      action: z.enum(['add', 'confirm', 'correct', 'forget', 'reject', 'keep', 'contradict']),
      after: factSchema.optional().meta({ description: 'missing if it is no longer a fact' }),
    }),
    run: ({ world, params, query }) => undoFact(world, params.factId, query.project),
  }),
  route({
    method: 'get',
    path: '/api/memory/fact-reviews',
    about: 'Lists facts to decide about, most valuable first: contradicted facts, then unconfirmed ones.',
    reads: layersRead,
    query: z.strictObject({ ...projectParam, limit: z.coerce.number().int().min(1).max(200).default(50) }),
    answer: z.object({ items: z.array(factSchema), total: z.number().int() }),
    run: async ({ world, query }) => {
      const queue = await reviewQueue(world, query.project);
      return { items: queue.slice(0, query.limit), total: queue.length };
    },
  }),
] as const;
