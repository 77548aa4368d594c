import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chartBars, cumulated } from './chart-scale.ts';

const day = fc
  .integer({ min: 10_000, max: 25_000 })
  .map((it) => new Date(it * 86_400_000).toISOString().slice(0, 10));
const dated = fc.array(fc.record({ day, value: fc.nat(1000) }), { maxLength: 40 });

test('bars hold every value once, in order, and are never more than asked for', () => {
  fc.assert(
    fc.property(dated, fc.integer({ min: 1, max: 80 }), (days, most) => {
      const { bars } = chartBars(
        days.map((it) => ({ day: it.day, values: { a: it.value } })),
        { most },
      );
      expect(bars.length).toBeLessThanOrEqual(most);
      const sum = (values: readonly number[]) => values.reduce((all, it) => all + it, 0);
      expect(sum(bars.map(({ values }) => values.a ?? 0))).toBe(sum(days.map(({ value }) => value)));
      expect(bars.map(({ title }) => title)).toEqual(bars.map(({ title }) => title).sort());
      if (days.length > 0) expect(cumulated(bars).at(-1)?.values.a).toBe(sum(days.map(({ value }) => value)));
    }),
  );
});

test('a bar is never shorter than a week where weeks are asked for, and series stay apart', () => {
  const days = [
    { day: '2026-01-05', values: { rules: 1 } },
    { day: '2026-01-06', values: { rules: 1, keepits: 2 } },
    { day: '2026-01-12', values: { keepits: 4 } },
  ];
  expect(chartBars(days, { least: 7 })).toEqual({
    step: 7,
    bars: [
      { key: '0', title: '2026-01-05', values: { rules: 2, keepits: 2 } },
      { key: '1', title: '2026-01-12', values: { keepits: 4 } },
    ],
  });
});

test('what is no day is left out', () => {
  expect(chartBars([{ day: 'soon', values: { a: 3 } }]).bars).toEqual([]);
});
