import { z } from 'zod';
import { type ComposeOptions, compose } from '../../../app/compose/compose.ts';
import {
  deleteComposition,
  findComposition,
  listCompositions,
  showComposition,
} from '../../../app/compose/compositions.ts';
import { readsOf } from '../../../app/compose/request.ts';
import { reuseComposition } from '../../../app/compose/reuse.ts';
import { findProject } from '../../../app/find/project.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import type { World } from '../../../app/world.ts';
import { Fault } from '../../../core/model/fault.ts';
import { pageQuery, projectPageQuery, projectParam, projectQuery, wholePath } from '../params.ts';
import { type Call, download, route } from '../route.ts';
import {
  type ComposeBody,
  composeAskOf,
  composeBody,
  composedSchema,
  compositionDetailsSchema,
  compositionRowSchema,
  saveBody,
} from '../schemas/composition.ts';
import { countedPageOf } from '../schemas/page.ts';

async function composed(
  call: Pick<Call, 'world' | 'signal' | 'onProgress'>,
  body: ComposeBody,
  more: { project?: string; preview?: boolean },
) {
  const { name, force, resume, cwd, project: named, ...ask } = body;
  const project = await projectOf(call.world, more.project, named);
  const options: ComposeOptions = {
    ...withoutUndefined({ force, resume, cwd }),
    signal: call.signal,
    onProgress: (done, total) => call.onProgress({ done, total }),
  };
  if (more.preview) options.preview = true;
  return compose(call.world, name ?? 'preview', composeAskOf({ ...ask, project }), options);
}

/** The one of the path; a body that says otherwise is a mistake. */
async function projectOf(world: World, inPath: string | undefined, inBody: string | undefined) {
  const named = inBody === undefined ? undefined : await findProject(world, inBody);
  if (inPath === undefined) return named;
  const own = await findProject(world, inPath);
  if (named !== undefined && named !== own)
    throw new Fault('usage', 'The body and the path name different projects.', {
      hint: 'Omit `project` from the body.',
    });
  return own;
}

async function compositionOf(call: Call<'/{compositionId}', { project?: string | undefined }>) {
  return findComposition(call.world, call.params.compositionId, call.query.project);
}

/** Two of one project wait for each other: both could take the same name. */
async function composing(
  call: { world: World },
  project: string | undefined,
  name = 'composition',
  kind = 'compose',
) {
  const id = project === undefined ? '' : await findProject(call.world, project);
  return { kind, subject: name, turn: `compositions ${id}` };
}

async function detailsOf(call: Call<'/{compositionId}', { project?: string | undefined }>) {
  const { record, gone, markdown } = await showComposition(call.world, await compositionOf(call));
  return { ...record, gone, markdown: markdown ?? null };
}

