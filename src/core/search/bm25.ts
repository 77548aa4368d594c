import type { Wanted } from './look-up.ts';
import type { SearchView } from './view.ts';

export type Bm25 = { k1: number; b: number };

/** Scores by unit (line, exchange or source) and those units that have one. */
export type Scores = { score: Float64Array; touched: number[] };

/** The unit that a line counts for, or -1 for none. */
export type UnitOf = (line: number) => number;

/** How much the words of a line count; all alike when there is none. */
export type WorthOf = (line: number) => number;

/** BM25 over any unit of lines, exact: a unit's count of a term is the sum over its lines. */
export function bm25(
  view: SearchView,
  wanted: Wanted[],
  units: number,
  unitOf: UnitOf,
  { k1, b }: Bm25,
  worthOf?: WorthOf,
): Scores {
  const { length, population, average } = lengthsOf(view, units, unitOf, worthOf);
  const score = new Float64Array(units);
  const touched: number[] = [];
  const counts = new Float64Array(units);
  const bestOfWord = new Float64Array(units);
  for (const word of wanted) {
    const hit: number[] = [];
    for (const { lines, counts: inLine, weight } of word) {
      const found: number[] = [];
      for (let i = 0; i < lines.length; i++) {
        const unit = unitOf(lines[i]!);
        if (unit < 0) continue;
        if (counts[unit] === 0) found.push(unit);
        counts[unit]! += worthOf ? inLine[i]! * worthOf(lines[i]!) : inLine[i]!;
      }
      const idf = weight * Math.log(1 + (population - found.length + 0.5) / (found.length + 0.5));
      for (const unit of found) {
        const count = counts[unit]!;
        counts[unit] = 0;
        const worth = (idf * count * (k1 + 1)) / (count + k1 * (1 - b + (b * length[unit]!) / average));
        if (bestOfWord[unit] === 0) hit.push(unit);
        if (worth > bestOfWord[unit]!) bestOfWord[unit] = worth;
      }
    }
    for (const unit of hit) {
      if (score[unit] === 0) touched.push(unit);
      score[unit]! += bestOfWord[unit]!;
      bestOfWord[unit] = 0;
    }
  }
  return { score, touched };
}

function lengthsOf(
  view: SearchView,
  units: number,
  unitOf: UnitOf,
  worthOf: WorthOf | undefined,
): { length: Float64Array; population: number; average: number } {
  const length = new Float64Array(units);
  const { lineCount, length: terms } = view;
  let total = 0;
  for (let line = 0; line < lineCount; line++) {
    const unit = unitOf(line);
    if (unit < 0) continue;
    const own = worthOf ? terms[line]! * worthOf(line) : terms[line]!;
    length[unit]! += own;
    total += own;
  }
  let population = 0;
  for (let unit = 0; unit < units; unit++) if (length[unit]! > 0) population++;
  return { length, population, average: total / Math.max(1, population) };
}

/** The same scores, the best one being 1. */
export function normalised({ score, touched }: Scores): Scores {
  let best = 0;
  for (const unit of touched) best = Math.max(best, score[unit]!);
  if (best > 0) for (const unit of touched) score[unit]! /= best;
  return { score, touched };
}

/** The best units, best first; equal ones in the order of their numbers. Never sorts all of them. */
export function best({ score, touched }: Scores, limit: number): number[] {
  const better = (a: number, b: number) => score[b]! - score[a]! || a - b;
  let kept: number[] = [];
  let least = 0;
  for (const unit of touched) {
    if (score[unit]! < least) continue;
    kept.push(unit);
    if (kept.length < 4 * limit + 64) continue;
    kept = kept.sort(better).slice(0, limit);
    least = score[kept.at(-1)!]!;
  }
  return kept.sort(better).slice(0, limit);
}
