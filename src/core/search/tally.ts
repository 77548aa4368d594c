import type { Bm25, Scores } from './bm25.ts';
import { putBack, zeros } from './scratch.ts';
import type { SearchView } from './view.ts';

const NONE = new Uint32Array();

/** Units that hold a term: which, how often, and how long each is. The first `size` of each array count. */
export type Held = { units: Uint32Array; counts: Float64Array; lengths: Float64Array; size: number };

export function roomFor(most: number): Held {
  return {
    units: new Uint32Array(most),
    counts: new Float64Array(most),
    lengths: new Float64Array(most),
    size: 0,
  };
}

/** How many units there are, and how many terms they have together. */
type Population = { population: number; terms: number };

/** BM25: weighs the terms of a word by unit, and adds the best of them to the unit's score. */
export class ScoreTally {
  /** Lent: `putBack` it. */
  readonly score: Float64Array;
  readonly #view: SearchView;
  readonly #bm25: Bm25;
  readonly #population: number;
  readonly #average: number;
  /** Of the current word, if it represents several terms. */
  #bestOfWord: Float64Array | undefined;
  #touched = new Uint32Array(256);
  #size = 0;
  #hit = new Uint32Array(256);
  #hits = 0;

  constructor(view: SearchView, units: number, bm25: Bm25, { population, terms }: Population) {
    this.#view = view;
    this.score = zeros(view, units);
    this.#bm25 = bm25;
    this.#population = population;
    this.#average = terms / Math.max(1, population);
  }

  /** `alone`: it is the word's only term. */
  take(held: Held, weight: number, alone: boolean): void {
    const { units, counts, lengths, size } = held;
    const { k1, b } = this.#bm25;
    const average = this.#average;
    const idf = weight * Math.log(1 + (this.#population - size + 0.5) / (size + 0.5));
    const sums = alone ? this.score : this.#words();
    const seen = alone ? this.#roomForTouched(size) : this.#roomForHits(size);
    let known = alone ? this.#size : this.#hits;
    for (let at = 0; at < size; at++) {
      const unit = units[at]!;
      const count = counts[at]!;
      const worth = (idf * count * (k1 + 1)) / (count + k1 * (1 - b + (b * lengths[at]!) / average));
      const before = sums[unit]!;
      if (before === 0) seen[known++] = unit;
      sums[unit] = alone ? before + worth : Math.max(before, worth);
    }
    if (alone) this.#size = known;
    else this.#hits = known;
  }

  /** The current word is done. */
  add(): void {
    const words = this.#bestOfWord;
    if (this.#hits === 0 || !words) return;
    const touched = this.#roomForTouched(this.#hits);
    for (let at = 0; at < this.#hits; at++) {
      const unit = this.#hit[at]!;
      if (this.score[unit] === 0) touched[this.#size++] = unit;
      this.score[unit]! += words[unit]!;
      words[unit] = 0;
    }
    this.#hits = 0;
  }

  /** Every word is done. */
  scores(): Scores {
    if (this.#bestOfWord) putBack(this.#view, { score: this.#bestOfWord, touched: NONE });
    this.#bestOfWord = undefined;
    return { score: this.score, touched: this.#touched.subarray(0, this.#size) };
  }

  #words(): Float64Array {
    this.#bestOfWord ??= zeros(this.#view, this.score.length);
    return this.#bestOfWord;
  }

  #roomForTouched(more: number): Uint32Array {
    this.#touched = grown(this.#touched, this.#size, more);
    return this.#touched;
  }

  #roomForHits(more: number): Uint32Array {
    this.#hit = grown(this.#hit, this.#hits, more);
    return this.#hit;
  }
}

function grown(array: Uint32Array<ArrayBuffer>, size: number, more: number): Uint32Array<ArrayBuffer> {
  if (size + more <= array.length) return array;
  const bigger = new Uint32Array(Math.max(array.length * 2, size + more));
  bigger.set(array.subarray(0, size));
  return bigger;
}
