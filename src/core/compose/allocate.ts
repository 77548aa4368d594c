import type { Strategy } from '../model/composition.ts';

/** What a session asks of a budget; tokens, its heading included. */
export type Claim = {
  /** All there is to say. */
  need: number;
  /** What must be said: pinned content, or a version that was asked for. */
  least: number;
  /** How many sessions ago; 1 is the latest. */
  distance: number;
  /** Its share in relation to the others'. */
  weight: number;
};

/** Below this a session has nothing to say beside its heading. */
export const LEAST_WORTH = 80;

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
      return 0.05 + relevance;
    default:
      return Math.max(1, tokens) / ratio;
  }
}

/**
 * Whole tokens for each claim, by weight, never more than it needs nor less than it must have, together at most the
 * budget (unless what must be said is more). What one does not use goes to the others, the most recent first. Where
 * there is not enough for all, the oldest get nothing.
 */
export function allocate(claims: readonly Claim[], budget: number): number[] {
  const out = new Set<number>();
  for (;;) {
    const shares = sharesOf(claims, budget, out);
    const small = claims
      .map((claim, index) => ({ ...claim, index }))
      .filter(({ index, need }) => !out.has(index) && shares[index]! < Math.min(need, LEAST_WORTH))
      .filter(({ least }) => least === 0);
    if (small.length === 0) return shares;
    small.sort((a, b) => b.distance - a.distance || b.index - a.index);
    for (const { index } of small.slice(0, Math.ceil(small.length / 4))) out.add(index);
  }
}

function sharesOf(claims: readonly Claim[], budget: number, out: ReadonlySet<number>): number[] {
  const weights = claims.map((claim, index) => (out.has(index) ? 0 : Math.max(claim.weight, 1e-9)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const at = (scale: number) =>
    claims.map(({ need, least }, index) => {
      const share = out.has(index) ? 0 : Math.floor(scale * weights[index]!);
      return Math.max(least, Math.min(need, share));
    });
  const sum = (shares: number[]) => shares.reduce((all, share) => all + share, 0);
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
  for (const index of byRecency(claims)) {
    if (left <= 0) break;
    if (out.has(index)) continue;
    const more = Math.min(left, claims[index]!.need - shares[index]!);
    if (more > 0) {
      shares[index]! += more;
      left -= more;
    }
  }
  return shares;
}

/** Places of the claims, the most recent first; of two alike the later one. */
export function byRecency(claims: readonly Pick<Claim, 'distance'>[]): number[] {
  return claims.map((_, index) => index).sort((a, b) => claims[a]!.distance - claims[b]!.distance || b - a);
}
