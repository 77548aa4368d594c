import { z } from 'zod';
import {
  addKeepit,
  confirmKeepit,
  type KeepitChange,
  removeKeepit,
  setKeepit,
} from '../../../app/keepit/change.ts';
import { findKeepit, listKeepits } from '../../../app/keepit/keepits.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { namedSession } from '../call-ref.ts';
import { flagParam, pageParams, pagesOf, projectParam, projectQuery } from '../params.ts';
import { type Call, route } from '../route.ts';
import { countedPageOf } from '../schemas/page.ts';
import { keepitSchema, presetSchema } from '../schemas/session.ts';

const weight = z
  .number()
  .min(0)
  .max(1)
  .refine((value) => Math.round(value * 100) / 100 === value, 'a weight has two decimals');
const param = z.coerce.number().min(0).max(1).optional();

const filters = {
  ...pageParams,
  least: param.meta({ description: 'this weight and more' }),
  most: param,
  preset: presetSchema.optional(),
  origin: z.enum(['user', 'assistant']).optional(),
  held: flagParam.optional().meta({ description: 'only keepits that wait for confirmation' }),
  added: flagParam.optional().meta({ description: 'only keepits that were added afterwards' }),
  removed: flagParam.optional().meta({ description: 'list removed keepits instead' }),
};

const keepitsPage = countedPageOf(keepitSchema).extend({
  missed: z
    .array(
      z.object({
        projectId: z.string(),
        sessionId: z.string(),
        text: z.string(),
        src: z.number().int().meta({ description: 'byte offset of its message in the original' }),
        marker: z.string().meta({ description: 'what to write instead' }),
      }),
    )
    .meta({ description: 'texts that look like markers but are not, regardless of the filters' }),
});

const inOriginal = {
  writeOriginal: z.boolean().optional().meta({ description: "also edit the agent's file, after a backup" }),
  force: z.boolean().optional().meta({ description: 'even if that file was just written' }),
};

const changeSchema = z
  .object({
    ...keepitSchema.shape,
    changed: z.boolean(),
    undo: z.string().optional().meta({ description: 'the command that undoes it' }),
    original: z.object({ file: z.string(), backup: z.string().optional(), changed: z.boolean() }).optional(),
  })
  .meta({ id: 'KeepitChange' });

function changeAnswer({ keepit, changed, undo, original }: KeepitChange) {
  return { ...keepit, changed, ...withoutUndefined({ undo, original }) };
}

type OneCall = Call<'/{sessionId}/{markerId}', { project?: string | undefined }>;

/** The marker of the path, which must be of the session of the path. */
async function keepitOf(call: OneCall) {
  const { projectId, sessionId } = await namedSession(call);
  const { keepit } = await findKeepit(call.world, call.params.markerId, projectId);
  if (keepit.sessionId === sessionId) return keepit;
  throw new Fault('not-found', `No keepit ${JSON.stringify(call.params.markerId)} in this session.`);
}

async function changed(call: OneCall, change: (markerId: string, project: string) => Promise<KeepitChange>) {
  const { markerId, projectId } = await keepitOf(call);
  return changeAnswer(await change(markerId, projectId));
}

export const keepitRoutes = [
  route({
    method: 'get',
    path: '/api/memory/keepits',
    about: 'Lists keepits of all projects or of one, highest weight first.',
    query: z.strictObject({ ...projectParam, ...filters, ...pagesOf(200) }),
    answer: keepitsPage,
    run: async ({ world, query }) => {
      const { ids: _, ...page } = await listKeepits(world, {
        ...withoutUndefined(query),
        limit: query.limit,
      });
      return page;
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/sessions/{sessionId}/keepits',
    about: 'Lists the keepits of a session, highest weight first.',
    query: z.strictObject({ ...projectParam, ...filters }),
    answer: keepitsPage,
    run: async ({ world, params, query }) => {
      const { ids: _, ...page } = await listKeepits(world, {
        ...withoutUndefined(query),
        session: params.sessionId,
      });
      return page;
    },
  }),
  route({
    method: 'post',
    path: '/api/memory/sessions/{sessionId}/keepits',
    about: 'Marks text in a message, or a whole message, as a keepit.',
    query: projectQuery,
    body: z.strictObject({
      weight,
      text: z
        .string()
        .max(100_000)
        .optional()
        .meta({ description: 'this text; it must occur in one message only' }),
      message: z.string().max(200).optional().meta({ description: 'a message id or unique prefix' }),
      exchange: z.string().max(200).optional(),
      src: z.number().int().min(0).optional().meta({
        description: 'the message at this byte offset of the original, from `/messages`',
      }),
      last: z.boolean().optional().meta({ description: 'the last of several matches' }),
      range: z
        .strictObject({ start: z.number().int().min(0), end: z.number().int().min(1) })
        .optional()
        .meta({ description: 'characters of the message, end exclusive' }),
      ...inOriginal,
    }),
    answer: changeSchema,
    status: 201,
    run: async ({ world, params, query, body }) => {
      const { weight, writeOriginal, force, ...place } = body;
      const target = { ...withoutUndefined(place), weight };
      const options = withoutUndefined({ project: query.project, writeOriginal, force });
      return changeAnswer(await addKeepit(world, params.sessionId, target, options));
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/sessions/{sessionId}/keepits/{markerId}',
    about: 'Shows one keepit.',
    query: projectQuery,
    answer: keepitSchema,
    run: (call) => keepitOf(call),
  }),
  route({
    method: 'put',
    path: '/api/memory/sessions/{sessionId}/keepits/{markerId}',
    about: 'Changes the weight of a keepit, or restores a removed one.',
    query: projectQuery,
    body: z.strictObject({ weight, ...inOriginal }),
    answer: changeSchema,
    current: (call) => keepitOf(call),
    run: ({ body, ...call }) => {
      const { weight, ...options } = body;
      return changed({ ...call, body }, (id, project) =>
        setKeepit(call.world, id, weight, { ...withoutUndefined(options), project }),
      );
    },
  }),
  route({
    method: 'delete',
    path: '/api/memory/sessions/{sessionId}/keepits/{markerId}',
    about: 'Removes a keepit; its text becomes plain text.',
    query: z.strictObject({
      ...projectParam,
      writeOriginal: flagParam.optional().meta({ description: "also edit the agent's file, after a backup" }),
      force: flagParam.optional().meta({ description: 'even if that file was just written' }),
    }),
    answer: changeSchema,
    current: (call) => keepitOf(call),
    run: (call) => {
      const { writeOriginal, force } = call.query;
      return changed(call, (id, project) =>
        removeKeepit(call.world, id, { ...withoutUndefined({ writeOriginal, force }), project }),
      );
    },
  }),
  route({
    method: 'post',
    path: '/api/memory/sessions/{sessionId}/keepits/{markerId}/confirm',
    about: 'Confirms a keepit that waits for confirmation because a tool had shown its words.',
    query: projectQuery,
    answer: changeSchema,
    current: (call) => keepitOf(call),
    run: (call) => changed(call, (id, project) => confirmKeepit(call.world, id, { project })),
  }),
] as const;
