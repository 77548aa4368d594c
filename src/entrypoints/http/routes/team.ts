import { z } from 'zod';
import { whoKnows } from '../../../app/answer/who-knows.ts';
import { listTeamFacts, promoteFact, reviewOffer } from '../../../app/team/team-facts.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { layersRead } from '../call-ref.ts';
import { flagParam, projectParam, projectQuery } from '../params.ts';
import { route } from '../route.ts';

const offerSchema = z
  .object({
    id: z.string(),
    factId: z.string(),
    kind: z.string(),
    content: z.string().meta({ description: 'current wording; a reviewer may have corrected it' }),
    author: z.string().meta({ description: 'empty: you' }),
    offeredAt: z.string(),
    state: z.enum(['offered', 'accepted', 'refused']),
    reviewer: z.string().optional().meta({ description: 'the reviewer; empty if it was you' }),
    reviewedAt: z.string().optional(),
    note: z.string().optional(),
    projectId: z.string(),
    projectName: z.string(),
    isHeldBack: z.boolean().meta({ description: 'it reads like an instruction; hooks never inject it' }),
  })
  .meta({ id: 'TeamFact' });
const note = z.string().max(500).optional();

export const teamRoutes = [
  route({
    method: 'get',
    path: '/api/memory/team-facts',
    about: 'Lists facts offered to the team, newest first, with the decisions of reviewers.',
    query: z.strictObject({
      ...projectParam,
      waiting: flagParam.optional().meta({ description: 'only facts that you can review' }),
    }),
    answer: z.object({ items: z.array(offerSchema) }),
    run: async ({ world, query }) => ({ items: await listTeamFacts(world, withoutUndefined(query)) }),
  }),
  route({
    method: 'post',
    path: '/api/memory/facts/{factId}/promote',
    about: 'Offers one of your facts to the team. The next sync sends it.',
    reads: layersRead,
    query: projectQuery,
    answer: offerSchema,
    run: ({ world, params, query }) => promoteFact(world, params.factId, query.project),
  }),
  route({
    method: 'post',
    path: '/api/memory/team-facts/{offerId}/review',
    about: "Decides about a colleague's offer. The next sync sends the decision to the others.",
    query: projectQuery,
    body: z.strictObject({
      verdict: z.enum(['accept', 'correct', 'refuse']),
      content: z
        .string()
        .min(1)
        .max(2000)
        .optional()
        .meta({ description: 'with `correct`: the corrected text' }),
      note,
    }),
    answer: offerSchema,
    run: ({ world, params, query, body: { verdict, content, note: why } }) => {
      const reason = withoutUndefined({ note: why });
      if (verdict !== 'correct')
        return reviewOffer(world, params.offerId, { verdict, ...reason }, query.project);
      if (content === undefined) throw new Fault('usage', '`correct` needs the corrected text.');
      return reviewOffer(world, params.offerId, { verdict, content, ...reason }, query.project);
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/who',
    about: 'Lists who worked on a topic or a file, most recent first, and what was decided about it.',
    reads: 'index',
    query: z.strictObject({ ...projectParam, asked: z.string().min(1).max(1000) }),
    answer: z.object({
      asked: z.string(),
      isFile: z.boolean(),
      people: z.array(
        z.object({
          name: z.string().meta({ description: "`me`, or another person's name" }),
          sessions: z.number().int(),
          last: z.string(),
          latest: z.array(
            z.object({
              sessionId: z.string(),
              projectId: z.string(),
              title: z.string(),
              projectName: z.string(),
              last: z.string(),
            }),
          ),
        }),
      ),
      decisions: z.array(z.object({ id: z.string(), by: z.string(), content: z.string(), at: z.string() })),
    }),
    run: ({ world, query }) =>
      whoKnows(world, { asked: query.asked, ...withoutUndefined({ project: query.project }) }),
  }),
] as const;
