import { z } from 'zod';
import { rateInjection } from '../../../app/inject/injection-feedback.ts';
import { listInjections } from '../../../app/inject/injections.ts';
import { refreshActionLookups } from '../../../app/inject/make-action-lookup.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { INJECTED_AT } from '../../../core/model/injection.ts';
import { pageQuery } from '../params.ts';
import { route } from '../route.ts';
import { countedPageOf } from '../schemas/page.ts';

const int = z.number().int();
const fields = {
  id: z.string(),
  at: z.string(),
  session: z.string().meta({ description: 'the session that got it' }),
  on: z.enum(INJECTED_AT),
  why: z.string(),
  tokens: int,
  sources: z.array(
    z.object({ session: z.string(), exchange: z.string().optional(), id: z.string().optional() }),
  ),
  text: z.string(),
};
const eachKind = { start: int, prompt: int, action: int, compaction: int };
const row = z
  .object({
    ...fields,
    projectId: z.string(),
    title: z.string().meta({ description: 'of the session that got it; empty if it is not archived' }),
    unhelpful: z.boolean(),
    use: z.object({ files: z.array(z.string()), words: z.array(z.string()) }).optional(),
  })
  .meta({ id: 'Injection' });

export const injectionRoutes = [
  route({
    method: 'get',
    path: '/api/memory/injections',
    about: 'Lists what hooks added to conversations, newest first, with the share that was used.',
    query: pageQuery.extend({
      project: z.string().max(1000).optional(),
      session: z.string().max(200).optional(),
    }),
    answer: countedPageOf(row).extend({
      tokens: int,
      known: int,
      used: int,
      days: z
        .array(z.object({ day: z.string(), ...eachKind }))
        .meta({ description: 'tokens by day and kind' }),
      budgets: z.object(eachKind).meta({ description: 'maximum tokens that may be added each time' }),
    }),
    run: ({ world, query }) => listInjections(world, withoutUndefined(query)),
  }),
  route({
    method: 'put',
    path: '/api/memory/injections/{injectionId}/feedback',
    about: 'Marks an injection as not helpful, which ranks its sources last in this project; or undoes that.',
    body: z.strictObject({ helped: z.boolean() }),
    answer: z.object(fields),
    run: async ({ world, params, body }) => {
      const folders = await world.archive.projects();
      const rated = await rateInjection(world, folders, params.injectionId, body.helped);
      await refreshActionLookups(world);
      return rated;
    },
  }),
] as const;
