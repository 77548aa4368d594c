import { Fault } from '../core/model/fault.ts';
import type { World } from './world.ts';

/**
 * Two purges at once would take each other's notes of what is left to do, and a purge would take a session that is brought
 * back for what is left of it: the second waits for the end of the first. A stop ends the wait, not the work.
 */
export async function oneAtATime<T>(
  world: World,
  work: () => Promise<T>,
  signal = world.stopped?.(),
): Promise<T> {
  let done: { value: T } | undefined;
  let [isWaiting, stop] = [false, () => {}];
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const turn = world.archive.purging(
    async () => {
      signal?.removeEventListener('abort', stop);
      // Stopped while it waited: nobody wants it any more.
      if (!isWaiting || !signal?.aborted) done = { value: await work() };
    },
    () => {
      world.report?.('Another purge or register is running. Waiting for it to finish.');
      isWaiting = true;
      signal?.addEventListener('abort', stop);
      if (signal?.aborted) stop();
      return 'wait';
    },
    signal,
  );
  await Promise.race([turn, stopped]);
  if (!done) throw new Fault('cancelled', 'Stopped while waiting for another purge or register.');
  return done.value;
}
