import { Fault, type FaultCode } from '../../core/model/fault.ts';
import { isOutdated } from '../../core/model/refine-engine.ts';
import { factsAreCurrent } from '../find/rules.ts';
import { updatedExchanges } from '../layers/exchanges.ts';
import { syncLayers } from '../layers/sync.ts';
import { faultText, orFault } from '../or-fault.ts';
import { checkMemory } from '../rolling/check.ts';
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
  if (archive !== undefined) state.memory.notice = `memory.md was archived as ${archive} and begins anew.`;
}

/** Sessions of a project whose facts and concepts are made anew at the end of one; in a larger one the next sync does it. */
const MOST_SESSIONS = 1000;

/** What was said to last, or solved, in a session counts from the next one on. */
export async function learnFromSession(world: World, { place }: HookSession): Promise<void> {
  if (place?.kept !== 'registered') return;
  const { project, session } = place;
  const sessions = (await world.archive.open(project))?.manifest.sessions ?? {};
  const record = sessions[session];
  if (!record || Object.keys(sessions).length > MOST_SESSIONS) return;
  // After an update of Keepsake all layers would be rebuilt: that is for a sync, which somebody waits for.
  const isBehind = Object.values(sessions).some(isOutdated) || !(await factsAreCurrent(world, project));
  if (isBehind) return;
  const worth = await updatedExchanges(
    world,
    project,
    record,
    ({ said, fixed }) => said.length + fixed.length,
  );
  if (!worth.some((sentences) => sentences > 0)) return;
  await syncLayers(world, [project], { report: newReport() });
}
