import { z } from 'zod';
import { findExchange } from '../../../app/find/exchange.ts';
import { acceptConceptEdit, reviewConcepts } from '../../../app/layers/concept-reviews.ts';
import { findConcept, listConcepts } from '../../../app/layers/concepts.ts';
import { mergeConcepts, renameConcept, splitConcept } from '../../../app/layers/concepts-edit.ts';
import { conceptExchanges, fullExchanges } from '../../../app/layers/read.ts';
import { pageInOrder } from '../../../app/page.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { conceptSchema } from '../../../core/model/concept.ts';
import { exchangeRecordSchema } from '../../../core/model/exchange.ts';
import { VIAS } from '../../../core/model/via.ts';
import { layersRead, namedSession } from '../call-ref.ts';
import { pagesOf, projectPageQuery, projectParam, projectQuery } from '../params.ts';
import { type Call, route } from '../route.ts';
import { countedPageOf } from '../schemas/page.ts';
import { l1LineSchema } from '../schemas/session.ts';

const exchangeFields = {
  id: z.string(),
  ts: z.string(),
  ask: z.string(),
  l1_range: z.tuple([z.number().int(), z.number().int()]),
  files: z.array(z.string()),
  tools: z.number().int(),
  errors: z.number().int(),
  abandoned: z.boolean(),
  src: z.number().int(),
};
const fullExchangeSchema = exchangeRecordSchema.extend(exchangeFields).meta({ id: 'Exchange' });
const conceptRowSchema = conceptSchema
  .extend({
    projectId: z.string(),
    projectName: z.string(),
    stale: z.string().optional(),
    parts: z
      .array(
        z.object({
          projectId: z.string(),
          id: z.string(),
          exchanges: z.array(z.string()),
          sessions: z.array(z.string()),
        }),
      )
      .optional()
      .meta({ description: 'if several folders of the project have it' }),
  })
  .meta({ id: 'Concept' });
const reviewSchema = z
  .object({
    editId: z.string(),
    projectId: z.string(),
    projectName: z.string(),
    by: z.string(),
    via: z.enum(VIAS),
    at: z.string(),
    action: z.enum(['merge', 'split', 'rename']),
    concept: z.string().meta({ description: 'its name here' }),
    name: z.string().meta({ description: 'their name for it' }),
    exchanges: z.array(z.string()),
  })
  .meta({ id: 'ConceptReview' });
const name = z.string().min(1).max(200);
const ids = z.array(z.string().min(1).max(200)).min(1).max(1000);

type ConceptCall = Call<'/{conceptId}', { project?: string | undefined }>;
async function conceptOf({ world, params, query }: ConceptCall) {
  const row = await findConcept(world, params.conceptId, query.project);
  return { ...row, records: await conceptExchanges(world, row) };
}

export const layerRoutes = [
  route({
    method: 'get',
    path: '/api/memory/sessions/{sessionId}/exchanges',
    about: 'Lists the requests of a session and what each caused.',
    query: projectPageQuery,
    answer: countedPageOf(fullExchangeSchema),
    run: async (call) => {
      const { row } = await namedSession(call);
      const all = await fullExchanges(call.world, row);
      const { limit, after } = call.query;
      const key = (it: (typeof all)[number]) => String(it.l1_range[0]).padStart(12, '0');
      return { ...pageInOrder(all, key, withoutUndefined({ limit, after })), total: all.length };
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/exchanges/{exchangeId}',
    about: 'Shows an exchange line by line.',
    query: projectQuery,
    answer: z.object({
      projectId: z.string(),
      sessionId: z.string(),
      by: z.string().optional().meta({ description: 'the author of the session, if not you' }),
      exchange: z.object(exchangeFields),
      items: z.array(l1LineSchema),
      next: z.null(),
    }),
    run: async ({ world, params, query }) => {
      const { row, exchange, lines } = await findExchange(world, params.exchangeId, query.project);
      const [from, to] = exchange.l1_range;
      const { projectId, sessionId, by } = row;
      return {
        projectId,
        sessionId,
        ...withoutUndefined({ by }),
        exchange,
        items: lines.slice(from - 1, to),
        next: null,
      };
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/concepts',
    about: 'Lists concepts (topics of the work) of all projects or of one.',
    reads: layersRead,
    query: z.strictObject({ ...projectParam, ...pagesOf(200) }),
    answer: countedPageOf(conceptRowSchema),
    run: ({ world, query }) => listConcepts(world, { ...withoutUndefined(query), limit: query.limit }),
  }),
  route({
    method: 'post',
    path: '/api/memory/concepts/merge',
    about: 'Merges several concepts of a project into one.',
    reads: layersRead,
    query: projectQuery,
    body: z.strictObject({ concepts: ids, name: name.optional() }),
    answer: conceptRowSchema,
    run: ({ world, query, body }) =>
      mergeConcepts(world, body.concepts, withoutUndefined({ project: query.project, name: body.name })),
  }),
  route({
    method: 'get',
    path: '/api/memory/concepts/{conceptId}',
    about: 'Shows a concept with its exchanges.',
    reads: layersRead,
    query: projectQuery,
    answer: z.object({ ...conceptRowSchema.shape, records: z.array(exchangeRecordSchema) }),
    run: conceptOf,
  }),
  route({
    method: 'patch',
    path: '/api/memory/concepts/{conceptId}',
    about: 'Renames a concept.',
    reads: layersRead,
    query: projectQuery,
    body: z.strictObject({ name }),
    answer: conceptRowSchema,
    current: conceptOf,
    run: ({ world, params, query, body }) => renameConcept(world, params.conceptId, body.name, query.project),
  }),
  route({
    method: 'post',
    path: '/api/memory/concepts/{conceptId}/split',
    about: 'Moves exchanges of a concept into a new concept.',
    reads: layersRead,
    query: projectQuery,
    body: z.strictObject({ exchanges: ids, name: name.optional() }),
    answer: conceptRowSchema,
    current: conceptOf,
    run: ({ world, params, query, body }) =>
      splitConcept(
        world,
        params.conceptId,
        body.exchanges,
        withoutUndefined({ project: query.project, name: body.name }),
      ),
  }),
  route({
    method: 'get',
    path: '/api/memory/concept-reviews',
    about: 'Lists concept edits from imported bundles. They have no effect until you accept them.',
    reads: layersRead,
    query: z.strictObject({ ...projectParam, by: z.string().min(1).max(100).optional() }),
    answer: z.object({ items: z.array(reviewSchema), next: z.null() }),
    run: async ({ world, query }) => ({ items: await reviewConcepts(world, query), next: null }),
  }),
  route({
    method: 'post',
    path: '/api/memory/concept-reviews/{editId}/accept',
    about: 'Accepts an edit of another person.',
    reads: layersRead,
    query: projectQuery,
    answer: z.object({ review: reviewSchema, concept: conceptRowSchema.optional() }),
    run: async ({ world, params, query }) => {
      const { review, concept } = await acceptConceptEdit(world, params.editId, query.project);
      return { review, ...withoutUndefined({ concept }) };
    },
  }),
] as const;
