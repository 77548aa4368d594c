import { isGone } from '../find/is-gone.ts';
import { loadState } from '../intake/session-state.ts';
import { removeSessionFiles } from '../purge/sweep.ts';
import type { World } from '../world.ts';
import { type HookPlace, stampOf } from './running-session.ts';

/** If the user took a session out while it was read, what was just written of it goes as well. */
export async function dropIfGone(world: World, place: HookPlace): Promise<void> {
  const { project, session } = place;
  // Before the record is read: what changes after that is looked up again by the next hook.
  const stamp = await stampOf(world, project);
  const manifest = (await world.archive.open(project))?.manifest;
  if (!manifest || !isGone(manifest, session)) return;
  place.kept = 'gone';
  place.stamp = stamp;
  await world.index.remove(project, 'session', session);
  // Only unregistered, it keeps its files.
  if (Object.hasOwn(manifest.sessions, session)) return;
  const remove = async () => {
    // Read again: someone may have brought it back.
    const now = (await world.archive.open(project))?.manifest;
    if (!now || Object.hasOwn(now.sessions, session)) return;
    const refined = (await loadState(world, place))?.l1.file ?? '';
    await removeSessionFiles(world, project, session, refined === '' ? [] : [refined]);
  };
  // A hook does not wait. Who brings it back just now has its copy before its record; what is left goes with a later sync.
  await world.archive.purging(remove, () => 'leave');
}
