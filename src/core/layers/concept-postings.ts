import type { Vector } from './concept-vectors.ts';

/** How much of the postings one look may cost, how many places it may give, and how alike those must be. */
export type Reach = { postings: number; places: number; least: number };
export type Near = { place: number; likeness: number };

type Postings = { places: number[]; weights: number[] };
type Asked = { term: number; weight: number; found: Postings };

/**
 * Where each term stands, and with what weight: the sum over all that was added to a place. A look costs no more than its
 * reach, however much was added; as long as everything is within reach, it is exact.
 */
export class TermPlaces {
  readonly #postings = new Map<number, Postings>();
  /** Of each place: where in the postings of a term its weight stands. */
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
    // Rare terms lead to few places, and tell most.
    asked.sort((a, b) => a.found.places.length - b.found.places.length || a.term - b.term);
    const touched: number[] = [];
    let spent = 0;
    let looked = 0;
    for (const { weight, found } of asked) {
      const { length } = found.places;
      if (looked > 0 && spent + length > postings) break;
      this.#sum(found, weight, Math.max(0, length - postings), touched);
      spent += length;
      looked++;
    }
    const rest = asked.slice(looked);
    // No place is longer than 1 on average: so much may the terms that were not looked at still add.
    const open = Math.sqrt(rest.reduce((sum, { weight }) => sum + weight * weight, 0));
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

/** The so many most alike of what is offered; of two alike ones the earlier place. */
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
