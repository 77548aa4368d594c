import { Session } from 'node:inspector/promises';

/** How often each stretch of the product's code ran; by file, function and place in it. */
export type CountedWork = Map<string, number>;

/**
 * Counts what the engine itself counts, so nothing has to be built into the code for it. To be called before that code is
 * loaded: what is compiled already is not counted in full.
 */
export async function countWork(): Promise<(work: () => Promise<unknown>) => Promise<CountedWork>> {
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

/** What ran more than so many times as often, of all that ran often. */
export function outgrown(small: CountedWork, large: CountedWork, factor: number, often: number): string[] {
  return [...large].flatMap(([place, count]) => {
    const before = small.get(place) ?? 0;
    return count >= often && count > factor * before ? [`${place}: ${before} -> ${count}`] : [];
  });
}
