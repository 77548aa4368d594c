import { autoSync } from '../../app/remote/auto-sync.ts';
import type { Hook } from './hook.ts';

/** Less than the process has left when it begins its last piece. */
const REMOTE_MS = 25_000;

/** After a session: what it said is on its way to the user's other machines. What goes wrong is in `remote status`. */
export async function syncRemotes({ world }: Hook): Promise<void> {
  await autoSync(world, { signal: AbortSignal.timeout(REMOTE_MS) });
}
