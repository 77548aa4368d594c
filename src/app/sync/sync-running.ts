import type { World } from '../world.ts';
import { openSessions } from './open-sessions.ts';
import type { Followed } from './sync-open-sessions.ts';

/**
 * To be called before sessions are read: their hooks read them only now and then, and what they have more by now is
 * wanted, too. Whatever stands in the way, what the archive has is told.
 */
export async function syncRunning(world: World, followed: Followed = { record: true }): Promise<void> {
  const running = await openSessions(world).catch(() => []);
  if (!running.some((session) => session !== followed.except)) return;
  const { syncOpenSessions } = await import('./sync-open-sessions.ts');
  await syncOpenSessions(world, running, followed);
}
