import { z } from 'zod';
import { listKeptOut } from '../../../app/find/kept-out.ts';
import { sessionMeant } from '../../../app/sync/find-by-id.ts';
import { startRecording, stopRecording } from '../../../app/sync/recording.ts';
import { route } from '../route.ts';

export const keptOutSchema = z
  .object({
    record: z
      .boolean()
      .meta({ description: 'the setting `record` for projects that do not set it themselves' }),
    projects: z.array(
      z.object({
        projectId: z.string(),
        displayName: z.string(),
        originalPath: z.string(),
        by: z.enum(['session', 'marker', 'setting']),
        at: z.string().meta({ description: 'the marker file, or the project with the setting' }),
      }),
    ),
    sessions: z.array(z.object({ sessionId: z.string(), since: z.string() })),
  })
  .meta({ id: 'KeptOut' });

export const recordingRoutes = [
  route({
    method: 'get',
    path: '/api/memory/recording',
    about: 'Lists what is not recorded: projects (by setting or marker file) and sessions.',
    answer: keptOutSchema,
    run: ({ world }) => listKeptOut(world),
  }),
  route({
    method: 'put',
    path: '/api/memory/sessions/{sessionId}/recording',
    about: 'Stops recording a session, or records it again. What was recorded before stays.',
    body: z.strictObject({ record: z.boolean() }),
    answer: z.object({ sessionId: z.string(), record: z.boolean(), changed: z.boolean() }),
    run: async ({ world, params, body: { record } }) => {
      const sessionId = await sessionMeant(world, params.sessionId);
      const changed = record ? await startRecording(world, sessionId) : await stopRecording(world, sessionId);
      return { sessionId, record, changed };
    },
  }),
] as const;
