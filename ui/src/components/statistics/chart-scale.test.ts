import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chartBars, cumulated, stepText } from './chart-scale.ts';

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
  expect(chartBars(days, { least: 'week' })).toEqual({
    step: { days: 7 },
    bars: [
      { key: '0', title: '2026-01-05', values: { rules: 2, keepits: 2 } },
      { key: '1', title: '2026-01-12', values: { keepits: 4 } },
    ],
  });
});

test('months are those of the calendar, and many of them are quarters or years', () => {
  const days = [
    { day: '2025-02-09', values: { a: 1 } },
    { day: '2025-03-01', values: { a: 2 } },
    { day: '2026-04-30', values: { a: 4 } },
  ];
  const { step, bars } = chartBars(days, { most: 20 });
  expect(stepText(step)).toBe('month');
  expect(bars.length).toBe(15);
  expect(bars.slice(0, 3).map(({ title }) => title)).toEqual(['2025-02-01', '2025-03-01', '2025-04-01']);
  expect(bars.at(-1)).toEqual({ key: '14', title: '2026-04-01', values: { a: 4 } });
  const fewer = chartBars(days, { most: 6 });
  expect(stepText(fewer.step)).toBe('3 months');
  expect(fewer.bars.map(({ title }) => title)).toEqual([
    '2025-02-01',
    '2025-05-01',
    '2025-08-01',
    '2025-11-01',
    '2026-02-01',
  ]);
});

test('charts of one span begin and end together', () => {
  const a = [{ day: '2026-01-07', values: { a: 1 } }];
  const b = [{ day: '2026-01-09', values: { b: 1 } }];
  const span = ['2026-01-07', '2026-01-09'];
  const titles = (days: typeof a | typeof b) => chartBars(days, { span }).bars.map(({ title }) => title);
  expect(titles(a)).toEqual(['2026-01-07', '2026-01-08', '2026-01-09']);
  expect(titles(b)).toEqual(titles(a));
  expect(chartBars([], { span }).bars).toEqual([]);
});

test('a week begins on Monday', () => {
  const days = ['2026-01-07', '2026-01-12'].map((day) => ({ day, values: { a: 1 } }));
  expect(chartBars(days, { least: 'week' }).bars.map(({ title }) => title)).toEqual([
    '2026-01-05',
    '2026-01-12',
  ]);
});

test('what is no day is left out', () => {
  expect(chartBars([{ day: 'soon', values: { a: 3 } }]).bars).toEqual([]);
});
