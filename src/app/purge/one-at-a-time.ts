import type { World } from '../world.ts';

/** Two purges at once would take each other's notes of what is left to do: the second waits for the end of the first. */
export async function oneAtATime<T>(world: World, purge: () => Promise<T>): Promise<T> {
  let done: { value: T } | undefined;
  await world.archive.purging(
    async () => {
      done = { value: await purge() };
    },
    () => {
      world.report?.('Another purge is running. Waiting for it to finish.');
      return 'wait';
    },
  );
  return done!.value;
}
