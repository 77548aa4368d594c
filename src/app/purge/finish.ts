import type { World } from '../world.ts';
import { finishSessions } from './session.ts';
import { finishTexts } from './text.ts';

/** Finishes purges that were cut off. False where none was. */
export async function finishPurges(world: World): Promise<boolean> {
  const sessions = await finishSessions(world);
  return (await finishTexts(world)) || sessions;
}
