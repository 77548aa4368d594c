import type { World } from '../world.ts';
import { unfinishedPurges } from './open-purge.ts';
import { finishSessions } from './session.ts';
import { finishTextsNow } from './text.ts';

/** Finishes purges that were cut off. False if none was, or where a purge is at work: it finishes them itself. */
export async function finishPurges(world: World): Promise<boolean> {
  if ((await unfinishedPurges(world)).length === 0) return false;
  const finished = await world.archive.purging(
    async () => {
      const sessions = await finishSessions(world);
      return (await finishTextsNow(world)) || sessions;
    },
    () => 'leave',
  );
  return finished ?? false;
}
