import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FitPiece, fillBudget, type StretchChoice } from './fill-budget.ts';

type Made = { need: number; least: number; distance: number; waste: number; fixed: boolean };
const made = fc.record({
  need: fc.integer({ min: 1, max: 3000 }),
  least: fc.integer({ min: 0, max: 60 }),
  distance: fc.integer({ min: 1, max: 9 }),
  /** Tokens that are lost of a target. */
  waste: fc.integer({ min: 0, max: 40 }),
  fixed: fc.boolean(),
});
const HEADING = 9;

/** Pieces that waste some of what they get; the whole takes a little more than its pieces. */
function run(all: Made[], budget: number, guess: number) {
  const pieces: FitPiece[] = all.map(({ need, least, distance, fixed }) => ({
    fixed,
    least: fixed ? Math.max(need, least) : least,
    distance,
    target: guess,
  }));
  const choose = async (index: number, target: number): Promise<StretchChoice> => {
    const { need, least, waste, fixed } = all[index]!;
    if (fixed) return { tokens: Math.max(need, least), more: false };
    const tokens = Math.max(least, Math.min(need, target - waste));
    return { tokens: Math.max(0, tokens), more: tokens < need };
  };
  const measure = (choices: readonly StretchChoice[]) =>
    choices.reduce((sum, { tokens }) => sum + (tokens > 0 ? Math.ceil(tokens * 1.01) + HEADING : 0), 5);
  return { pieces, measure, result: fillBudget(pieces, budget, { choose, measure }) };
}

describe('filling a budget', () => {
  it('never exceeds it, and gives up only where what must be said does not fit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(made, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 5, max: 20_000 }),
        fc.integer({ min: 0, max: 5000 }),
        async (all, budget, guess) => {
          const { measure, result, pieces } = run(all, budget, guess);
          const choices = await result;
          const least = measure(pieces.map((piece) => ({ tokens: piece.least, more: false })));
          if (choices) expect(measure(choices)).toBeLessThanOrEqual(budget);
          else expect(least).toBeGreaterThan(budget);
        },
      ),
    );
  });

  it('uses what there is to use', async () => {
    const all = [
      { need: 5000, least: 0, distance: 2, waste: 10, fixed: false },
      { need: 300, least: 0, distance: 1, waste: 0, fixed: false },
    ];
    const { measure, result } = run(all, 4000, 200);
    expect(measure((await result)!)).toBeGreaterThan(0.95 * 4000);
  });
});
