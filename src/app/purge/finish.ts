import { oneAtATime } from '../one-at-a-time.ts';
import type { World } from '../world.ts';
import { unfinishedPurges } from './open-purge.ts';
import { finishSessions } from './session.ts';
import { finishTextsNow } from './text.ts';

/** Finishes purges that were cut off. False if none was, or where another purge is at work: a later sync finishes them. */
export async function finishPurges(world: World): Promise<boolean> {
  if ((await unfinishedPurges(world)).length === 0) return false;
  return (
    (await world.archive.purging(
      () => finishNow(world),
      () => 'leave',
    )) ?? false
  );
}

/** The same before something is brought back, which one that was cut off would later take away: waits for other purges. */
export async function finishPurgesFirst(world: World, signal: AbortSignal | undefined): Promise<void> {
  if ((await unfinishedPurges(world)).length > 0) await oneAtATime(world, () => finishNow(world), signal);
}

async function finishNow(world: World): Promise<boolean> {
  const sessions = await finishSessions(world);
  return (await finishTextsNow(world)) || sessions;
}
