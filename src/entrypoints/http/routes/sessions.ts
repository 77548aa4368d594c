import { z } from 'zod';
import { readL1 } from '../../../app/find/read-l1.ts';
import { listSessions } from '../../../app/find/sessions.ts';
import { pageInOrder } from '../../../app/page.ts';
import { whatToUnregister } from '../../../app/purge/unregister.ts';
import { unregisterWhole } from '../../../app/remote/purge-sealed.ts';
import { pendingFiles, withTitles } from '../../../app/session/pending-files.ts';
import { readSubagent } from '../../../app/session/read-subagent.ts';
import { renameSession } from '../../../app/session/rename.ts';
import { originalOf, showSession } from '../../../app/session/show.ts';
import { showLine } from '../../../app/session/show-line.ts';
import { type Registered, register } from '../../../app/sync/register.ts';
import { LEFT_OUT, newReport } from '../../../app/sync-report.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { subSessionSchema } from '../../../core/model/session.ts';
import { namedSession, takingIn, wholeId, workOn } from '../call-ref.ts';
import { flagParam, pageParams, projectPageQuery, projectParam, projectQuery } from '../params.ts';
import { pulledFile } from '../pulled.ts';
import { download, route } from '../route.ts';
import { countedPageOf, inPages } from '../schemas/page.ts';
import { l1LineSchema, registeredSchema, sessionDetailsSchema, sessionSchema } from '../schemas/session.ts';
import { unregisteredSchema, unregisterQuery } from './projects.ts';

const text = z.string().min(1).max(4096);
const numberedLine = l1LineSchema.extend({
  line: z.number().int().meta({ description: 'its number, from 1' }),
});

const SAY_TARGET = 'use either target or sessionId';

function targetOf({
  target,
  sessionId,
}: {
  target?: string | undefined;
  sessionId?: string | undefined;
}): string {
  return target ?? sessionId ?? '';
}