export const compositionRoutes = [
  route({
    method: 'post',
    path: '/api/memory/compose',
    about: 'Combines several sessions into one context within a token budget, and saves it.',
    reads: ({ body }) => readsOf(body),
    body: saveBody,
    answer: composedSchema,
    status: 201,
    long: ({ body, ...call }) => composing(call, body.project, body.name),
    run: ({ body, ...call }) => composed(call, body, {}),
  }),
  route({
    method: 'post',
    path: '/api/memory/compose/preview',
    about: 'Previews a composition. Nothing is stored.',
    reads: ({ body }) => readsOf(body),
    body: composeBody,
    answer: composedSchema,
    readOnly: true,
    run: ({ body, ...call }) => composed(call, body, { preview: true }),
  }),
  route({
    method: 'post',
    path: '/api/memory/compose/allocation',
    about: 'Previews how a budget would be divided: tokens by session, without the text.',
    reads: ({ body }) => readsOf(body),
    body: composeBody,
    answer: z.object({
      tokenBudget: z.number().int(),
      totalTokens: z.number().int(),
      strategy: z.string(),
      allocations: z.array(
        z.object({
          projectId: z.string(),
          sessionId: z.string(),
          tokens: z.number().int(),
          originalTokens: z.number().int(),
          distance: z.number().int(),
          versionId: z.string(),
          reason: z.string(),
        }),
      ),
      notes: z.array(z.string()),
    }),
    readOnly: true,
    run: async ({ body, ...call }) => {
      const made = await composed(call, body, { preview: true });
      const { tokenBudget, totalTokens, strategy, notes } = made;
      const allocations = made.components.map((it) => ({
        projectId: it.projectId ?? made.projectId,
        sessionId: it.sessionId,
        tokens: it.tokenContribution,
        originalTokens: it.originalTokens ?? 0,
        distance: it.distance ?? 0,
        versionId: it.versionId,
        reason: it.reason ?? '',
      }));
      return { tokenBudget, totalTokens, strategy, allocations, notes };
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/compositions',
    about: 'Lists the compositions of all projects or of one, newest first.',
    reads: 'nothing',
    query: projectPageQuery,
    answer: countedPageOf(compositionRowSchema),
    run: ({ world, query }) => listCompositions(world, withoutUndefined(query)),
  }),
  route({
    method: 'get',
    path: '/api/memory/projects/{projectId}/compositions',
    about: 'Lists the compositions of a project, newest first.',
    reads: 'nothing',
    query: pageQuery,
    answer: countedPageOf(compositionRowSchema),
    run: ({ world, params, query }) =>
      listCompositions(world, { ...withoutUndefined(query), project: params.projectId }),
  }),
  route({
    method: 'post',
    path: '/api/memory/projects/{projectId}/compositions',
    about: 'Creates a composition in this project.',
    reads: ({ params, body }) => readsOf({ ...body, project: params.projectId }),
    body: saveBody,
    answer: composedSchema,
    status: 201,
    long: ({ body, params, ...call }) => composing(call, params.projectId, body.name),
    run: ({ body, params, ...call }) => composed(call, body, { project: params.projectId }),
  }),
  route({
    method: 'get',
    path: '/api/memory/compositions/{compositionId}',
    about: 'Shows a composition: its components, its text, and which sources are gone.',
    reads: 'nothing',
    query: projectQuery,
    answer: compositionDetailsSchema,
    run: detailsOf,
  }),
  download({
    path: '/api/memory/compositions/{compositionId}/content',
    about: 'Downloads the text of a composition.',
    reads: 'nothing',
    query: z.strictObject({ ...projectParam, format: z.enum(['markdown', 'jsonl']).optional() }),
    downloads: ['text/markdown', 'application/x-ndjson'],
    run: async (call) => {
      const { record, markdown, jsonl } = await showComposition(call.world, await compositionOf(call));
      const lines = call.query.format === 'jsonl';
      const content = lines ? jsonl : markdown;
      if (content === undefined)
        throw new Fault('not-found', 'This composition has no such file.', {
          hint: 'It was made with another format.',
        });
      return {
        type: lines ? 'application/x-ndjson' : 'text/markdown',
        name: `${record.name}.${lines ? 'jsonl' : 'md'}`,
        content,
      };
    },
  }),
  route({
    method: 'post',
    path: '/api/memory/compositions/{compositionId}/reuse',
    about:
      'Rebuilds a composition from the current state of its sessions, optionally with another budget or name.',
    query: projectQuery,
    body: z.strictObject({
      budget: z.number().int().min(1).optional(),
      as: z.string().min(1).max(200).optional(),
      force: z.boolean().optional(),
      preview: z.boolean().optional(),
    }),
    answer: composedSchema,
    status: 201,
    long: async (call) =>
      composing(call, (await compositionOf(call)).projectId, call.body.as ?? call.params.compositionId),
    run: async (call) =>
      reuseComposition(call.world, await compositionOf(call), {
        ...withoutUndefined(call.body),
        signal: call.signal,
      }),
  }),
  route({
    method: 'post',
    path: '/api/memory/compositions/{compositionId}/resume',
    about: "Rebuilds it as a new session for `claude --resume` in the project's folder.",
    query: projectQuery,
    body: z.strictObject({ cwd: wholePath.optional() }),
    answer: composedSchema.extend({ command: z.string() }),
    status: 201,
    long: async (call) =>
      composing(call, (await compositionOf(call)).projectId, call.params.compositionId, 'resume'),
    run: async (call) => {
      const row = await compositionOf(call);
      const done = await reuseComposition(call.world, row, {
        ...withoutUndefined(call.body),
        resume: true,
        signal: call.signal,
      });
      const sessionId = done.resumed?.at(-1)?.sessionId ?? '';
      return { ...done, command: `claude --resume ${sessionId}` };
    },
  }),
  route({
    method: 'delete',
    path: '/api/memory/compositions/{compositionId}',
    about: 'Deletes a composition; its sessions and versions stay.',
    reads: 'nothing',
    query: projectQuery,
    answer: z.object({ name: z.string(), projectId: z.string() }),
    current: detailsOf,
    run: async (call) => {
      const row = await compositionOf(call);
      await deleteComposition(call.world, row);
      return { name: row.name, projectId: row.projectId };
    },
  }),
] as const;
