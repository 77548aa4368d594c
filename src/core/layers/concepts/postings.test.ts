import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TermPlaces } from './postings.ts';

const vectorOf = (terms: number) =>
  fc
    .uniqueArray(fc.tuple(fc.nat(terms), fc.integer({ min: 1, max: 9 })), {
      selector: ([term]) => term,
      minLength: 1,
      maxLength: 6,
    })
    .map((entries) => {
      const length = Math.sqrt(entries.reduce((sum, [, weight]) => sum + weight * weight, 0));
      return new Map(entries.map(([term, weight]) => [term, weight / length]));
    });
const vector = vectorOf(12);
const places = fc.array(fc.tuple(fc.nat(6), vector), { maxLength: 30 });

function averages(added: [place: number, vector: Map<number, number>][], asked: Map<number, number>) {
  const sums = new Map<number, { product: number; size: number }>();
  for (const [place, own] of added) {
    const known = sums.get(place) ?? { product: 0, size: 0 };
    for (const [term, weight] of asked) known.product += weight * (own.get(term) ?? 0);
    sums.set(place, { product: known.product, size: known.size + 1 });
  }
  return new Map([...sums].map(([place, { product, size }]) => [place, product / size]));
}

const asVector = (own: Map<number, number>) => ({ terms: [...own.keys()], weights: [...own.values()] });

describe('terms by place', () => {
  it('give every place that is alike enough, most alike first, as long as all is within reach', () => {
    fc.assert(
      fc.property(places, vector, (added, asked) => {
        const terms = new TermPlaces();
        for (const [place, own] of added) terms.add(place, asVector(own));
        const near = terms.near(asVector(asked), { postings: 1000, places: 100, least: 0.3 });
        const expected = [...averages(added, asked)].filter(([, likeness]) => likeness > 0.3 + 1e-9);
        const found = new Map(near.map(({ place, likeness }) => [place, likeness]));
        for (const [place, likeness] of expected) expect(found.get(place)).toBeCloseTo(likeness);
        const likenesses = near.map(({ likeness }) => likeness);
        expect(likenesses).toEqual([...likenesses].sort((a, b) => b - a));
      }),
    );
  });

  it('find the same among many that share a word which hardly counts', () => {
    const COMMON = 999;
    const light = ([place, own]: [number, Map<number, number>]) =>
      [place, new Map([...own].map(([term, weight]) => [term, weight * 0.99])).set(COMMON, 0.1)] as const;
    const many = fc.array(fc.tuple(fc.nat(60), vectorOf(300)), { minLength: 60, maxLength: 120 });
    fc.assert(
      fc.property(many, fc.nat(119), (made, at) => {
        const added = made.map((it) => [...light(it)] as [number, Map<number, number>]);
        const terms = new TermPlaces();
        for (const [place, own] of added) terms.add(place, asVector(own));
        const asked = added[at % added.length]![1];
        const near = terms.near(asVector(asked), { postings: 100_000, places: 100, least: 0.2 });
        const truth = averages(added, asked);
        for (const { place, likeness } of near) expect(likeness).toBeCloseTo(truth.get(place)!, 12);
        const found = near.map(({ place }) => place);
        const expected = [...truth].filter(([, likeness]) => likeness > 0.2 + 1e-9).map(([place]) => place);
        expect(found).toEqual(expect.arrayContaining(expected));
      }),
      { numRuns: 60 },
    );
  });

  it('give no more places than asked for, each with its true likeness, when there is more than is within reach', () => {
    fc.assert(
      fc.property(places, vector, fc.integer({ min: 1, max: 8 }), (added, asked, postings) => {
        const terms = new TermPlaces();
        for (const [place, own] of added) terms.add(place, asVector(own));
        const near = terms.near(asVector(asked), { postings, places: 2, least: 0.1 });
        const truth = averages(added, asked);
        expect(near.length).toBeLessThanOrEqual(2);
        for (const { place, likeness } of near) expect(likeness).toBeCloseTo(truth.get(place)!);
        // A look leaves nothing behind.
        expect(terms.near(asVector(asked), { postings, places: 2, least: 0.1 })).toEqual(near);
      }),
    );
  });
});
