import { ROLE } from '../model/search.ts';
import { type Bm25, normalised, type Scores } from './bm25.ts';
import type { Wanted } from './look-up.ts';
import type { SearchView } from './view.ts';
import { WEIGHTS } from './weights.ts';

/** The turns that may be found, and their lengths: one pass over the columns. */
export type TurnScope = {
  /** 1 where a line is such a turn. */
  open: Uint8Array;
  turns: number;
  /** Terms of all of them. */
  terms: number;
  /** Terms of a source's turns. */
  ofSource: Float64Array;
  sources: number;
};

export function turnScope(view: SearchView, accept: (line: number) => boolean): TurnScope {
  const { lineCount, role, length, exchange, source } = view;
  let most = 0;
  for (let at = 0; at < source.length; at++) if (source[at]! >= most) most = source[at]! + 1;
  const scope = {
    open: new Uint8Array(lineCount),
    turns: 0,
    terms: 0,
    ofSource: new Float64Array(most),
    sources: 0,
  };
  for (let line = 0; line < lineCount; line++) {
    if (role[line]! > ROLE.assistant || !accept(line)) continue;
    scope.open[line] = 1;
    scope.turns++;
    scope.terms += length[line]!;
    scope.ofSource[source[exchange[line]!]!]! += length[line]!;
  }
  for (const terms of scope.ofSource) if (terms > 0) scope.sources++;
  return scope;
}

/** BM25 of turns and of their sessions, the best of each being 1; every posting is looked at once for both. */
export function turnScores(
  view: SearchView,
  wanted: Wanted[],
  scope: TurnScope,
): { own: Scores; sessions: Scores } {
  const { length, exchange, source } = view;
  const own = new Tally(scope.open.length, WEIGHTS.turn, scope.turns, scope.terms);
  const sessions = new Tally(scope.ofSource.length, WEIGHTS.session, scope.sources, scope.terms);
  for (const word of wanted) {
    for (const { lines, counts, weight } of word) {
      for (let at = 0; at < lines.length; at++) {
        const line = lines[at]!;
        if (scope.open[line] === 0) continue;
        own.count(line, counts[at]!);
        sessions.count(source[exchange[line]!]!, counts[at]!);
      }
      own.weigh(length, weight);
      sessions.weigh(scope.ofSource, weight);
    }
    own.add();
    sessions.add();
  }
  return { own: normalised(own), sessions: normalised(sessions) };
}

/** Counts a term by unit, weighs the counts, and adds the best weight of each word to the unit's score. */
class Tally implements Scores {
  readonly score: Float64Array;
  readonly touched: number[] = [];
  readonly #counts: Float64Array;
  readonly #bestOfWord: Float64Array;
  readonly #bm25: Bm25;
  readonly #population: number;
  readonly #average: number;
  #found: number[] = [];
  #hit: number[] = [];

  constructor(units: number, bm25: Bm25, population: number, terms: number) {
    this.score = new Float64Array(units);
    this.#counts = new Float64Array(units);
    this.#bestOfWord = new Float64Array(units);
    this.#bm25 = bm25;
    this.#population = population;
    this.#average = terms / Math.max(1, population);
  }

  count(unit: number, times: number): void {
    if (this.#counts[unit] === 0) this.#found.push(unit);
    this.#counts[unit]! += times;
  }

  weigh(length: ArrayLike<number>, weight: number): void {
    const { k1, b } = this.#bm25;
    const found = this.#found;
    const counts = this.#counts;
    const bestOfWord = this.#bestOfWord;
    const idf = weight * Math.log(1 + (this.#population - found.length + 0.5) / (found.length + 0.5));
    for (const unit of found) {
      const count = counts[unit]!;
      counts[unit] = 0;
      const norm = k1 * (1 - b + (b * length[unit]!) / this.#average);
      const worth = (idf * count * (k1 + 1)) / (count + norm);
      if (bestOfWord[unit] === 0) this.#hit.push(unit);
      if (worth > bestOfWord[unit]!) bestOfWord[unit] = worth;
    }
    this.#found = [];
  }

  add(): void {
    for (const unit of this.#hit) {
      if (this.score[unit] === 0) this.touched.push(unit);
      this.score[unit]! += this.#bestOfWord[unit]!;
      this.#bestOfWord[unit] = 0;
    }
    this.#hit = [];
  }
}
