import { openProjects } from '../find/projects.ts';
import type { SessionRef } from '../find/session-ref.ts';
import type { World } from '../world.ts';
import { type SessionState, saveState } from './session-state.ts';

/** Records which compositions a session began from, once for each. */
export async function noteUses(world: World, ref: SessionRef, state: SessionState): Promise<void> {
  const { composed } = state;
  if (!composed || (composed.noted ?? 0) >= composed.uses.length) return;
  const fresh = composed.uses.slice(composed.noted ?? 0);
  for (const manifest of await openProjects(world)) {
    for (const [name, { mark, usedInSessions, lastUsed }] of Object.entries(manifest.compositions)) {
      const use = fresh.find(([id]) => id === mark);
      if (!use) continue;
      const at = ['compositions', name];
      const known = usedInSessions.includes(ref.session);
      const later = use[1] > (lastUsed ?? '');
      if (known && !later) continue;
      await world.archive.change(manifest.projectId, [
        ...(known ? [] : [{ at: [...at, 'usedInSessions'], append: ref.session }]),
        ...(later ? [{ at, merge: { lastUsed: use[1] } }] : []),
      ]);
    }
  }
  composed.noted = composed.uses.length;
  await saveState(world, ref, state);
}
