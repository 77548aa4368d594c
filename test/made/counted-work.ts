import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';

/** How often each stretch of the product's code ran; by file, function and place in it. */
export type CountedWork = Map<string, number>;

/**
 * Counts what the engine itself counts, so nothing has to be built into the code for it. To be called before that code is
 * loaded: what is compiled already is not counted in full.
 */
export async function countWork(): Promise<(work: () => Promise<unknown>) => Promise<CountedWork>> {
  // A function that did not run for a while is compiled again when it is called, and its count begins at 0.
  setFlagsFromString('--no-flush-bytecode');
  // What is inlined into optimized code is counted as never called.
  for (const flag of ['--no-opt', '--no-maglev']) setFlagsFromString(flag);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return async (work) => {
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const counted: CountedWork = new Map();
    for (const { url, functions } of result) {
      const file = /\/(src\/.+)$/.exec(url)?.[1];
      if (!file) continue;
      for (const { functionName, ranges } of functions)
        for (const { startOffset, count } of ranges)
          counted.set(`${file} ${functionName} ${startOffset}`, count);
    }
    return counted;
  };
}

/**
 * What ran more than so many times as often, of all that ran often. The engine leaves out a stretch that ran as often as what
 * is around it: then that counts.
 */
export function outgrown(small: CountedWork, large: CountedWork, factor: number, often: number): string[] {
  const whole = new Map<string, number>();
  for (const [place, count] of small) {
    const within = place.slice(0, place.lastIndexOf(' '));
    whole.set(within, Math.max(count, whole.get(within) ?? 0));
  }
  return [...large].flatMap(([place, count]) => {
    const before = small.get(place) ?? whole.get(place.slice(0, place.lastIndexOf(' '))) ?? 0;
    return count >= often && count > factor * before ? [`${place}: ${before} -> ${count}`] : [];
  });
}
