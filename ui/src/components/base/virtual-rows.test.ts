import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moveStarts, rowsIn, startsOf } from './virtual-rows.ts';

const heights = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 400 });

test('all rows that touch the screen are in the page, unless they are too many, and none that is far off', () => {
  fc.assert(
    fc.property(
      heights,
      fc.integer({ min: -500, max: 40_000 }),
      fc.integer({ min: 1, max: 3000 }),
      (rows, from, size) => {
        const starts = startsOf(Float64Array.from(rows));
        const [first, last] = rowsIn(starts, from, from + size, 200);
        expect(last - first).toBeLessThanOrEqual(200);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(last).toBeLessThanOrEqual(rows.length);
        for (let row = 0; row < rows.length; row++) {
          const touches = starts[row]! < from + size && starts[row + 1]! > Math.max(0, from);
          if (touches && row < first + 200)
            expect(row >= first && row < last, `row ${row} of ${first}..${last}`).toBe(true);
          if (row >= first && row < last && rows.length > 1 && from >= 0 && from < starts[rows.length]!)
            expect(starts[row]! <= from + size && starts[row + 1]! >= from).toBe(true);
        }
      },
    ),
  );
});

test('a row that changed moves what comes after it, as if all were placed again', () => {
  fc.assert(
    fc.property(heights, fc.nat(), fc.integer({ min: 1, max: 900 }), (rows, seed, height) => {
      fc.pre(rows.length > 0);
      const at = seed % rows.length;
      const now = Float64Array.from(rows);
      const starts = startsOf(now);
      now[at] = height;
      moveStarts(starts, now, at);
      expect(starts).toEqual(startsOf(now));
    }),
  );
});
