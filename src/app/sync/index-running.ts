import { Fault } from '../../core/model/fault.ts';
import { recordOf } from '../intake/refine-original.ts';
import type { SessionState } from '../intake/session-state.ts';
import { orFault } from '../or-fault.ts';
import { sessionUpdates } from '../search/index-sessions.ts';
import type { World } from '../world.ts';
import type { HookPlace } from './running-session.ts';

/** What the index lacks of a running session. Who indexes it at the same time makes it ask once more. */
export async function indexRunning(world: World, place: HookPlace, state: SessionState): Promise<void> {
  if (state.l1.file === '') return;
  const record = recordOf(place, state, { originalFile: place.path, hash: '', size: 0 });
  const bringUp = async () => {
    const cursor = await world.index.cursor(place.project, 'session', place.session);
    const named = { ...record, name: place.name };
    for await (const update of sessionUpdates(world, place.project, named, cursor))
      await world.index.update([update]);
  };
  const outcome = await orFault(bringUp());
  if (!(outcome instanceof Fault)) return;
  if (outcome.code !== 'conflict') throw outcome;
  await bringUp();
}
