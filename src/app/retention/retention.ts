import type { Config } from '../../core/model/config-defaults.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { syncProblem } from '../or-problem.ts';
import type { SyncReport } from '../sync-report.ts';
import type { World } from '../world.ts';
import { trimCache } from './cache.ts';
import { runRetentionWhenDue } from './schedule.ts';
import { createVersions } from './versions.ts';

/** The next sync makes up for it; who must know is told of it elsewhere. */
const LATER = new Set(['busy', 'read-only', 'disk-full']);

type Run = { report: SyncReport; signal?: AbortSignal | undefined };

/** What a sync does besides taking in: versions of new sessions, ageing when it is due, a cache of its size. */
export async function maintain(
  world: World,
  synced: Iterable<SessionRef>,
  since: string,
  { report, signal }: Run,
): Promise<void> {
  if (signal?.aborted) return;
  try {
    const made = await createVersions(world, synced, since, { report, signal });
    if (made > 0) report.notes.push(`${made} versions of new sessions were made.`);
    const configs = await configsOf(world);
    const done = await runRetentionWhenDue(world, configs, signal ? { signal } : {});
    if (done?.heldBack) report.notes.push(done.heldBack);
    if (done && done.made.length + done.pruned.length > 0)
      report.notes.push(
        `Ageing: ${done.made.length} versions made, ${done.pruned.length} taken away; \`keepsake decay undo\` brings them back.`,
      );
    const [{ storage }] = configs as [Config];
    await trimCache(world, storage.maxCacheSize);
  } catch (error) {
    if (error instanceof Fault && LATER.has(error.code)) return;
    report.problems.push(syncProblem(world.archive.root, error));
  }
}

/** The common settings first, then those of each project. */
async function configsOf(world: World): Promise<Config[]> {
  const configs = [(await world.settings.resolve()).config];
  for (const project of await world.archive.projects()) {
    const own = await settingsOf(world, project);
    if (own && Object.keys(own).length > 0) configs.push((await world.settings.resolve(own)).config);
  }
  return configs;
}

async function settingsOf(world: World, project: ProjectId): Promise<Record<string, unknown> | undefined> {
  try {
    return (await world.archive.head(project))?.settings;
  } catch {
    // One that can't be read is told elsewhere.
    return undefined;
  }
}
