import { z } from 'zod';
import { importChats } from '../../../app/import/import-chats.ts';
import { examine } from '../../../app/maintenance/doctor.ts';
import { readNamedHistory } from '../../../app/maintenance/named-history.ts';
import { readStatus, waitsForSync } from '../../../app/maintenance/status.ts';
import { verify } from '../../../app/maintenance/verify.ts';
import { unregisterWhole } from '../../../app/remote/purge-sealed.ts';
import { sync } from '../../../app/sync/sync.ts';
import { forgetLastSync } from '../../../app/sync/sync-changes.ts';
import { sampleRows, useSample } from '../../../app/sync/use-sample.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { historyEventSchema } from '../../../core/model/history.ts';
import { VIAS } from '../../../core/model/via.ts';
import { pagesOf, projectParam, wholePath } from '../params.ts';
import { route } from '../route.ts';
import { pageOf } from '../schemas/page.ts';
import { findingSchema, registeredSchema, syncReportSchema } from '../schemas/session.ts';
import { unregisteredSchema, unregisterQuery } from './projects.ts';
import { keptOutSchema } from './recording.ts';

const int = z.number().int();

const transcriptsSchema = z.object({
  folders: z.array(z.string()),
  found: int,
  bytes: int,
  notSynced: int,
  notSyncedBytes: int,
  leftOut: int,
  cleanupDays: z.number(),
  soonDeleted: int,
  soonDeletedNotSynced: int,
  unreadable: z.array(z.string()),
});

export const maintenanceRoutes = [
  route({
    method: 'get',
    path: '/api/memory/status',
    about: 'Shows what is archived and what is not yet.',
    answer: z
      .object({
        archive: z.object({ path: z.string(), bytes: int, freeBytes: int.nullable() }),
        projects: int,
        sessions: int,
        messages: int,
        tokens: int,
        originalBytes: int,
        keepits: int,
        originalsLost: int,
        originalsLinked: int,
        outdated: int,
        lastTimestamp: z.string().nullable(),
        transcripts: transcriptsSchema,
        agents: z.array(
          z.object({
            agent: z.string(),
            name: z.string(),
            sessions: int,
            notRead: int,
            lastTimestamp: z.string().nullable(),
            lastRead: z.string().nullable(),
          }),
        ),
        notRecorded: keptOutSchema,
        sample: z.boolean(),
      })
      .meta({ id: 'Status' }),
    run: ({ world }) => readStatus(world),
  }),
  route({
    method: 'get',
    path: '/api/memory/waiting',
    about: "What a sync would bring: the agent's files that are not kept yet, sessions of an older version.",
    answer: z.object({ outdated: int, transcripts: transcriptsSchema }).meta({ id: 'Waiting' }),
    run: ({ world }) => waitsForSync(world),
  }),
  route({
    method: 'post',
    path: '/api/memory/sync',
    about: 'Finds new and grown sessions and archives them; with `from`, only in these folders.',
    body: z.strictObject({ from: z.array(wholePath).max(100).optional(), sample: z.boolean().optional() }),
    answer: syncReportSchema,
    long: async ({ body }) => ({
      kind: 'sync',
      subject: body.sample ? 'the sample' : (body.from?.join(', ').slice(0, 500) ?? 'all sessions'),
      turn: 'sync',
    }),
    run: async ({ world, body, signal, onProgress }) => {
      const report = body.sample
        ? await useSample(world, { signal, onProgress })
        : await sync(world, { ...withoutUndefined({ from: body.from }), signal, onProgress });
      if (signal.aborted) throw new Fault('cancelled', 'Stopped. What is already archived stays.');
      return report;
    },
  }),
  route({
    method: 'delete',
    path: '/api/memory/sample',
    about: 'Removes the built-in sample project; a sync with `sample` restores it.',
    query: z.strictObject({ force: unregisterQuery.force }),
    answer: unregisteredSchema,
    purges: () => true,
    long: async () => ({ kind: 'unregister', subject: 'the sample', turn: 'sync' }),
    run: async ({ world, query }) =>
      unregisterWhole(world, await sampleRows(world), { ...withoutUndefined(query), purge: true }),
  }),
  route({
    method: 'post',
    path: '/api/memory/import',
    about: 'Imports chats of other programs from a file or folder on this machine; each file is a session.',
    body: z.strictObject({
      path: wholePath,
      project: z.string().min(1).max(2000),
      by: z.string().min(1).max(100).optional(),
    }),
    answer: registeredSchema,
    status: 201,
    makes: ({ sessions }) => sessions.length > 0,
    long: async ({ body }) => ({ kind: 'import', subject: body.path, turn: 'sync' }),
    run: ({ world, body, signal, onProgress }) =>
      importChats(world, body.path, { project: body.project, by: body.by, signal, onProgress }),
  }),
  route({
    method: 'post',
    path: '/api/memory/verify',
    about: 'Hashes every original, and rebuilds every derived file for comparison.',
    body: z.strictObject({
      project: z.string().min(1).max(2000).optional(),
      session: z.string().min(1).max(120).optional(),
    }),
    answer: z
      .object({ sessions: int, bytes: int, problems: z.array(findingSchema), passed: z.boolean() })
      .meta({ id: 'VerifyReport' }),
    long: async ({ body }) => ({
      kind: 'verify',
      subject: body.session ?? body.project ?? 'all projects',
      turn: 'verify',
    }),
    run: async ({ world, body, signal, onProgress }) => {
      const report = await verify(world, { ...withoutUndefined(body), signal, onProgress });
      if (report.problems.length > 0) await forgetLastSync(world);
      return report;
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/doctor',
    about: 'Finds problems, with instructions.',
    answer: z.object({ items: z.array(findingSchema), next: z.null(), ok: z.boolean() }),
    run: async ({ world }) => {
      const items = await examine(world);
      return { items, next: null, ok: items.every((finding) => finding.level !== 'error') };
    },
  }),
  route({
    method: 'get',
    path: '/api/memory/history',
    about: 'Lists changes to the memory, newest first.',
    query: z.strictObject({ ...projectParam, ...pagesOf(50) }),
    answer: pageOf(
      historyEventSchema.extend({
        projectId: z.string(),
        projectName: z.string(),
        by: z
          .string()
          .optional()
          .meta({ description: "the author of an edit: `me`, or another person's name" }),
        via: z.enum(VIAS).optional(),
        title: z.string().optional().meta({ description: 'of its session, if that still exists' }),
        fact: z.string().optional().meta({ description: 'the fact that was edited, if it still exists' }),
        projects: int.optional().meta({ description: 'for a purge that was recorded in several projects' }),
      }),
    ),
    run: ({ world, query }) => readNamedHistory(world, { ...withoutUndefined(query), limit: query.limit }),
  }),
] as const;
