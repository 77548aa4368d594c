import type { Zone } from './zones.ts';

/** The minimum for a compressed exchange; with less, its request would be lost. */
const LEAST_COMPRESSED = 30;

/** And at most this share of what keeping it takes: what tools printed counts for the ratio, but keeping leaves it out. */
const COMPRESSED_OF_KEPT = 0.5;

/** Tokens each zone may have: its share of the original by its ratio. `total` are the tokens of all its turns. */
export function budgetsOf(zones: Zone[], inputTokens: number, total: number): number[] {
  return zones.map((zone) => {
    if (zone.way === 'whole') return Number.POSITIVE_INFINITY;
    if (zone.way === 'drop') return 0;
    return Math.floor((inputTokens * (total === 0 ? 1 : zone.tokens / total)) / zone.ratio);
  });
}

/** By hand: `asked` by the ratio, `kept` the tokens of the whole exchange. Undefined: it is included whole. */
export function compressedBudget(asked: number, kept: number): number | undefined {
  if (kept <= LEAST_COMPRESSED) return undefined;
  return Math.max(LEAST_COMPRESSED, Math.min(asked, Math.floor(kept * COMPRESSED_OF_KEPT)));
}

/** `least` is what kept content takes alone: a zone that needs more takes it from those that have some to spare. */
export function sharesOf(zones: Zone[], budgets: number[], least: number[]): number[] {
  const dropped = zones.reduce((sum, zone, index) => sum + (zone.way === 'drop' ? least[index]! : 0), 0);
  const fits = zones.map((zone) => zone.way === 'fit');
  const overflow = budgets.reduce(
    (sum, budget, index) => sum + (fits[index] ? Math.max(0, least[index]! - budget) : 0),
    dropped,
  );
  const spare = budgets.map((budget, index) => (fits[index] ? Math.max(0, budget - least[index]!) : 0));
  const spareTotal = spare.reduce((sum, tokens) => sum + tokens, 0);
  if (!Number.isFinite(spareTotal) || overflow === 0 || spareTotal === 0) return budgets;
  const share = Math.min(1, overflow / spareTotal);
  return budgets.map((budget, index) =>
    spare[index]! > 0 ? budget - Math.ceil(spare[index]! * share) : budget,
  );
}
