import { expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

test('never two at once, and what was given up meanwhile is not asked', async () => {
  const asked: number[] = [];
  const ends: (() => void)[] = [];
  let atOnce = 0;
  const ask = oneAtATime(async (n: number) => {
    asked.push(n);
    expect(++atOnce).toBe(1);
    await new Promise<void>((resolve) => ends.push(resolve));
    atOnce--;
    if (n === 1) throw new Error('refused');
    return n;
  });
  const given = [1, 2, 3, 4].map((n) => ({ n, stop: new AbortController() }));
  const answers = given.map(({ n, stop }) => ask(n, stop.signal).catch((error: unknown) => String(error)));
  await expect.poll(() => ends.length).toBe(1);
  given[1]?.stop.abort();
  given[2]?.stop.abort();
  ends[0]?.();
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  expect((await Promise.all(answers)).map((it) => String(it).slice(0, 10))).toEqual([
    'Error: ref',
    'AbortError',
    'AbortError',
    '4',
  ]);
  expect(asked).toEqual([1, 4]);
});
