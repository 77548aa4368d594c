import type { TokenCounter } from '../text/tokens.ts';
import type { Coverage } from './coverage.ts';
import type { Heap } from './heap.ts';
import { layout } from './layout.ts';
import { FRAMES, type Frame, type Telling, tell } from './tell.ts';

/** A zone as it was filled: the units in the order they were taken, and the frame they stand in. */
export type Fitted = { frame: Frame; taken: number[]; tokens: number };

/** Budgets below these are too small for more than times, or for any heading. */
const TIMES_BELOW = 150;
const NO_HEADINGS_BELOW = 60;
const ROUNDS = 14;
/** So much of a budget may stay unused: what is left fits nothing of worth. */
const SPARE = 0.01;

/** The frame that leaves most of a small budget to the content. */
export function frameFor(budget: number): number {
  if (budget < NO_HEADINGS_BELOW) return 3;
  return budget < TIMES_BELOW ? 2 : 0;
}

export function tokensOf(
  telling: Telling,
  frame: Frame,
  from: number,
  to: number,
  count: TokenCounter,
): number {
  return count(layout(tell(telling, () => frame, from, to)).markdown);
}

/**
 * Fills the turns `from` to `to` up to `budget`, counted on the Markdown itself. Counts do not add up exactly, so it
 * takes, counts, gives back what was too much, and takes again.
 */
export function fillUp(
  telling: Telling,
  coverage: Coverage,
  range: { from: number; to: number; budget: number },
  count: TokenCounter,
): Fitted {
  const { from, to, budget } = range;
  const measure = (frame: Frame) => tokensOf(telling, frame, from, to, count);
  let place = frameFor(budget);
  while (place < FRAMES.length - 1 && measure(FRAMES[place]!) > budget) place++;
  const frame = FRAMES[place]!;
  const fitted: Fitted = { frame, taken: [], tokens: measure(frame) };
  if (fitted.tokens >= budget) return fitted;
  const pool = coverage.pool(unitsBetween(telling, from, to));
  let stretch = 1;
  for (let round = 0; round < ROUNDS; round++) {
    const room = budget - fitted.tokens;
    if (room < 1 || room < SPARE * budget) break;
    const taken = coverage.take(pool, room * stretch);
    if (taken.length === 0) {
      // What is left may still fit: the estimate holds room for a heading that stands already.
      if (stretch >= 2) break;
      stretch *= 1.5;
      continue;
    }
    const tokens = measure(frame);
    if (tokens <= budget) {
      stretch =
        tokens > fitted.tokens
          ? Math.min(2, Math.max(stretch, ((room * stretch) / (tokens - fitted.tokens)) * 0.9))
          : 2;
      fitted.taken.push(...taken);
      fitted.tokens = tokens;
    } else {
      const before = fitted.tokens;
      giveBack(telling, coverage, pool, fitted, taken, tokens, budget, () => measure(frame));
      if (fitted.tokens === before) stretch /= 2;
      else stretch = 1;
      if (stretch < 0.1) break;
    }
  }
  return fitted;
}

/** Keeps as many of the last taken, from the first on, as the budget allows. */
function giveBack(
  telling: Telling,
  coverage: Coverage,
  pool: Heap,
  fitted: Fitted,
  taken: number[],
  tooMany: number,
  budget: number,
  measure: () => number,
): void {
  let [low, lowTokens] = [0, fitted.tokens];
  let [high, highTokens] = [taken.length, tooMany];
  const show = (length: number) => {
    taken.forEach((unit, index) => {
      telling.chosen[unit] = index < length ? 1 : 0;
    });
  };
  while (high - low > 1 && budget - lowTokens > SPARE * budget) {
    const share = (budget - lowTokens) / (highTokens - lowTokens);
    const guess = Math.min(high - 1, Math.max(low + 1, low + Math.floor(share * (high - low))));
    show(guess);
    const tokens = measure();
    if (tokens <= budget) [low, lowTokens] = [guess, tokens];
    else [high, highTokens] = [guess, tokens];
  }
  show(taken.length);
  coverage.release(pool, taken.slice(low));
  fitted.taken.push(...taken.slice(0, low));
  fitted.tokens = lowTokens;
}

export function* unitsBetween({ firstUnit }: Telling, from: number, to: number): Generator<number> {
  for (let unit = firstUnit[from]!; unit < firstUnit[to]!; unit++) yield unit;
}
