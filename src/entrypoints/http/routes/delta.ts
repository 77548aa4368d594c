import { z } from 'zod';
import { compressSession } from '../../../app/compress.ts';
import { deltaStatus } from '../../../app/delta.ts';
import { given } from '../../../app/given.ts';
import { listVersions } from '../../../app/versions.ts';
import { refOf, workOn } from '../call-ref.ts';
import { route } from '../route.ts';
import { compressionBody, outcomesSchema } from '../schemas/compression.ts';
import { versionListSchema } from '../schemas/session.ts';

const { part: _, ...settings } = compressionBody.shape;
const partBody = z.strictObject(settings);

export const deltaRoutes = [
  route({
    method: 'get',
    path: '/api/memory/projects/{projectId}/sessions/{sessionId}/delta',
    about: 'What came after the last part.',
    answer: z
      .object({
        sessionId: z.string(),
        parts: z.number().int(),
        newMessages: z.number().int(),
        newTokens: z.number().int(),
        hasDelta: z.boolean(),
        nextPart: z.number().int(),
        waiting: z.number().int().meta({ description: 'messages of an exchange that is still going on' }),
      })
      .meta({ id: 'Delta' }),
    run: async (call) => deltaStatus(call.world, await refOf(call)),
  }),
  route({
    method: 'post',
    path: '/api/memory/projects/{projectId}/sessions/{sessionId}/delta',
    about: 'Makes the next part of what is new.',
    body: partBody,
    answer: outcomesSchema,
    status: 201,
    long: (call) => workOn('compress', call),
    run: async (call) => {
      const ref = await refOf(call);
      const items = await compressSession(call.world, ref, { ...given(call.body), delta: true }, call);
      return { sessionId: ref.session, projectId: ref.project, items };
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/projects/{projectId}/sessions/{sessionId}/parts',
    about: 'All parts of a session with their versions.',
    answer: z.object({ items: versionListSchema.shape.parts, next: z.null() }),
    run: async (call) => {
      const { parts } = await listVersions(call.world, await refOf(call));
      return { items: parts, next: null };
    },
  }),
  route({
    method: 'post',
    path: '/api/memory/projects/{projectId}/sessions/{sessionId}/parts/{part}/recompress',
    about: 'Makes another version of one part.',
    body: partBody,
    answer: outcomesSchema,
    status: 201,
    long: (call) => workOn('compress', call),
    run: async (call) => {
      const ref = await refOf(call);
      const ask = { ...given(call.body), part: Number(call.params.part) };
      const items = await compressSession(call.world, ref, ask, call);
      return { sessionId: ref.session, projectId: ref.project, items };
    },
  }),
] as const;
