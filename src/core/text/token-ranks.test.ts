import * as encoding from 'ai-tokenizer/encoding/claude';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf, packRanks, unpackRanks } from './token-ranks.ts';

const known = new Map(
  Object.entries(encoding.stringEncoder).map(([token, rank]) => [bytesOf(token), rank as number]),
);
const rankOf = unpackRanks(packRanks([...known]));

test('every token of the encoding has its rank', () => {
  expect(known.size).toBeGreaterThan(60_000);
  for (const [token, rank] of known)
    if (rankOf(token) !== rank) expect([token, rankOf(token)]).toEqual([token, rank]);
});

test('any other text has none', () => {
  for (const name of ['constructor ', '__proto__', '', '\xff\xff'])
    expect(rankOf(name)).toBe(known.get(name) ?? -1);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 5 }), (text) => {
      expect(rankOf(bytesOf(text))).toBe(known.get(bytesOf(text)) ?? -1);
    }),
    { numRuns: 2000 },
  );
});

test('any tokens come back, from any place in memory, and a rank that takes more than 16 bits is refused', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.nat(65_535)), fc.nat(7), (numbers, from) => {
      const tokens = Object.entries(numbers).map(([token, rank]) => [bytesOf(token), rank] as const);
      const packed = packRanks(tokens);
      for (const shifted of [new Uint8Array(packed.length + from), Buffer.alloc(packed.length + from)]) {
        shifted.set(packed, from);
        const ranks = unpackRanks(shifted.subarray(from));
        for (const [token, rank] of new Map(tokens)) expect(ranks(token)).toBe(rank);
      }
    }),
  );
  expect(() => packRanks([['a', 65_536]])).toThrow('16 bits');
});
