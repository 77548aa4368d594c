import type { Vector } from './vectors.ts';

/** How much of the postings one lookup may read, how many places it may return, and how similar those must be. */
export type Reach = { postings: number; places: number; least: number };
export type Near = { place: number; likeness: number };

type Postings = { places: number[]; weights: number[] };
/** Looking up one place's weight takes this many times as long as reading the next of a list. */
const LOOKUP = 8;
/** Stored weights are rounded: a bound holds by this much less. */
const SURELY = 0.999;

type Asked = { term: number; weight: number; found: Postings };

/**
 * Where each term is, and with what weight: the sum over all that was added to a place. A look costs no more than its
 * reach, however much was added; as long as everything is within reach, it is exact.
 */
export class TermPlaces {
  readonly #postings = new Map<number, Postings>();
  /** Of each place: where in the postings of a term its weight is. */
  readonly #slots: Map<number, number>[] = [];
  readonly #sizes: number[] = [];
  #products = new Float64Array(256);

  add(place: number, { terms, weights }: Vector, size = 1): void {
    this.#slots[place] ??= new Map();
    this.#sizes[place] = (this.#sizes[place] ?? 0) + size;
    const slots = this.#slots[place];
    terms.forEach((term, at) => {
      const weight = weights[at]!;
      let known = this.#postings.get(term);
      if (!known) {
        known = { places: [], weights: [] };
        this.#postings.set(term, known);
      }
      const slot = slots.get(term);
      if (slot === undefined) {
        slots.set(term, known.places.push(place) - 1);
        known.weights.push(weight);
      } else known.weights[slot]! += weight;
    });
    if (place >= this.#products.length) this.#products = new Float64Array(2 * place);
  }

  /** The places most alike to a vector, most alike first: the average of its products with what was added there. */
  near({ terms, weights }: Vector, { postings, places, least }: Reach): Near[] {
    const asked: Asked[] = [];
    terms.forEach((term, at) => {
      const found = this.#postings.get(term);
      if (found) asked.push({ term, weight: weights[at]!, found });
    });
    // Rare terms lead to few places, and weigh most.
    asked.sort((a, b) => a.found.places.length - b.found.places.length || a.term - b.term);
    const looked = within(asked, postings);
    const finding = looked === asked.length ? findingTerms(asked, least) : looked;
    const touched: number[] = [];
    for (const [at, { term, weight, found }] of asked.slice(0, looked).entries()) {
      const { length } = found.places;
      if (at >= finding && touched.length * LOOKUP < length) this.#sumAt(touched, term, weight, found);
      else this.#sum(found, weight, Math.max(0, length - postings), touched);
    }
    const rest = asked.slice(looked);
    const open = mostOf(rest);
    const nearest = new Nearest(places);
    for (const place of touched) {
      const likeness = this.#products[place]! / this.#sizes[place]!;
      this.#products[place] = 0;
      if (likeness + open >= least) nearest.offer(place, likeness);
    }
    if (rest.length === 0) return nearest.found;
    return nearest.found
      .map(({ place, likeness }) => ({ place, likeness: likeness + this.#average(place, rest) }))
      .filter(({ likeness }) => likeness >= least)
      .sort((a, b) => b.likeness - a.likeness || a.place - b.place);
  }

  #sum({ places, weights }: Postings, weight: number, from: number, touched: number[]): void {
    const products = this.#products;
    for (let at = from; at < places.length; at++) {
      const place = places[at]!;
      if (products[place] === 0) touched.push(place);
      products[place]! += weight * weights[at]!;
    }
  }

  /** The same for places that were found already, in the same order of sums: the same figures. */
  #sumAt(touched: number[], term: number, weight: number, found: Postings): void {
    for (const place of touched) {
      const slot = this.#slots[place]!.get(term);
      if (slot !== undefined) this.#products[place]! += weight * found.weights[slot]!;
    }
  }

  #average(place: number, rest: Asked[]): number {
    const slots = this.#slots[place]!;
    let sum = 0;
    for (const { term, weight, found } of rest) {
      const slot = slots.get(term);
      if (slot !== undefined) sum += weight * found.weights[slot]!;
    }
    return sum / this.#sizes[place]!;
  }
}

/** How many of the terms can be read for this many postings: at least one. */
function within(asked: Asked[], postings: number): number {
  let spent = 0;
  for (const [at, { found }] of asked.entries()) {
    spent += found.places.length;
    if (at > 0 && spent > postings) return at;
  }
  return asked.length;
}

/** How many of the terms can find places: those after them do not make any place alike enough, even all together. */
function findingTerms(asked: Asked[], least: number): number {
  let squares = 0;
  for (let at = asked.length; at > 0; at--) {
    squares += asked[at - 1]!.weight ** 2;
    if (Math.sqrt(squares) >= least * SURELY) return at;
  }
  return 0;
}

/** No place is longer than 1 on average: terms that were not read can add at most this. */
function mostOf(rest: Asked[]): number {
  return Math.sqrt(rest.reduce((sum, { weight }) => sum + weight * weight, 0));
}

/** The most similar of the offered places, up to this number; of two equal ones the earlier. */
class Nearest {
  readonly found: Near[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  offer(place: number, likeness: number): void {
    const { found } = this;
    if (found.length === this.#most) {
      if (!isBefore(place, likeness, found[found.length - 1]!)) return;
      found.pop();
    }
    let at = found.length;
    while (at > 0 && isBefore(place, likeness, found[at - 1]!)) at--;
    found.splice(at, 0, { place, likeness });
  }
}

function isBefore(place: number, likeness: number, other: Near): boolean {
  return likeness > other.likeness || (likeness === other.likeness && place < other.place);
}
