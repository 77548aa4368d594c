import { autoSync } from '../../app/remote/sync-remote.ts';
import type { World } from '../../app/world.ts';

/** Less than the process has left when it begins its last piece. */
const REMOTE_MS = 25_000;

/** After a session or a sync: what is new is on its way to the user's other machines. What goes wrong is in `remote status`. */
export async function syncRemotes(world: World): Promise<void> {
  await autoSync(world, { signal: AbortSignal.timeout(REMOTE_MS) });
}