export const sessionRoutes = [
  route({
    method: 'get',
    path: '/api/memory/sessions',
    about: 'Lists registered sessions of all projects or of one, newest first.',
    query: z.strictObject({ ...projectParam, ...pageParams, unregistered: flagParam.optional() }),
    answer: countedPageOf(sessionSchema),
    run: async ({ world, query }) => {
      const { ids: _, ...page } = await listSessions(world, withoutUndefined(query));
      return page;
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/sessions/unregistered',
    about:
      "Lists what is not in memory: the agent's files that are not synced yet, and unregistered sessions.",
    query: projectPageQuery,
    answer: z.object({
      files: z.array(
        z.object({
          path: z.string(),
          bytes: z.number().int(),
          soonDeleted: z.boolean(),
          written: z.string(),
          title: z.string().nullable().meta({ description: 'from its first lines' }),
          cwd: z.string().nullable(),
        }),
      ),
      sessions: z.array(sessionSchema),
      next: z.string().nullable(),
      total: z.number().int(),
    }),
    run: async ({ world, query }) => {
      const files = await pendingFiles(world);
      const { project, ...page } = query;
      const list = await listSessions(world, { ...withoutUndefined({ project }), unregistered: true });
      const all = [...files, ...list.items.filter((row) => !row.registered)];
      // Files first, by their paths; a session's key comes after every path.
      const key = (it: (typeof all)[number]) =>
        'path' in it ? `a${it.path}` : `b${it.projectId}/${it.sessionId}`;
      const sorted = all.sort((a, b) => (key(a) < key(b) ? -1 : 1));
      const { items, next } = pageInOrder(sorted, key, withoutUndefined(page));
      return {
        files: await withTitles(
          world,
          items.flatMap((it) => ('path' in it ? [it] : [])),
        ),
        sessions: items.flatMap((it) => ('path' in it ? [] : [it])),
        next,
        total: all.length,
      };
    },
  }),
  route({
    method: 'post',
    path: '/api/memory/sessions',
    about: 'Registers a session by its id, a transcript by its path, or every transcript of a folder.',
    reads: 'nothing',
    body: z
      .strictObject({
        target: text.optional().meta({ description: 'an id, a file or a folder' }),
        sessionId: text.optional().meta({ description: 'the same as `target`, by id' }),
        project: text.optional(),
      })
      .refine(({ target, sessionId }) => (target === undefined) !== (sessionId === undefined), SAY_TARGET),
    answer: registeredSchema,
    status: 201,
    makes: ({ sessions }) => sessions.length > 0,
    long: ({ world, body }) => takingIn(world, targetOf(body), body.project),
    run: ({ world, body, signal, onProgress }) =>
      register(world, targetOf(body), { ...withoutUndefined({ project: body.project }), signal, onProgress }),
  }),
  route({
    method: 'post',
    path: '/api/memory/sessions/batch',
    about:
      'Registers several sessions, or with `all` every session of the agents; a failure does not stop the others.',
    reads: 'nothing',
    body: z
      .strictObject({
        targets: z.array(text).min(1).max(1000).optional(),
        all: z.literal(true).optional().meta({ description: 'also unregistered sessions' }),
        project: text.optional(),
      })
      .refine((it) => (it.targets === undefined) !== (it.all === undefined), 'use either targets or all'),
    answer: registeredSchema,
    status: 201,
    makes: ({ sessions }) => sessions.length > 0,
    long: async ({ body }) => ({
      kind: 'register',
      subject: body.targets ? `${body.targets.length} sessions` : 'all sessions',
      turn: 'sync',
    }),
    run: async ({ world, body, signal, onProgress }) => {
      const { targets, project } = body;
      if (!targets)
        return register(world, { all: true }, { ...withoutUndefined({ project }), signal, onProgress });
      const all: Registered = { ...newReport(), sessions: [] };
      for (const [done, target] of targets.entries()) {
        if (signal.aborted) throw new Fault('cancelled', `Stopped: ${done} of ${targets.length} archived.`);
        onProgress({ done, total: targets.length, current: target });
        const one = await register(world, target, { ...withoutUndefined({ project }), signal }).catch(
          (error: unknown) => {
            if (!(error instanceof Fault) || error.code === 'cancelled') throw error;
            const { message, hint } = error;
            return { path: target, message, ...(hint === undefined ? {} : { hint }) };
          },
        );
        if ('path' in one) all.problems.push(one);
        else add(all, one);
      }
      return all;
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/sessions/{sessionId}',
    about: 'Shows a session: details, metadata, keepits, versions.',
    query: projectQuery,
    answer: sessionDetailsSchema,
    run: ({ world, params, query }) => showSession(world, params.sessionId, query.project),
  }),
  route({
    method: 'patch',
    path: '/api/memory/sessions/{sessionId}',
    about: 'Renames a session; an empty name restores its title.',
    query: projectQuery,
    body: z.strictObject({ name: z.string().max(200) }),
    answer: sessionSchema,
    current: ({ world, params, query }) => showSession(world, params.sessionId, query.project),
    run: ({ world, params, query, body }) =>
      renameSession(world, { session: params.sessionId, name: body.name, ...withoutUndefined(query) }),
  }),
  route({
    method: 'delete',
    path: '/api/memory/sessions/{sessionId}',
    about: 'Unregisters a session. The archived copy stays unless you use `purge`.',
    purges: ({ query }) => query.purge === true,
    query: z.strictObject({ ...projectParam, ...unregisterQuery }),
    answer: unregisteredSchema,
    long: (call) => workOn('unregister', call),
    run: async ({ world, params, query }) => {
      const { project, purge, force } = query;
      const rows = await whatToUnregister(world, {
        session: params.sessionId,
        ...withoutUndefined({ project }),
      });
      if (purge) wholeId(params.sessionId, rows[0]?.sessionId ?? null);
      return unregisterWhole(world, rows, withoutUndefined({ purge, force }));
    },
  }),
  route({
    method: 'post',
    path: '/api/memory/sessions/{sessionId}/sync',
    about: 'Syncs what the agent wrote to this session since the last sync.',
    reads: 'nothing',
    query: projectQuery,
    answer: registeredSchema,
    long: (call) => workOn('sync', call),
    run: async ({ signal, onProgress, ...call }) => {
      const { projectId, sessionId } = await namedSession(call);
      return register(call.world, sessionId, { project: projectId, signal, onProgress });
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/sessions/{sessionId}/messages',
    about: 'Lists the messages of a session in order; with `view=l1`, tool calls too.',
    query: z.strictObject({
      ...projectParam,
      ...pageParams,
      limit: z.coerce.number().int().min(1).max(20_000).default(200),
      view: z.enum(['messages', 'l1']).optional(),
    }),
    answer: countedPageOf(numberedLine),
    run: async (call) => {
      const { row } = await namedSession(call);
      const lines = (await readL1(call.world, row)).map((line, index) => ({ line: index + 1, ...line }));
      const { view, limit, after } = call.query;
      const wanted =
        view === 'l1' ? lines : lines.filter((it) => it.text !== undefined && it.role !== 'tool');
      const key = (it: { line: number }) => String(it.line).padStart(12, '0');
      return { ...pageInOrder(wanted, key, { limit, ...withoutUndefined({ after }) }), total: wanted.length };
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/sessions/{sessionId}/messages/{line}',
    about: 'Shows one line of the conversation in full; for a tool call, its input and output.',
    query: projectQuery,
    answer: numberedLine.extend({
      input: z.record(z.string(), z.unknown()).optional(),
      output: z.string().optional(),
      messageId: z.string().optional().meta({ description: 'for a message: the id that a purge needs' }),
    }),
    run: async ({ world, params, query }) =>
      showLine(world, await showSession(world, params.sessionId, query.project), Number(params.line)),
  }),
  download({
    path: '/api/memory/sessions/{sessionId}/original',
    about: 'Downloads the original, byte for byte.',
    query: projectQuery,
    downloads: ['application/x-ndjson'],
    run: async ({ world, params, query }) => {
      const details = await showSession(world, params.sessionId, query.project);
      const path = await originalOf(world, details);
      const content = pulledFile(path);
      return { type: 'application/x-ndjson', name: `${details.sessionId}.jsonl`, content };
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/sessions/{sessionId}/subagents',
    about: 'Lists the subagents of a session.',
    query: projectPageQuery,
    answer: countedPageOf(subSessionSchema),
    run: async (call) => {
      const { row } = await namedSession(call);
      return inPages(row.metadata.subSessions, call.query);
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/sessions/{sessionId}/subagents/{agentId}',
    about: 'Shows what a subagent did.',
    query: projectPageQuery,
    answer: countedPageOf(l1LineSchema),
    run: async (call) => {
      const { row } = await namedSession(call);
      const { lines } = await readSubagent(call.world, row, call.params.agentId);
      return inPages(lines, call.query);
    },
  }),
] as const;

function add(all: Registered, one: Registered): void {
  for (const key of ['found', 'added', 'grown', 'same', 'replaced', 'skipped', 'bytes'] as const)
    all[key] += one[key];
  for (const why of LEFT_OUT) all.leftOut[why] += one.leftOut[why];
  all.problems.push(...one.problems);
  all.notes.push(...one.notes);
  all.sessions.push(...one.sessions);
}
