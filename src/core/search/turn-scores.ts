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

/** `last`: the highest role that counts as a turn. */
export function turnScope(
  view: SearchView,
  accept: (line: number) => boolean,
  last: number = ROLE.assistant,
): TurnScope {
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
    if (role[line]! > last || !accept(line)) continue;
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
  const { open, ofSource } = scope;
  const own = new Tally(open.length, WEIGHTS.turn, scope.turns, scope.terms);
  const sessions = new Tally(ofSource.length, WEIGHTS.session, scope.sources, scope.terms);
  const inSource = new Float64Array(ofSource.length);
  for (const word of wanted) {
    for (const { lines, counts, weight } of word) {
      const found: number[] = [];
      let turns = 0;
      for (let at = 0; at < lines.length; at++) {
        const line = lines[at]!;
        if (open[line] === 0) continue;
        turns++;
        const of = source[exchange[line]!]!;
        if (inSource[of] === 0) found.push(of);
        inSource[of]! += counts[at]!;
      }
      const ofTurn = weight * own.rarity(turns);
      for (let at = 0; at < lines.length; at++) {
        const line = lines[at]!;
        if (open[line] === 1) own.take(line, ofTurn, counts[at]!, length[line]!);
      }
      const ofSession = weight * sessions.rarity(found.length);
      for (const of of found) {
        sessions.take(of, ofSession, inSource[of]!, ofSource[of]!);
        inSource[of] = 0;
      }
    }
    own.add();
    sessions.add();
  }
  return { own: normalised(own), sessions: normalised(sessions) };
}

/** Weighs the terms of a word by unit, and adds the best of them to the unit's score. */
class Tally implements Scores {
  readonly score: Float64Array;
  readonly touched: number[] = [];
  readonly #bestOfWord: Float64Array;
  readonly #bm25: Bm25;
  readonly #population: number;
  readonly #average: number;
  #hit: number[] = [];

  constructor(units: number, bm25: Bm25, population: number, terms: number) {
    this.score = new Float64Array(units);
    this.#bestOfWord = new Float64Array(units);
    this.#bm25 = bm25;
    this.#population = population;
    this.#average = terms / Math.max(1, population);
  }

  /** The idf of a term that so many units have. */
  rarity(units: number): number {
    return Math.log(1 + (this.#population - units + 0.5) / (units + 0.5));
  }

  take(unit: number, idf: number, count: number, length: number): void {
    const { k1, b } = this.#bm25;
    const worth = (idf * count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / this.#average));
    const before = this.#bestOfWord[unit]!;
    if (before === 0) this.#hit.push(unit);
    if (worth > before) this.#bestOfWord[unit] = worth;
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
