import { learnUnread } from '../../app/inject/learn-unread.ts';
import type { World } from '../../app/world.ts';

/** Work that takes longer continues at the next start. */
const UNREAD_MS = 20_000;

/** Before a session starts: what agents wrote since the last look. `claude`: Claude Code, too. */
export async function readUnread(world: World, claude: boolean): Promise<void> {
  const { config } = await world.settings.resolve();
  if (config.hooks.enabled) await learnUnread(world, { claude, signal: AbortSignal.timeout(UNREAD_MS) });
}
