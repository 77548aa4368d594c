import type { Bm25 } from '../../src/core/search/bm25.ts';
import type { WantedTerm } from '../../src/core/search/look-up.ts';

export type PlainLine = { length: number; unit: number; worth: number };

/** BM25 as the books say it, the best score being 1: lines of unit -1 are not there, a word counts by its best term. */
export function plainBm25(lines: PlainLine[], wanted: WantedTerm[], { k1, b }: Bm25): Map<number, number> {
  const lengths = new Map<number, number>();
  for (const { unit, length, worth } of lines)
    if (unit >= 0) lengths.set(unit, (lengths.get(unit) ?? 0) + length * worth);
  const total = [...lengths.values()].reduce((sum, length) => sum + length, 0);
  const population = [...lengths.values()].filter((length) => length > 0).length;
  const average = total / Math.max(1, population);
  const scores = new Map<number, number>();
  for (const word of wanted) {
    const bestOf = new Map<number, number>();
    for (const term of word) {
      const counts = new Map<number, number>();
      for (const [at, line] of term.lines.entries()) {
        const { unit, worth } = lines[line]!;
        if (unit >= 0) counts.set(unit, (counts.get(unit) ?? 0) + term.counts[at]! * worth);
      }
      const idf = term.weight * Math.log(1 + (population - counts.size + 0.5) / (counts.size + 0.5));
      for (const [unit, count] of counts) {
        const norm = k1 * (1 - b + (b * lengths.get(unit)!) / average);
        bestOf.set(unit, Math.max(bestOf.get(unit) ?? 0, (idf * count * (k1 + 1)) / (count + norm)));
      }
    }
    for (const [unit, score] of bestOf) scores.set(unit, (scores.get(unit) ?? 0) + score);
  }
  const most = Math.max(...scores.values());
  return new Map([...scores].map(([unit, score]) => [unit, score / most]));
}
