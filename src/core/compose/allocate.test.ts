import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocate, type Claim, preferredRatio, weightOf } from './allocate.ts';

const claim = fc
  .record({
    need: fc.integer({ min: 0, max: 50_000 }),
    pinned: fc.integer({ min: 0, max: 300 }),
    distance: fc.integer({ min: 1, max: 30 }),
    weight: fc.double({ min: 0.01, max: 1000, noNaN: true }),
  })
  .map(
    ({ need, pinned, distance, weight }): Claim => ({
      need,
      least: Math.min(need, pinned),
      distance,
      weight,
    }),
  );
const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);

describe('an allocation', () => {
  it('keeps to the budget and to what each needs and must have', () => {
    fc.assert(
      fc.property(
        fc.array(claim, { maxLength: 40 }),
        fc.integer({ min: 1, max: 100_000 }),
        (claims, budget) => {
          const shares = allocate(claims, budget);
          const must = sum(claims.map(({ least }) => least));
          expect(sum(shares)).toBeLessThanOrEqual(Math.max(budget, must));
          shares.forEach((share, index) => {
            expect(Number.isInteger(share)).toBe(true);
            expect(share).toBeGreaterThanOrEqual(claims[index]!.least);
            expect(share).toBeLessThanOrEqual(Math.max(claims[index]!.need, claims[index]!.least));
          });
        },
      ),
    );
  });

  it('leaves nothing unused that a user who knows of it could use', () => {
    fc.assert(
      fc.property(
        fc.array(claim, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 500, max: 50_000 }),
        (claims, budget) => {
          const shares = allocate(claims, budget);
          const wants = claims.some(({ need }, index) => shares[index]! > 0 && shares[index]! < need);
          if (wants && sum(claims.map(({ least }) => least)) <= budget) expect(sum(shares)).toBe(budget);
        },
      ),
    );
  });

  it('uses the budget up where there is that much to say, however short each session is', () => {
    const short = fc.record({
      need: fc.integer({ min: 1, max: 400 }),
      least: fc.constant(0),
      distance: fc.integer({ min: 1, max: 30 }),
      weight: fc.double({ min: 0.01, max: 1000, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(short, { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 500, max: 20_000 }),
        (claims, budget) => {
          const most = Math.min(budget, sum(claims.map(({ need }) => need)));
          expect(sum(allocate(claims, budget))).toBeGreaterThan(most - 100);
        },
      ),
    );
  });

  it('gives what one does not use to the most recent of the others', () => {
    const claims = [
      { need: 9000, least: 0, distance: 3, weight: 1 },
      { need: 100, least: 0, distance: 2, weight: 1 },
      { need: 9000, least: 0, distance: 1, weight: 1 },
    ];
    expect(allocate(claims, 3000)).toEqual([1000, 100, 1900]);
  });

  it('lets the oldest out where there is too little for all', () => {
    const claims = Array.from({ length: 100 }, (_, index) => ({
      need: 5000,
      least: 0,
      distance: 100 - index,
      weight: 1,
    }));
    const shares = allocate(claims, 2000);
    const included = shares.filter((share) => share > 0);
    expect(Math.min(...included)).toBeGreaterThanOrEqual(300);
    expect(shares.slice(0, shares.indexOf(included[0]!))).not.toContainEqual(
      expect.toSatisfy((it: number) => it > 0),
    );
    expect(sum(shares)).toBe(2000);
  });

  it('weighs by age as the table says', () => {
    const levels = { light: 4, moderate: 10, aggressive: 30 };
    expect([1, 2, 3, 5, 6, 40].map((distance) => preferredRatio(distance, levels))).toEqual([
      4, 4, 10, 10, 30, 30,
    ]);
    expect(weightOf('recency', 1000, 4, 0)).toBe(250);
    expect([weightOf('equal', 9, 4, 0), weightOf('proportional', 9, 4, 0)]).toEqual([1, 9]);
  });
});
