import type { Config } from '../../core/model/config-defaults.ts';
import type { FaultCode } from '../../core/model/fault.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { ifReadable, unlessFault } from '../or-fault.ts';
import { orProblem } from '../or-problem.ts';
import type { SyncReport } from '../sync-report.ts';
import type { World } from '../world.ts';
import { trimCache } from './cache.ts';
import { runRetentionWhenDue } from './schedule.ts';
import { createVersions } from './versions.ts';

/** The next sync makes up for it; it is reported elsewhere. */
const LATER: readonly FaultCode[] = ['busy', 'read-only', 'disk-full'];

type Run = { report: SyncReport; signal?: AbortSignal | undefined };

/** What a sync does besides ingesting: versions of new sessions, retention when it is due, a cache of its size. */
export async function maintain(
  world: World,
  synced: Iterable<SessionRef>,
  since: string,
  { report, signal }: Run,
): Promise<void> {
  if (signal?.aborted) return;
  const work = maintainNow(world, synced, since, { report, signal });
  await unlessFault(orProblem(report, world.archive.root, work), LATER);
}

async function maintainNow(
  world: World,
  synced: Iterable<SessionRef>,
  since: string,
  { report, signal }: Run,
): Promise<void> {
  const made = await createVersions(world, synced, since, { report, signal });
  if (made > 0) report.notes.push(`${made} versions of new sessions made.`);
  const configs = await configsOf(world);
  const done = await runRetentionWhenDue(world, configs, signal ? { signal } : {});
  if (done?.heldBack) report.notes.push(done.heldBack);
  if (done && done.made.length + done.pruned.length > 0)
    report.notes.push(
      `Retention: ${done.made.length} versions made, ${done.pruned.length} deleted. \`keepsake decay undo\` restores them.`,
    );
  const [{ storage }] = configs as [Config];
  await trimCache(world, storage.maxCacheSize);
}

/** The common settings first, then those of each project. */
async function configsOf(world: World): Promise<Config[]> {
  const configs = [(await world.settings.resolve()).config];
  for (const project of await world.archive.projects()) {
    // One that can't be read is reported elsewhere.
    const own = (await ifReadable(world.archive.head(project)))?.settings;
    if (own && Object.keys(own).length > 0) configs.push((await world.settings.resolve(own)).config);
  }
  return configs;
}
