import { z } from 'zod';
import { previewMatrix, previewProject, previewSession } from '../../../app/retention/preview.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { AGGRESSIVENESS, KEEPIT_MODES } from '../../../core/model/version.ts';
import { pageParams, projectParam } from '../params.ts';
import { route } from '../route.ts';
import { pageOf } from '../schemas/page.ts';

const markerFields = {
  markerId: z.string(),
  weight: z.number(),
  content: z.string(),
  held: z.boolean(),
};
const previewedSchema = z
  .object({ ...markerFields, survives: z.boolean(), verdict: z.string(), why: z.string() })
  .meta({ id: 'PreviewedMarker' });

export const decayRoutes = [
  route({
    method: 'post',
    path: '/api/memory/decay/preview',
    about: 'Previews which keepits of a session a compression would keep, and why. Nothing is changed.',
    body: z.strictObject({
      sessionId: z.string().min(1).max(120),
      project: z.string().min(1).max(2000).optional(),
      compressionRatio: z.number().min(1).max(1000),
      aggressiveness: z.enum(AGGRESSIVENESS).optional(),
      sessionDistance: z
        .number()
        .int()
        .min(0)
        .max(1_000_000)
        .optional()
        .meta({ description: "default: the session's real distance" }),
      keepitMode: z.enum(KEEPIT_MODES).optional(),
      explain: z.boolean().optional().meta({ description: 'include the text and the calculation of each' }),
    }),
    answer: z
      .object({
        markers: z.array(previewedSchema.partial({ content: true, held: true, verdict: true, why: true })),
        threshold: z.number(),
      })
      .meta({ id: 'DecayPreview' }),
    readOnly: true,
    run: async ({ world, body }) => {
      const { sessionId, project, compressionRatio: ratio, aggressiveness } = body;
      const more = withoutUndefined({
        project,
        aggressiveness,
        distance: body.sessionDistance,
        mode: body.keepitMode,
      });
      const { markers, threshold } = await previewSession(world, sessionId, { ratio, ...more });
      const plain = markers.map(({ markerId, weight, survives }) => ({ markerId, weight, survives }));
      return { markers: body.explain ? markers : plain, threshold };
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/projects/{projectId}/decay',
    about: 'The same for every session of a project, each at its own distance.',
    query: z.strictObject({
      ...pageParams,
      ratio: z.coerce.number().min(1).max(1000),
      aggressiveness: z.enum(AGGRESSIVENESS).optional(),
      distance: z.coerce.number().int().min(0).max(1_000_000).optional(),
      mode: z.enum(KEEPIT_MODES).optional(),
    }),
    answer: pageOf(
      z.object({
        sessionId: z.string(),
        sessionDistance: z.number().int(),
        title: z.string(),
        markers: z.array(previewedSchema),
        threshold: z.number(),
      }),
    ),
    run: ({ world, params, query }) => {
      const { ratio, ...more } = query;
      return previewProject(world, params.projectId, { ratio, ...withoutUndefined(more) });
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/decay/matrix',
    about:
      'Shows every keepit of a session or project at several distances and ratios, and where each is dropped.',
    query: z.strictObject({
      ...projectParam,
      session: z.string().min(1).max(120).optional(),
      aggressiveness: z.enum(AGGRESSIVENESS).optional(),
      mode: z.enum(KEEPIT_MODES).optional(),
    }),
    answer: z
      .object({
        distances: z.array(z.number()),
        ratios: z.array(z.number()),
        thresholds: z.array(z.array(z.number())),
        markers: z.array(
          z.object({ ...markerFields, sessionId: z.string(), verdicts: z.array(z.array(z.string())) }),
        ),
      })
      .meta({ id: 'DecayMatrix' }),
    run: async ({ world, query }) => {
      const { session, project, ...request } = query;
      if (session === undefined && project === undefined)
        throw new Fault('usage', 'Missing `session` or `project`.');
      return previewMatrix(world, withoutUndefined({ session, project }), withoutUndefined(request));
    },
  }),
] as const;
