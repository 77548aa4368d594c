import { finishSessions } from './purge-session.ts';
import { finishTexts } from './purge-text.ts';
import type { World } from './world.ts';

/** Finishes purges that were cut off. False where none was. */
export async function finishPurges(world: World): Promise<boolean> {
  const sessions = await finishSessions(world);
  return (await finishTexts(world)) || sessions;
}
