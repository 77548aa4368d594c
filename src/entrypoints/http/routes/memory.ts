import { z } from 'zod';
import { findProject } from '../../../app/find/project.ts';
import { projectsOf } from '../../../app/repository/repositories.ts';
import { putAway } from '../../../app/rolling/archive.ts';
import { resetCounter, rotateMemory } from '../../../app/rolling/check.ts';
import { checkProjectMemory } from '../../../app/rolling/check-project.ts';
import { migrateLegacy } from '../../../app/rolling/legacy.ts';
import { setNote } from '../../../app/rolling/notes.ts';
import { getProjectNote, inEachFolder, listProjectMemory } from '../../../app/rolling/project-memory.ts';
import { dedupeRefined, refineAll, refinedInAll } from '../../../app/rolling/refine.ts';
import { writeSummaries } from '../../../app/rolling/summaries.ts';
import { searchMemory } from '../../../app/search/rolling.ts';
import { finishSession } from '../../../app/sync/finish-session.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import type { ProjectId } from '../../../core/model/ids.ts';
import { VIAS } from '../../../core/model/via.ts';
import { flagParam, pageQuery, wholePath } from '../params.ts';
import { type Call, route } from '../route.ts';
import { countedPageOf, inPages } from '../schemas/page.ts';

const int = z.number().int();
const names = z.array(z.string());
const claudeMd = z
  .object({
    file: z.string(),
    status: z.enum(['written', 'same', 'removed', 'refused']),
    reason: z.string().optional(),
  })
  .optional();
const author = {
  by: z.string().meta({ description: "`me`, or another person's name" }),
  via: z.enum(VIAS),
};
const noteSchema = z.object({ name: z.string(), text: z.string(), written: z.boolean(), ...author });

type ProjectCall = Call<'/{projectId}'>;
const projectOf = ({ world, params }: Pick<ProjectCall, 'world' | 'params'>) =>
  findProject(world, params.projectId);
const work = (kind: string) => async (call: ProjectCall) => {
  const project = await projectOf(call);
  return { kind, subject: project, turn: `memory ${project}` };
};
const inFolders = async <T>(
  call: Pick<ProjectCall, 'world' | 'params'>,
  run: (folder: ProjectId) => Promise<T[]>,
  file?: string,
): Promise<T[]> => (await inEachFolder(call.world, await projectOf(call), run, file)).flat();
const BASE = '/api/memory/projects/{projectId}/memory';

