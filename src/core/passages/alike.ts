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

/** A word that is said twice counts more, but not twice. */
function weighed(terms: readonly string[], rarityOf: (term: string) => number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return new Map([...counts].map(([term, count]) => [term, (1 + Math.log(count)) * rarityOf(term)]));
}

function squares(weights: Map<string, number>): number {
  let sum = 0;
  for (const weight of weights.values()) sum += weight * weight;
  return sum;
}
