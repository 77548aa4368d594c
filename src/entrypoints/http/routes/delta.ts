import { z } from 'zod';
import { compressSession } from '../../../app/compress/compress.ts';
import { deltaStatus } from '../../../app/compress/delta.ts';
import { listVersions } from '../../../app/compress/versions.ts';
import { refOf, workOn } from '../call-ref.ts';
import { outcomesOf } from '../outcomes-of.ts';
import { pageQuery } from '../params.ts';
import { route } from '../route.ts';
import { compressBody, outcomesSchema, settingsOf } from '../schemas/compress.ts';
import { countedPageOf, inPages } from '../schemas/page.ts';
import { uncoveredFields, versionListSchema } from '../schemas/session.ts';

const { part: _, ...settings } = compressBody.shape;
const partBody = z.strictObject(settings);

export const deltaRoutes = [
  route({
    method: 'get',
    path: '/api/memory/projects/{projectId}/sessions/{sessionId}/delta',
    about: 'Shows what is new since the last part.',
    answer: z
      .object({
        sessionId: z.string(),
        parts: z.number().int(),
        hasDelta: z.boolean(),
        nextPart: z.number().int(),
        ...uncoveredFields,
      })
      .meta({ id: 'Delta' }),
    run: async (call) => deltaStatus(call.world, await refOf(call)),
  }),
  route({
    method: 'post',
    path: '/api/memory/projects/{projectId}/sessions/{sessionId}/delta',
    about: 'Compresses what is new as the next part.',
    body: partBody,
    answer: outcomesSchema,
    status: 201,
    makes: ({ items }) => items.some((it) => it.version !== undefined && !it.existed),
    long: (call) => workOn('compress', call),
    run: async (call) => {
      const ref = await refOf(call);
      const items = await compressSession(call.world, ref, { ...settingsOf(call.body), delta: true }, call);
      return outcomesOf(call.world, ref, items, call.body.force);
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/projects/{projectId}/sessions/{sessionId}/parts',
    about: 'Lists the parts of a session with their versions.',
    query: pageQuery,
    answer: countedPageOf(versionListSchema.shape.parts.element),
    run: async (call) => {
      const { parts } = await listVersions(call.world, await refOf(call));
      return inPages(parts, call.query);
    },
  }),
  route({
    method: 'post',
    path: '/api/memory/projects/{projectId}/sessions/{sessionId}/parts/{part}/recompress',
    about: 'Makes another version of one part.',
    body: partBody,
    answer: outcomesSchema,
    status: 201,
    makes: ({ items }) => items.some((it) => it.version !== undefined && !it.existed),
    long: (call) => workOn('compress', call),
    run: async (call) => {
      const ref = await refOf(call);
      const ask = { ...settingsOf(call.body), part: Number(call.params.part) };
      const items = await compressSession(call.world, ref, ask, call);
      return outcomesOf(call.world, ref, items);
    },
  }),
] as const;