export const memoryRoutes = [
  route({
    method: 'get',
    path: BASE,
    about:
      "Lists the files of a project's rolling memory: memory.md, its archives and summaries, notes, layers.",
    query: pageQuery,
    answer: countedPageOf(
      z.object({
        name: z.string(),
        kind: z.enum(['memory', 'archive', 'summary', 'note', 'index', 'layer']),
        path: z.string(),
        bytes: int,
        ...author,
        tokens: int.optional(),
        modified: z.string().optional(),
        unwritten: z.literal(true).optional(),
        putAway: z.literal(true).optional(),
        project: z.string(),
        folder: z.string(),
      }),
    ),
    run: async (call) => inPages(await listProjectMemory(call.world, await projectOf(call)), call.query),
  }),
  route({
    method: 'get',
    path: `${BASE}/files/{name}`,
    about: 'Shows a note, memory.md or an archive as text.',
    answer: noteSchema,
    run: async (call) => getProjectNote(call.world, await projectOf(call), call.params.name),
  }),
  route({
    method: 'put',
    path: `${BASE}/files/{name}`,
    about: 'Writes a note: project, architecture, conventions, workflow or lessons.',
    body: z.strictObject({ text: z.string().max(1_000_000), append: z.boolean().optional() }),
    answer: z.object({ name: z.string(), bytes: int, secrets: names }),
    current: async (call) => getProjectNote(call.world, await projectOf(call), call.params.name),
    run: async (call) =>
      setNote(call.world, await projectOf(call), {
        name: call.params.name,
        text: call.body.text,
        append: call.body.append === true,
      }),
  }),
  route({
    method: 'get',
    path: `${BASE}/search`,
    about: 'Searches memory.md, its archives and summaries, notes, facts and concepts.',
    reads: ({ query }) => (query.deep ? 'index' : 'nothing'),
    query: z.strictObject({
      q: z.string().min(1).max(10_000),
      limit: z.coerce.number().int().min(1).max(500).optional(),
      deep: flagParam.optional(),
    }),
    answer: z.object({
      hits: z.array(
        z.object({
          kind: z.string(),
          file: z.string(),
          at: z.number(),
          title: z.string(),
          text: z.string(),
          ts: z.string(),
          source: z.object({ session: z.string(), lines: z.tuple([int, int]) }).optional(),
          project: z.string(),
          score: z.number(),
          snippet: z.string(),
        }),
      ),
      sessions: z.array(z.looseObject({ sessionId: z.string() })),
      notes: names,
    }),
    run: async (call) => {
      const { q, limit, deep } = call.query;
      return searchMemory(call.world, {
        query: q,
        projects: await projectsOf(call.world, await projectOf(call)),
        ...withoutUndefined({ limit, deep }),
      });
    },
  }),
  route({
    method: 'post',
    path: `${BASE}/check`,
    about: 'Counts one step; updates memory.md when the interval is reached, or with `now`.',
    reads: 'sessions',
    body: z.strictObject({ now: z.boolean().optional(), session: z.string().max(120).optional() }),
    answer: z.object({
      counter: int,
      interval: int,
      added: int.optional(),
      rotated: names.optional(),
      claudeMd,
    }),
    long: work('check memory'),
    run: async (call) => checkProjectMemory(call.world, await projectOf(call), withoutUndefined(call.body)),
  }),
  route({
    method: 'post',
    path: `${BASE}/final`,
    about: 'Finishes a session: refines it and adds all of it to memory.md.',
    reads: 'sessions',
    body: z.strictObject({ session: z.string().max(120).optional() }),
    answer: z.object({ added: int, rotated: names, claudeMd }),
    long: work('finish memory'),
    run: async (call) => finishSession(call.world, await projectOf(call), call.body.session),
  }),
  route({
    method: 'post',
    path: `${BASE}/reset`,
    about: 'Resets the counter to 0.',
    answer: z.object({ counter: z.literal(0) }),
    run: async (call) => {
      await inEachFolder(call.world, await projectOf(call), (folder) => resetCounter(call.world, folder));
      return { counter: 0 as const };
    },
  }),
  route({
    method: 'post',
    path: `${BASE}/rotate`,
    about: 'Archives memory.md if it is too long, or with `force` at any length.',
    body: z.strictObject({ force: z.boolean().optional() }),
    answer: z.object({ rotated: names }),
    long: work('rotate memory'),
    run: async (call) => ({
      rotated: await inFolders(call, (folder) => rotateMemory(call.world, folder, call.body.force === true)),
    }),
  }),
  route({
    method: 'post',
    path: `${BASE}/generate-l3`,
    about: 'Writes the summary of every archive that has none.',
    body: z.strictObject({ file: z.string().max(200).optional(), again: z.boolean().optional() }),
    answer: z.object({ written: names }),
    long: work('summarize archives'),
    run: async (call) => ({
      written: await inFolders(
        call,
        (folder) =>
          writeSummaries(call.world, folder, { ...withoutUndefined(call.body), signal: call.signal }),
        call.body.file,
      ),
    }),
  }),
  route({
    method: 'post',
    path: `${BASE}/archive`,
    about: 'Moves archives older than 30 days into memory/archive/, or moves all of them back.',
    body: z.strictObject({ days: z.number().int().min(1).optional(), undo: z.boolean().optional() }),
    answer: z.object({ moved: names }),
    long: work('put archives away'),
    run: async (call) => ({
      moved: await inFolders(call, (folder) => putAway(call.world, folder, withoutUndefined(call.body))),
    }),
  }),
  route({
    method: 'post',
    path: `${BASE}/refine-all`,
    about: 'Rebuilds every refined transcript from its original.',
    answer: z.object({ sessions: int, lines: int, bytes: int, missing: names }),
    long: work('refine'),
    run: async ({ signal, onProgress, ...call }) =>
      refinedInAll(
        await inEachFolder(call.world, await projectOf(call), (folder) =>
          refineAll(call.world, folder, { signal, onProgress }),
        ),
      ),
  }),
  route({
    method: 'post',
    path: `${BASE}/dedupe-l1`,
    about: 'Deletes duplicate refined files of a session.',
    answer: z.object({ removed: names, aside: names }),
    long: work('dedupe'),
    run: async (call) => {
      const each = await inEachFolder(call.world, await projectOf(call), (it) =>
        dedupeRefined(call.world, it),
      );
      return { removed: each.flatMap((it) => it.removed), aside: each.flatMap((it) => it.aside) };
    },
  }),
  route({
    method: 'post',
    path: `${BASE}/migrate-legacy`,
    about:
      'Imports memory of an older plugin from a folder or the project; without any, cleans up existing files.',
    body: z.strictObject({ folder: wholePath.optional() }),
    answer: z.object({
      from: z.string(),
      written: names,
      headings: int,
      aside: z.string().nullable(),
      sessions: int,
      notes: names,
    }),
    long: work('migrate memory'),
    run: async (call) => migrateLegacy(call.world, await projectOf(call), call.body.folder),
  }),
] as const;
