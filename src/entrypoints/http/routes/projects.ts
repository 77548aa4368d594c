import { z } from 'zod';
import { joinProjects, offeredJoins, splitProject } from '../../../app/find/join-projects.ts';
import { findProject } from '../../../app/find/project.ts';
import { pageProjects, summaryOf } from '../../../app/find/projects.ts';
import { renameProject } from '../../../app/find/rename-project.ts';
import { allSessions, listSessions } from '../../../app/find/sessions.ts';
import { whatToUnregister } from '../../../app/purge/unregister.ts';
import { unregisterWhole } from '../../../app/remote/purge-sealed.ts';
import { register } from '../../../app/sync/register.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import type { World } from '../../../app/world.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type ProjectId, toProjectId } from '../../../core/model/ids.ts';
import { takingIn, wholeId, workOn } from '../call-ref.ts';
import { flagParam, pageParams, pageQuery } from '../params.ts';
import { type Call, route } from '../route.ts';
import { countedPageOf } from '../schemas/page.ts';
import { projectDetailsSchema, projectSchema, registeredSchema, sessionSchema } from '../schemas/session.ts';

export const unregisterQuery = {
  purge: flagParam
    .optional()
    .meta({ description: 'delete the archived copy and everything made from it, for good' }),
  force: flagParam.optional().meta({ description: 'even if compositions use it' }),
};

/** Remotes that hold what was purged until they are synced. */
export const remotesLeftSchema = z
  .array(z.object({ remote: z.string(), segments: z.number().int(), trouble: z.string().optional() }))
  .meta({ description: 'remotes that still have it until their next sync' });

export const unregisteredSchema = z.object({
  sessions: z.array(z.object({ projectId: z.string(), sessionId: z.string() })),
  purged: z.boolean(),
  usedIn: z.array(z.string()),
  projectRemoved: z.boolean(),
  remotes: remotesLeftSchema.optional(),
});

const offeredSchema = z.object({
  projectId: z.string(),
  name: z.string(),
  originalPath: z.string(),
  folders: z.number().int(),
});
const offerSchema = z
  .object({ into: offeredSchema, from: offeredSchema })
  .meta({ id: 'ProjectOffer', description: '`from` can be joined to `into`' });

const detailsQuery = z.strictObject({
  sessions: flagParam.optional().meta({ description: '`false` omits its sessions; there may be thousands' }),
});

async function projectNamed({ world, params, query }: Call<'/{projectId}', z.output<typeof detailsQuery>>) {
  const summary = await summaryOf(world, params.projectId);
  if (query.sessions === false) return summary;
  const rows = await allSessions(world, params.projectId);
  return { ...summary, sessions: rows.filter(({ registered }) => registered) };
}

/** A project that is in memory, or one that only the agent's files name. */
async function wherein(world: World, text: string): Promise<{ project?: string; only?: ProjectId }> {
  try {
    return { project: await findProject(world, text) };
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'not-found') throw error;
    return { only: toProjectId(text) };
  }
}

export const projectRoutes = [
  route({
    method: 'get',
    path: '/api/memory/projects',
    about: 'Lists all projects, most recently used first.',
    query: pageQuery,
    answer: countedPageOf(projectSchema),
    run: ({ world, query }) => pageProjects(world, withoutUndefined(query)),
  }),
  route({
    method: 'get',
    path: '/api/memory/projects/{projectId}',
    about: 'Shows a project with all its sessions.',
    query: detailsQuery,
    answer: projectDetailsSchema,
    run: projectNamed,
  }),
  route({
    method: 'patch',
    path: '/api/memory/projects/{projectId}',
    about: 'Renames a project. Its id and path stay.',
    query: detailsQuery.meta({ description: 'the current state, for `If-Match`' }),
    body: z.strictObject({ displayName: z.string().min(1).max(200) }),
    answer: projectSchema,
    current: projectNamed,
    run: ({ world, params, body }) => renameProject(world, params.projectId, body.displayName),
  }),
  route({
    method: 'get',
    path: '/api/memory/project-offers',
    about: 'Lists projects that have the same name and may be the same project.',
    answer: z.object({ items: z.array(offerSchema) }),
    run: async ({ world }) => ({ items: await offeredJoins(world) }),
  }),
  route({
    method: 'post',
    path: '/api/memory/projects/{projectId}/join',
    about: 'Makes another project part of this one. No files move; `split` undoes it.',
    reads: 'nothing',
    body: z.strictObject({ project: z.string().min(1).max(1000) }),
    answer: projectSchema,
    run: ({ world, params, body }) => joinProjects(world, params.projectId, body.project),
  }),
  route({
    method: 'post',
    path: '/api/memory/projects/{projectId}/split',
    about: 'Undoes a join, or makes this folder a separate project.',
    reads: 'nothing',
    answer: z.object({ split: projectSchema, from: projectSchema }),
    run: ({ world, params }) => splitProject(world, params.projectId),
  }),
  route({
    method: 'get',
    path: '/api/memory/projects/{projectId}/sessions',
    about: "Lists a project's sessions, newest first.",
    query: z.strictObject({ ...pageParams, unregistered: flagParam.optional() }),
    answer: countedPageOf(sessionSchema),
    run: async ({ world, params, query }) => {
      const { ids: _, ...page } = await listSessions(world, {
        ...withoutUndefined(query),
        project: params.projectId,
      });
      return page;
    },
  }),
  route({
    method: 'post',
    path: '/api/memory/projects/{projectId}/sessions/{sessionId}',
    about: 'Registers a session: archives it and what is new in it.',
    reads: 'nothing',
    answer: registeredSchema,
    status: 201,
    makes: ({ sessions }) => sessions.length > 0,
    long: ({ world, params }) => takingIn(world, params.sessionId, params.projectId),
    run: async ({ world, params, signal, onProgress }) =>
      register(world, params.sessionId, { ...(await wherein(world, params.projectId)), signal, onProgress }),
  }),
  route({
    method: 'delete',
    path: '/api/memory/projects/{projectId}/sessions/{sessionId}',
    about: 'Unregisters a session. The archived copy stays unless you use `purge`.',
    purges: ({ query }) => query.purge === true,
    query: z.strictObject(unregisterQuery),
    answer: unregisteredSchema,
    long: (call) => workOn('unregister', call),
    run: async ({ world, params, query }) => {
      const target = { session: params.sessionId, project: params.projectId };
      const rows = await whatToUnregister(world, target);
      if (query.purge) wholeId(params.sessionId, rows[0]?.sessionId ?? null);
      return unregisterWhole(world, rows, withoutUndefined(query));
    },
  }),
] as const;
