import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placedTicks, timeTicks } from './time-ticks.ts';

test('dates below bars are evenly apart and fit the width', () => {
  expect(timeTicks(0, 400)).toEqual([]);
  expect(timeTicks(1, 40)).toEqual([0]);
  expect(timeTicks(46, 414)).toEqual([0, 12, 24, 36]);
  expect(timeTicks(3, 900)).toEqual([0, 1, 2]);
});

const textsOf = (days: readonly string[], wide = 1000) =>
  placedTicks(
    days.map((day, at) => ({ day, x: 56 + at * 100 })),
    wide,
  ).map(({ text }) => text);

test('a date says its year first, and again where the year is another', () => {
  expect(textsOf(['2025-11-01', '2025-12-01', '2026-01-01', '2026-02-01'])).toEqual([
    'Nov 2025',
    'Dec',
    'Jan 2026',
    'Feb',
  ]);
  expect(textsOf(['2025-12-22', '2025-12-29', '2026-01-05'], 2000)).toEqual([
    'Dec 22, 2025',
    'Dec 29',
    'Jan 5, 2026',
  ]);
  expect(textsOf(['2026-03-01'])).toEqual(['Mar 1, 2026']);
});

test('no date is on another or beyond the right end, however narrow the bars are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 200, max: 1200 }), (count, right) => {
      const bars = Array.from({ length: count }, (_, at) => ({
        day: new Date(Date.UTC(2025, 10, 3) + at * 7 * 86_400_000).toISOString().slice(0, 10),
        x: 56 + (at * (right - 56)) / count,
      }));
      const ticks = placedTicks(bars, right).map(({ x, text }) => ({ from: x, to: x + text.length * 7 }));
      expect(ticks.length).toBeGreaterThan(0);
      for (const [at, { from, to }] of ticks.entries()) {
        expect(to).toBeLessThanOrEqual(right + 0.01);
        expect(from).toBeGreaterThan(ticks[at - 1]?.to ?? 0);
      }
    }),
  );
});
