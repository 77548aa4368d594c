import { z } from 'zod';
import { planRetentionRun } from '../../../app/retention/plan.ts';
import { runRetention } from '../../../app/retention/run.ts';
import { retentionSchedule, SCHEDULES, setSchedule } from '../../../app/retention/schedule.ts';
import { undoRetention } from '../../../app/retention/undo.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { projectQuery } from '../params.ts';
import { route } from '../route.ts';

const int = z.number().int();
const project = z.string().min(1).max(2000).optional();
const pair = z.object({ before: z.number(), after: z.number() });
const place = { projectId: z.string(), sessionId: z.string() };
const version = { ...place, versionId: z.string() };
const planned = { ...place, part: int, outputTokens: int, why: z.string() };

const scheduleSchema = z
  .looseObject({
    schedule: z.string(),
    compressionRetention: z.string(),
    lastRun: z.string().nullable(),
    nextRun: z.string().nullable(),
    runs: z.array(
      z.object({
        projectId: z.string(),
        runId: z.string(),
        at: z.string(),
        state: z.string(),
        made: int,
        pruned: int,
      }),
    ),
  })
  .meta({ id: 'DecaySchedule' });

const retentionJob = async ({ body }: { body: { project?: string | undefined } }) => ({
  kind: 'decay',
  subject: body.project ?? 'all projects',
  turn: 'decay',
});

export const retentionRoutes = [
  route({
    method: 'get',
    path: '/api/memory/decay/plan',
    about: 'Shows what retention would make and delete now. Changes nothing.',
    query: projectQuery,
    answer: z
      .object({
        at: z.string(),
        create: z.array(z.object({ ...planned, preset: z.string(), inputTokens: int })),
        prune: z.array(z.object({ ...planned, versionId: z.string() })),
        heldBack: z.string().nullable(),
        versions: pair,
        tokens: pair,
        bytes: pair,
      })
      .meta({ id: 'DecayPlan' }),
    run: ({ world, query }) => planRetentionRun(world, withoutUndefined(query)),
  }),
  route({
    method: 'post',
    path: '/api/memory/decay/run',
    about: 'Runs retention: makes shorter versions, then deletes intermediate ones. Originals stay.',
    body: z.strictObject({ project, most: z.number().int().min(1).optional() }),
    answer: z
      .object({
        runId: z.string().nullable(),
        at: z.string(),
        made: z.array(z.object({ ...version, outputTokens: int })),
        pruned: z.array(z.object({ ...version, outputTokens: int })),
        left: z.array(z.object({ ...place, why: z.string() })),
        heldBack: z.string().nullable(),
        finished: z.boolean(),
        stopped: z.boolean(),
      })
      .meta({ id: 'DecayRun' }),
    long: retentionJob,
    run: async ({ world, body, signal, onProgress }) => {
      const onStep = (done: number, total: number, current: string) => onProgress({ done, total, current });
      const done = await runRetention(world, { ...withoutUndefined(body), signal, onStep });
      if (done.stopped) throw new Fault('cancelled', 'Stopped. The next run continues.');
      return done;
    },
  }),
  route({
    method: 'post',
    path: '/api/memory/decay/undo',
    about: 'Undoes the last run: restores what it deleted, deletes what it made.',
    reads: 'nothing',
    body: z.strictObject({ project }),
    answer: z.object({
      restored: z.array(z.object(version)),
      removed: z.array(z.object(version)),
      left: z.array(z.object({ ...version, why: z.string() })),
    }),
    long: async (call) => ({ ...(await retentionJob(call)), kind: 'undo decay' }),
    run: ({ world, body }) => undoRetention(world, withoutUndefined(body)),
  }),
  route({
    method: 'get',
    path: '/api/memory/decay/schedule',
    about: 'Shows the schedule of automatic retention, its last run, and what can be undone.',
    reads: 'nothing',
    query: projectQuery,
    answer: scheduleSchema,
    run: ({ world, query }) => retentionSchedule(world, query.project),
  }),
  route({
    method: 'put',
    path: '/api/memory/decay/schedule',
    about: 'Sets the schedule of automatic retention, for all projects or for one.',
    reads: 'nothing',
    query: projectQuery,
    body: z.strictObject({ schedule: z.enum(SCHEDULES as [string, ...string[]]) }),
    answer: scheduleSchema,
    current: ({ world, query }) => retentionSchedule(world, query.project),
    run: ({ world, query, body }) => setSchedule(world, body.schedule, query.project),
  }),
] as const;
