import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runSteps, type Steps } from '../core/model/steps.ts';
import { inSteps } from './in-steps.ts';

/** Adds up, with a rest after each; says how far it came. */
function* sum(numbers: number[], at: { reached: number }): Steps<number> {
  let all = 0;
  for (const number of numbers) {
    all += number;
    at.reached++;
    yield;
  }
  return all;
}

test('step by step gives what it gives at once, and an abort ends it at the next rest', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer(), { maxLength: 20 }), fc.nat(25), async (numbers, stopAt) => {
      const stop = new AbortController();
      const at = { reached: 0 };
      const watched = function* (): Steps<number> {
        const steps = sum(numbers, at);
        for (let step = steps.next(); ; step = steps.next()) {
          if (step.done) return step.value;
          if (at.reached === stopAt) stop.abort();
          yield;
        }
      };
      const run = inSteps(watched(), stop.signal);
      if (stopAt >= 1 && stopAt <= numbers.length) {
        await expect(run).rejects.toMatchObject({ name: 'AbortError' });
        expect(at.reached).toBe(stopAt);
      } else expect(await run).toBe(runSteps(sum(numbers, { reached: 0 })));
    }),
  );
});

test('others get their turn at every rest', async () => {
  const at = { reached: 0 };
  const run = inSteps(sum([1, 2, 3, 4], at));
  const seen: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    seen.push(at.reached);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(new Set(seen).size).toBe(3);
  expect(await run).toBe(10);
});
