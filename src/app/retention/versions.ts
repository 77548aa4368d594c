import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { compressSession } from '../compress/compress.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { orFault } from '../or-fault.ts';
import { syncProblem } from '../or-problem.ts';
import type { SyncReport } from '../sync-report.ts';
import type { World } from '../world.ts';

const LEVELS = ['light', 'moderate', 'aggressive'] as const;
/** Still going on, empty, purged meanwhile: no version, and nothing to report. */
const EXPECTED = new Set(['conflict', 'bad-input', 'not-found']);

type Run = { report: SyncReport; signal?: AbortSignal | undefined };

/** Where `defaults.autoCreateVersions` is on, a session registered from `since` on gets a version of each level. */
export async function createVersions(
  world: World,
  sessions: Iterable<SessionRef>,
  since: string,
  { report, signal }: Run,
): Promise<number> {
  const byProject = new Map<ProjectId, SessionRef[]>();
  for (const ref of sessions) byProject.set(ref.project, [...(byProject.get(ref.project) ?? []), ref]);
  let made = 0;
  for (const [project, refs] of byProject) {
    const head = await world.archive.head(project);
    const { config } = await world.settings.resolve(head?.settings);
    if (!config.defaults.autoCreateVersions) continue;
    const records = (await world.archive.open(project))?.manifest.sessions ?? {};
    for (const ref of refs) {
      const record = records[ref.session];
      if (!record || record.registeredAt < since || record.compressions.length > 0 || record.pruned) continue;
      if (signal?.aborted) return made;
      made += await levelsOf(world, ref, { report, signal });
    }
  }
  return made;
}

async function levelsOf(world: World, ref: SessionRef, { report, signal }: Run): Promise<number> {
  let made = 0;
  for (const level of LEVELS) {
    const compressed = await orFault(compressSession(world, ref, { level }, { signal }), signal);
    if (compressed instanceof Fault) {
      if (!signal?.aborted && !EXPECTED.has(compressed.code))
        report.problems.push(syncProblem(`versions of ${ref.session}`, compressed));
      return made;
    }
    made += compressed.filter(({ existed }) => !existed).length;
  }
  return made;
}
