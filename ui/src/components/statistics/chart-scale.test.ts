import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chartBars, niceTop } from './chart-scale.ts';

test('the axis ends at a round number that no bar passes', () => {
  expect([0, 1, 3, 26, 999, 1001].map(niceTop)).toEqual([1, 1, 5, 50, 1000, 2000]);
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (value) => {
      const top = niceTop(value);
      expect(top).toBeGreaterThanOrEqual(value * (1 - 1e-9));
      expect(top).toBeLessThanOrEqual(value * 2.5 + 1e-9);
    }),
  );
});

test('bars hold every value once, in order, and are never more than asked for', () => {
  const day = fc
    .integer({ min: 10_000, max: 25_000 })
    .map((it) => new Date(it * 86_400_000).toISOString().slice(0, 10));
  fc.assert(
    fc.property(
      fc.array(fc.record({ day, value: fc.nat(1000) }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 80 }),
      (days, most) => {
        const { bars } = chartBars(days, most);
        expect(bars.length).toBeLessThanOrEqual(most);
        const sum = (list: readonly { value: number }[]) => list.reduce((all, it) => all + it.value, 0);
        expect(sum(bars)).toBe(sum(days));
        expect(bars.map(({ title }) => title)).toEqual(bars.map(({ title }) => title).sort());
      },
    ),
  );
});

test('what is no day is left out', () => {
  expect(chartBars([{ day: 'soon', value: 3 }]).bars).toEqual([]);
});
