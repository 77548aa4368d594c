/** How alike two texts are by their terms, each weighed by how rare it is: 1 for the same words, 0 for none in common. */
export function alikeTerms(
  one: readonly string[],
  other: readonly string[],
  rarityOf: (term: string) => number,
): number {
  const [a, b] = [weighed(one, rarityOf), weighed(other, rarityOf)];
  let common = 0;
  for (const [term, weight] of a) common += weight * (b.get(term) ?? 0);
  const size = Math.sqrt(squares(a) * squares(b));
  return size === 0 ? 0 : common / size;
}

/** Sums in another order differ by less. */
const ROUNDING = 1e-9;

/**
 * Whether they are at least this alike, where no term is rarer than 1. How rare a term is takes long to find out: only as many
 * are asked for as decide it.
 */
export function areAlike(
  one: readonly string[],
  other: readonly string[],
  rarityOf: (term: string) => number,
  least: number,
): boolean {
  const a = weighed(one, rarityOf);
  const counts = countsOf(other);
  const rest: { term: string; factor: number }[] = [];
  // What the other text adds up to: so far, and at most besides.
  let [common, known, open] = [0, 0, 0];
  for (const [term, count] of counts) {
    const factor = factorOf(count);
    const own = a.get(term);
    if (own === undefined) {
      rest.push({ term, factor });
      open += factor * factor;
      continue;
    }
    const weight = factor * rarityOf(term);
    common += own * weight;
    known += weight * weight;
  }
  const size = squares(a);
  for (const { term, factor } of rest) {
    if (common > 0 && common >= (least + ROUNDING) * Math.sqrt(size * (known + open))) return true;
    if (common < (least - ROUNDING) * Math.sqrt(size * known)) return false;
    const weight = factor * rarityOf(term);
    known += weight * weight;
    open -= factor * factor;
  }
  return alikeTerms(one, other, rarityOf) >= least;
}

/** A word that is said twice counts more, but not twice. */
function weighed(terms: readonly string[], rarityOf: (term: string) => number): Map<string, number> {
  return new Map([...countsOf(terms)].map(([term, count]) => [term, factorOf(count) * rarityOf(term)]));
}

function countsOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function factorOf(count: number): number {
  return 1 + Math.log(count);
}

function squares(weights: Map<string, number>): number {
  let sum = 0;
  for (const weight of weights.values()) sum += weight * weight;
  return sum;
}
