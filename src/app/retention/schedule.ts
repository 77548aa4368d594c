import type { Config } from '../../core/model/config-defaults.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { foldersAsked } from '../find/project.ts';
import { projectsOf } from '../repository/repositories.ts';
import { setSetting } from '../settings/configure.ts';
import type { World } from '../world.ts';
import { lastCheck, noteCheck, planRetentionRun } from './plan.ts';
import { readRun } from './record.ts';
import { finishRetention, type RetentionDone, runRetention } from './run.ts';

export type Schedule = Config['autoDecay']['schedule'];
export const SCHEDULES: Schedule[] = ['off', 'daily', 'weekly', 'on-access'];

const HOUR_MS = 3_600_000;
const EVERY_MS: Record<Exclude<Schedule, 'off'>, number> = {
  daily: 24 * HOUR_MS,
  weekly: 7 * 24 * HOUR_MS,
  'on-access': HOUR_MS,
};
/** Versions that one automatic run makes: the rest waits for the next, so that nobody waits long. */
const MOST_BY_ITSELF = 25;

export type RetentionSchedule = Config['autoDecay'] & {
  compressionRetention: string;
  lastRun: string | null;
  /** The next sync after this time runs it; null if nothing is scheduled. */
  nextRun: string | null;
  /** The last run of each project that can be undone, or that was cut off. */
  runs: { projectId: string; runId: string; at: string; state: string; made: number; pruned: number }[];
};

/** What is set, when it last ran, and what can be undone. */
export async function retentionSchedule(world: World, project?: string): Promise<RetentionSchedule> {
  const folders = await foldersAsked(world, project);
  const id = project === undefined ? undefined : folders[0];
  const head = id === undefined ? undefined : await world.archive.head(id);
  const { config } = await world.settings.resolve(head?.settings);
  const last = await lastCheck(world, id);
  const runs: RetentionSchedule['runs'] = [];
  for (const projectId of folders) {
    const run = await readRun(world, projectId);
    if (!run) continue;
    const { runId, at, state, create, prune } = run;
    runs.push({ projectId, runId, at, state, made: create.length, pruned: prune.length });
  }
  const { schedule } = config.autoDecay;
  const next =
    schedule === 'off'
      ? null
      : last === undefined
        ? `${world.clock.now().slice(0, 10)}T00:00:00.000Z`
        : new Date(Date.parse(last) + EVERY_MS[schedule]).toISOString();
  return {
    ...config.autoDecay,
    compressionRetention: config.storage.compressionRetention,
    lastRun: last ?? null,
    nextRun: next,
    runs,
  };
}

/** Sets the schedule of automatic retention, for all projects or for one. */
export async function setSchedule(
  world: World,
  schedule: string,
  project?: string,
): Promise<RetentionSchedule> {
  if (!SCHEDULES.some((known) => known === schedule))
    throw new Fault('usage', `${JSON.stringify(schedule.slice(0, 40))} is not a schedule.`, {
      hint: `Use one of: ${SCHEDULES.join(', ')}.`,
    });
  await setSetting(world, 'autoDecay.schedule', schedule, project);
  return retentionSchedule(world, project);
}

export type DueOptions = { project?: ProjectId; signal?: AbortSignal | undefined; most?: number };

/**
 * For sync and the end of a session: finishes what was cut off, and runs when the time has come. Costs a look at two
 * small files where nothing is to do. Undefined: nothing was done.
 */
export async function runRetentionWhenDue(
  world: World,
  configs: Config[],
  options: DueOptions = {},
): Promise<RetentionDone | undefined> {
  const { project, signal, most = MOST_BY_ITSELF } = options;
  const stop = signal ? { signal } : {};
  await finishRetention(world, stop);
  const every = Math.min(...configs.map(everyMs));
  if (every === Number.POSITIVE_INFINITY) return undefined;
  const main = project === undefined ? undefined : (await projectsOf(world, project))[0];
  const last = await lastCheck(world, main);
  const since = last === undefined ? Number.POSITIVE_INFINITY : world.clock.millis() - Date.parse(last);
  // Before the last look: the clock was set back, and the plan says what that means.
  if (since >= 0 && since < every) return undefined;
  const asked = { unattended: true, ...(project === undefined ? {} : { project }) };
  const plan = await planRetentionRun(world, asked);
  if (plan.create.length + plan.prune.length + (plan.heldBack === null ? 0 : 1) > 0)
    return runRetention(world, { ...asked, plan, most, ...stop });
  await noteCheck(world, plan.at, main);
  return undefined;
}

/** Kept versions that are counted or dated are looked at once a day, whatever is scheduled. */
function everyMs({ autoDecay: { schedule }, storage }: Config): number {
  if (schedule !== 'off') return EVERY_MS[schedule];
  return storage.compressionRetention === 'all' ? Number.POSITIVE_INFINITY : EVERY_MS.daily;
}
