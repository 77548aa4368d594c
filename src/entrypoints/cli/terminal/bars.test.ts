import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bars, sparkline } from './bars.ts';
import { textWidth } from './text-width.ts';

test('bars are as long as their shares, and what is small is still seen', () => {
  const lines = bars(
    [
      { name: 'originals', value: 100, shown: '100 B' },
      { name: 'logs', value: 50, shown: '50 B' },
      { name: 'cache', value: 0.01, shown: '0 B' },
      { name: 'none', value: 0, shown: '0 B' },
    ],
    30,
  );
  expect(lines).toEqual([
    'originals  ████████████  100 B',
    'logs       ██████         50 B',
    'cache      ▏               0 B',
    'none                       0 B',
  ]);
});

test('no line is wider than there is room, whatever the values', () => {
  const value = fc.double({ min: 0, max: 1e15, noNaN: true });
  fc.assert(
    fc.property(fc.array(value, { maxLength: 9 }), fc.integer({ min: 24, max: 200 }), (values, width) => {
      const lines = bars(
        values.map((it, index) => ({ name: `n${index}`, value: it, shown: 'figure' })),
        width,
      );
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
      expect([...sparkline(values)]).toHaveLength(values.length);
    }),
  );
  expect(sparkline([0, 1, 4, 8])).toBe(' ▁▄█');
});
