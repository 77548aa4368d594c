import { ifReadable } from '../or-fault.ts';
import type { World } from '../world.ts';
import { openSessions } from './open-sessions.ts';
import type { RunningScope } from './sync-open-sessions.ts';

/**
 * Brings the archive up to date with running sessions: their hooks read them only now and then. Whatever goes wrong,
 * what the archive has can still be read.
 */
export async function syncRunning(world: World, scope: RunningScope = { record: true }): Promise<void> {
  const open = (await ifReadable(openSessions(world), world.log)) ?? [];
  const running = open.filter((session) => session !== scope.except);
  if (running.length === 0) return;
  const { syncOpenSessions } = await import('./sync-open-sessions.ts');
  await syncOpenSessions(world, running, scope);
}
