import * as encoding from 'ai-tokenizer/encoding/claude';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packRanks, unpackRanks } from './token-ranks.ts';

const known = encoding.stringEncoder as Record<string, number>;

test('every token of the encoding has its rank, however many were asked for before', () => {
  const ranks = unpackRanks(packRanks(known));
  const tokens = Object.entries(known);
  expect(tokens.length).toBeGreaterThan(60_000);
  for (const [token, rank] of tokens)
    if (ranks[token] !== rank) expect([token, ranks[token]]).toEqual([token, rank]);
});

test('any other text is as an object has it, its inherited names included', () => {
  const ranks = unpackRanks(packRanks(known));
  for (const name of ['constructor', 'toString', '__proto__', '', '\uffff'])
    expect(ranks[name]).toBe(known[name]);
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 3 })),
      (text) => {
        expect(ranks[text]).toBe(known[text]);
      },
    ),
    { numRuns: 2000 },
  );
});

test('any tokens come back, and a rank that takes more than 16 bits is refused', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.nat(65_535)), (numbers) => {
      const ranks = unpackRanks(packRanks(numbers));
      for (const [token, rank] of Object.entries(numbers)) expect(ranks[token]).toBe(rank);
    }),
  );
  expect(() => packRanks({ a: 65_536 })).toThrow('16 bits');
});
