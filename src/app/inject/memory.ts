import { Fault, type FaultCode } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { isOutdated } from '../../core/model/refine-engine.ts';
import { factsAreCurrent } from '../find/rules.ts';
import { updatedExchanges } from '../layers/exchanges.ts';
import { syncLayers } from '../layers/sync.ts';
import { faultText, orFault } from '../or-fault.ts';
import { checkMemory } from '../rolling/check.ts';
import { syncMemory } from '../rolling/sync.ts';
import type { HookSession } from '../sync/running-session.ts';
import { newReport } from '../sync-report.ts';
import type { World } from '../world.ts';

/** Others are at work: no reason for a line in the log. */
const LATER = new Set<FaultCode>(['busy', 'conflict']);

/** The project's memory.md has all of this session by then. Whoever holds the lock just now leaves it to the next time. */
export async function updateRollingMemory(world: World, state: HookSession): Promise<void> {
  const { place } = state;
  if (place?.kept !== 'registered') return;
  const checked = await orFault(checkMemory(world, place.project, { session: place.session, now: true }));
  if (checked instanceof Fault) {
    if (!LATER.has(checked.code)) world.log?.(faultText(checked));
    return;
  }
  const { steps = 0 } = state.memory ?? {};
  state.memory = { steps, seen: steps };
  const archive = checked.rotated?.at(-1);
  if (archive !== undefined)
    state.memory.notice = `memory.md was archived as ${archive}; a new one was started.`;
}

/** Sessions of a project whose facts and concepts are rebuilt at the end of one; in a larger one the next sync does it. */
const MOST_SESSIONS = 1000;

/** What was said to last, or solved, in a session counts from the next one on. */
export async function learnFromSession(world: World, { place }: HookSession): Promise<void> {
  if (place?.kept !== 'registered') return;
  const { project, session } = place;
  const record = (await learnable(world, project))?.[session];
  if (!record) return;
  const worth = await updatedExchanges(
    world,
    project,
    record,
    ({ said, fixed }) => said.length + fixed.length,
  );
  if (!worth.some((sentences) => sentences > 0)) return;
  await syncLayers(world, [project], { report: newReport() });
}

/** The same of what several sessions of a project have more now. */
export async function learnFromProject(
  world: World,
  project: ProjectId,
  signal?: AbortSignal,
): Promise<void> {
  if (!(await learnable(world, project))) return;
  await syncLayers(world, [project], { report: newReport(), signal });
  await syncMemory(world, [project], { report: newReport(), signal });
}

/** The sessions of a project that a hook may learn from. After an update of Keepsake all layers would be rebuilt: that is for a sync, which someone waits for. */
async function learnable(world: World, project: ProjectId): Promise<Manifest['sessions'] | undefined> {
  const sessions = (await world.archive.open(project))?.manifest.sessions ?? {};
  if (Object.keys(sessions).length > MOST_SESSIONS) return undefined;
  const isBehind = Object.values(sessions).some(isOutdated) || !(await factsAreCurrent(world, project));
  return isBehind ? undefined : sessions;
}
