import type { Steps } from '../../model/steps.ts';
import type { Heap } from '../../text/heap.ts';
import type { TokenCounter } from '../../text/tokens.ts';
import { layout } from '../write/layout.ts';
import { BARE, FRAMES, type Frame, renderLines, type Selection } from '../write/render-lines.ts';
import type { Coverage } from './coverage.ts';
import { isOfL1 } from './measure-units.ts';

/** The turns `from` to `to` (exclusive). */
type TurnRange = { from: number; to: number };

/** A zone as it was filled: the units in the order they were taken, and the frame they are in. */
export type Fitted = { frame: Frame; taken: number[]; tokens: number };

/** Budgets below this are too small for times. */
const PLAIN_BELOW = 150;
/** Up to this ratio all that was said comes before what tools printed; beyond it the best of both does better. */
const WHOLE_UP_TO = 2;
/** A whole text has at least this share of the summed tokens of its pieces. */
const LEAST_SHARE = 0.7;
const ROUNDS = 14;
/** The share of a budget that may stay unused: the rest fits nothing useful. */
const SPARE = 0.01;

/** The frame that leaves most of a small budget to the content. */
export function frameFor(budget: number): number {
  return budget < PLAIN_BELOW ? 2 : 0;
}

export function tokensOf(
  selection: Selection,
  frame: Frame,
  { from, to }: TurnRange,
  count: TokenCounter,
): number {
  return count(layout(renderLines(selection, () => frame, from, to)).markdown);
}

/**
 * Fills the turns `from` to `to` up to `budget`, counted on the Markdown itself. Counts do not add up exactly, so it adds,
 * counts, removes what was too much, and adds again.
 */
export function* fillUp(
  selection: Selection,
  coverage: Coverage,
  range: TurnRange & { budget: number; ratio: number },
  count: TokenCounter,
): Steps<Fitted> {
  const { from, to, budget } = range;
  const measure = (frame: Frame) => tokensOf(selection, frame, range, count);
  const whole = range.ratio <= WHOLE_UP_TO ? yield* takeL1(selection, coverage, range, measure) : undefined;
  const fitted = whole ?? empty(budget, measure);
  const { frame } = fitted;
  if (fitted.tokens >= budget) return fitted;
  const pool = coverage.pool(unitsBetween(selection, from, to));
  let stretch = 1;
  for (let round = 0; round < ROUNDS; round++) {
    const room = budget - fitted.tokens;
    if (room < 1 || room < SPARE * budget) break;
    yield;
    const taken = yield* coverage.take(pool, room * stretch);
    if (taken.length === 0) {
      // What is left may still fit: the estimate holds room for a heading that is there already.
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
      const filling = { selection, coverage, pool, fitted, budget, measure: () => measure(frame) };
      yield* giveBack(filling, taken, tokens);
      if (fitted.tokens === before) stretch /= 2;
      else stretch = 1;
      if (stretch < 0.1) break;
    }
  }
  return fitted;
}

function empty(budget: number, measure: (frame: Frame) => number): Fitted {
  let place = frameFor(budget);
  while (place < FRAMES.length - 1 && measure(FRAMES[place]!) > budget) place++;
  const frame = FRAMES[place]!;
  return { frame, taken: [], tokens: measure(frame) };
}

/** All of L1, in the fullest frame that it fits in; undefined if it fits in none. */
function* takeL1(
  selection: Selection,
  coverage: Coverage,
  { from, to, budget }: TurnRange & { budget: number },
  measure: (frame: Frame) => number,
): Steps<Fitted | undefined> {
  const units = [...unitsBetween(selection, from, to)].filter((unit) => isOfL1(selection.units[unit]!));
  const reckoned = units.reduce((sum, unit) => sum + coverage.costs[unit]!, 0);
  if (LEAST_SHARE * reckoned > budget) return undefined;
  const pool = coverage.pool(units);
  const taken = yield* coverage.take(pool, Number.POSITIVE_INFINITY);
  if (measure(BARE) <= budget) {
    for (let place = frameFor(budget); place < FRAMES.length; place++) {
      const tokens = measure(FRAMES[place]!);
      if (tokens <= budget) return { frame: FRAMES[place]!, taken, tokens };
    }
  }
  coverage.release(pool, taken);
  return undefined;
}

type Filling = {
  selection: Selection;
  coverage: Coverage;
  pool: Heap;
  fitted: Fitted;
  budget: number;
  /** In tokens, with all that is chosen just now. */
  measure: () => number;
};

/** Keeps as many of the last taken, from the first on, as the budget allows. */
function* giveBack(
  { selection, coverage, pool, fitted, budget, measure }: Filling,
  taken: number[],
  tooMany: number,
): Steps<void> {
  let [low, lowTokens] = [0, fitted.tokens];
  let [high, highTokens] = [taken.length, tooMany];
  const show = (length: number) => {
    taken.forEach((unit, index) => {
      selection.chosen[unit] = index < length ? 1 : 0;
    });
  };
  while (high - low > 1 && budget - lowTokens > SPARE * budget) {
    const share = (budget - lowTokens) / (highTokens - lowTokens);
    const guess = Math.min(high - 1, Math.max(low + 1, low + Math.floor(share * (high - low))));
    show(guess);
    yield;
    const tokens = measure();
    if (tokens <= budget) [low, lowTokens] = [guess, tokens];
    else [high, highTokens] = [guess, tokens];
  }
  const whole = wholeGroups(selection, taken, low);
  if (whole < low) {
    show(whole);
    lowTokens = measure();
  }
  show(taken.length);
  coverage.release(pool, taken.slice(whole));
  fitted.taken.push(...taken.slice(0, whole));
  fitted.tokens = lowTokens;
}

/** Of the first units, up to this number, those that have everything they are tied to: an objection stays with its concession. */
function wholeGroups({ units }: Selection, taken: number[], length: number): number {
  const lost = new Set(taken.slice(length));
  let whole = length;
  while (whole > 0 && units[taken[whole - 1]!]!.ties.some((tie) => lost.has(tie))) lost.add(taken[--whole]!);
  return whole;
}

export function* unitsBetween({ firstUnit }: Selection, from: number, to: number): Generator<number> {
  for (let unit = firstUnit[from]!; unit < firstUnit[to]!; unit++) yield unit;
}
