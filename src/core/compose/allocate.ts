import type { Strategy } from '../model/composition.ts';

/** What a session asks of a budget; tokens, its heading included. */
export type Claim = {
  /** All there is to say. */
  need: number;
  /** What must be said: pinned content, or a version that was asked for. */
  least: number;
  /** Of that, versions that were asked for: its share is on top of them. */
  fixed?: number;
  /** How many sessions ago; 1 is the latest. */
  distance: number;
  /** Its share in relation to the others'. */
  weight: number;
};

/**
 * The minimum of a session, so that it has more than its heading: a fifth of a short one, this many tokens of a long one. All
 * minimums together take at most seven tenths of a budget.
 */
const LEAST_WORTH = { most: 300, least: 100, share: 0.2 };
const MOST_FOR_FLOORS = 0.7;

function leastWorth(need: number): number {
  const { most, least, share } = LEAST_WORTH;
  return Math.min(need, most, Math.max(least, Math.ceil(share * need)));
}

/** 1-2 sessions ago light, 3-5 moderate, 6 and more aggressive. */
export function preferredRatio(
  distance: number,
  levels: { light: number; moderate: number; aggressive: number },
): number {
  if (distance <= 2) return levels.light;
  return distance <= 5 ? levels.moderate : levels.aggressive;
}

/** `relevance` from 0 to 1: how well the session fits the topic. Each gets a little, whatever the topic. */
export function weightOf(strategy: Strategy, tokens: number, ratio: number, relevance: number): number {
  switch (strategy) {
    case 'equal':
      return 1;
    case 'proportional':
      return Math.max(1, tokens);
    case 'relevance':
      return 0.02 + relevance ** 2;
    default:
      return Math.max(1, tokens) / ratio;
  }
}

/**
 * Whole tokens for each claim, by weight, never more than it needs nor less than it must have, together at most the
 * budget (unless what must be said is more). What one does not use goes to the others, the most recent first. Where
 * there is not enough for all, the last of `order` get nothing.
 */
export function allocate(
  claims: readonly Claim[],
  budget: number,
  order: readonly number[] = byRecency(claims),
): number[] {
  const floors = floorsOf(claims, budget, order);
  const at = (scale: number) =>
    claims.map(({ need, least, fixed = 0, weight }, index) => {
      const floor = floors[index]!;
      if (floor < 0) return least;
      return Math.max(floor, Math.min(need, fixed + Math.floor(scale * Math.max(weight, 1e-9))));
    });
  const total = claims.reduce(
    (all, { weight }, index) => all + (floors[index]! < 0 ? 0 : Math.max(weight, 1e-9)),
    0,
  );
  let high = total === 0 ? 0 : budget / total;
  let shares = at(high);
  if (sum(shares) > budget) {
    let low = 0;
    for (let step = 0; step < 60; step++) {
      const middle = (low + high) / 2;
      if (sum(at(middle)) > budget) high = middle;
      else low = middle;
    }
    shares = at(low);
  }
  let left = budget - sum(shares);
  const give = (index: number, tokens: number) => {
    const more = Math.min(tokens, claims[index]!.need - shares[index]!);
    if (more <= 0) return;
    shares[index]! += more;
    left -= more;
  };
  for (const index of byRecency(claims)) if (floors[index]! >= 0) give(index, left);
  // Where the included sessions need no more, others have room after all.
  for (const index of order) {
    const included = shares[index]! > 0;
    if (floors[index]! < 0 && (included || left >= leastWorth(claims[index]!.need))) give(index, left);
  }
  return shares;
}

/** The minimum for each; -1 for those that are left out. */
function floorsOf(claims: readonly Claim[], budget: number, order: readonly number[]): number[] {
  const floors = claims.map(() => -1);
  const must = sum(claims.map(({ least }) => least));
  let room = MOST_FOR_FLOORS * Math.max(0, budget - must);
  let first = true;
  for (const index of order) {
    const { need, least } = claims[index]!;
    const more = Math.max(0, leastWorth(need) - least);
    if (more > room && !first) continue;
    floors[index] = Math.min(Math.max(least, leastWorth(need)), least + Math.max(0, budget - must));
    room -= more;
    first = false;
  }
  return floors;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** Places of the claims, the most recent first; of two alike the later one. */
export function byRecency(claims: readonly Pick<Claim, 'distance'>[]): number[] {
  return claims.map((_, index) => index).sort((a, b) => claims[a]!.distance - claims[b]!.distance || b - a);
}
