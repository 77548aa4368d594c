import { byRecency } from './allocate.ts';

/** What one stretch of a session says at some length. */
export type StretchChoice = {
  tokens: number;
  /** It could say more if it were given more. */
  more: boolean;
};

export type FitPiece = {
  /** Its tokens can't change: a version that was asked for. */
  fixed: boolean;
  /** What must be said of it. */
  least: number;
  distance: number;
  /** First guess. */
  target: number;
  /** The first guess is all it may have: the user said so. */
  capped?: boolean;
};

export type Fitting<C extends StretchChoice> = {
  /** The text of a piece for at most this many tokens (or its required text). `fresh`: no existing version. */
  choose(piece: number, target: number, fresh: boolean): Promise<C>;
  /** Tokens of the whole text, all headings included. */
  measure(choices: readonly C[]): number;
};

const ROUNDS = 60;
/** To hit what is left: each is a text rebuilt. */
const TRIES = 3;
/** The share of a budget that may stay unused. */
const SPARE = 0.015;
const LEAST_SPARE = 12;

/**
 * Choices that fill a budget and never exceed it, counted on the whole text. Counts do not add up exactly, so it chooses,
 * counts, removes what is too much, and gives the rest to the most recent first. Undefined if not even the required text fits.
 */
export async function fillBudget<C extends StretchChoice>(
  pieces: readonly FitPiece[],
  budget: number,
  { choose, measure }: Fitting<C>,
): Promise<C[] | undefined> {
  const choices: C[] = [];
  const stuck = new Set<number>();
  const atLeast = new Set<number>();
  const order = byRecency(pieces);
  // The latest first: what they say, the others need not say again.
  for (const index of order) choices[index] = await choose(index, pieces[index]!.target, false);
  for (let round = 0; round < ROUNDS; round++) {
    const total = measure(choices);
    if (total > budget) {
      const index = largest(pieces, choices, atLeast);
      if (index === undefined) return undefined;
      const { least } = pieces[index]!;
      const before = choices[index]!.tokens;
      const target = Math.floor(before - (total - budget) * 1.02 - 2);
      const next = round < ROUNDS / 2 && target > least ? target : least;
      choices[index] = await choose(index, next, true);
      if (next === least || choices[index]!.tokens >= before) {
        if (next !== least) choices[index] = await choose(index, least, true);
        atLeast.add(index);
      }
      stuck.add(index);
      continue;
    }
    const left = budget - total;
    if (left < Math.max(LEAST_SPARE, SPARE * budget)) break;
    const index = order.find(
      (it) => !pieces[it]!.fixed && !pieces[it]!.capped && choices[it]!.more && !stuck.has(it),
    );
    if (index === undefined) break;
    const before = choices[index]!;
    let target = before.tokens + left - 3;
    for (let tries = 0; tries < TRIES; tries++) {
      choices[index] = await choose(index, target, true);
      const over = measure(choices) - budget;
      if (over <= 0) break;
      target -= Math.ceil(over * 1.05) + 2;
    }
    // What it can't use goes to the next one.
    if (choices[index]!.tokens <= before.tokens || measure(choices) > budget) choices[index] = before;
    if (choices[index]!.tokens < before.tokens + left / 2) stuck.add(index);
  }
  if (measure(choices) <= budget) return choices;
  for (const [index, { least, fixed }] of pieces.entries())
    if (!fixed) choices[index] = await choose(index, least, true);
  return measure(choices) <= budget ? choices : undefined;
}

function largest(
  pieces: readonly FitPiece[],
  choices: readonly StretchChoice[],
  atLeast: ReadonlySet<number>,
): number | undefined {
  let found: number | undefined;
  const spare = (index: number) => choices[index]!.tokens - pieces[index]!.least;
  for (const [index, { fixed }] of pieces.entries()) {
    if (fixed || atLeast.has(index) || spare(index) <= 0) continue;
    if (found === undefined || spare(index) > spare(found)) found = index;
  }
  return found;
}
