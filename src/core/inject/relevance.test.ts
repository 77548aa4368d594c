import fc from 'fast-check';
import { expect, test } from 'vitest';
import { termsOf } from '../text/terms.ts';
import { askedBy, type Rarity, relevance, soughtTerms } from './relevance.ts';

const COMMON = new Set(['test', 'run', 'commit', 'file', 'session']);
/** Everything is known and rare, but for a few words that are everywhere. */
const rarity: Rarity = (term) => ({ lines: 3, rarity: COMMON.has(term) ? 0.2 : 0.9 });

test('two rare words in common are worth saying', () => {
  const asked = askedBy('Why does the condensation of the shadow branch fail?', rarity);
  expect(relevance(asked, 'The condensation failed since the shadow branch was gone.')).toBeGreaterThan(1.5);
});

test('one rare word, or common words only, are not', () => {
  const asked = askedBy('run the test file and commit the condensation', rarity);
  expect(relevance(asked, 'Condensation is on the window.')).toBe(0);
  expect(relevance(asked, 'I run each test file and commit the session.')).toBe(0);
});

test('a path counts once, not once more for each of its parts', () => {
  const asked = askedBy('look at src/core/search/bm25.ts', rarity);
  const path = 'src/core/search/bm25.ts';
  expect(relevance(asked, `I changed ${path}.`)).toBe(0);
  expect(relevance(asked, 'The src of core search.')).toBeGreaterThan(0);
});

test('what memory has never heard of makes the rest weigh less', () => {
  const unknown: Rarity = (term) =>
    term.startsWith('zz') ? { lines: 0, rarity: 1 } : { lines: 3, rarity: 0.8 };
  const text = 'the parser and the lexer';
  expect(relevance(askedBy('parser lexer', unknown), text)).toBeGreaterThan(0);
  const more = Array.from({ length: 20 }, (_, n) => `zz${'abcdefghijklmnopqrst'[n]}x`).join(' ');
  expect(relevance(askedBy(`parser lexer ${more}`, unknown), text)).toBe(0);
});

test('nothing is looked for when nothing could be worth saying, and common words only when there are no others', () => {
  expect(soughtTerms(askedBy('run the test file and commit', rarity))).toEqual([]);
  const common: Rarity = (term) => ({ lines: 9, rarity: COMMON.has(term) ? 0.1 : 0.9 });
  expect(soughtTerms(askedBy('the condensation of a shadow in the test file', common))).toEqual([
    'condens',
    'shadow',
  ]);
});

test('what is worth saying shares a word that is looked for', () => {
  const words = fc.array(
    fc.constantFrom('test', 'run', 'shadow', 'branch', 'src/core/bm25.ts', 'core', 'lexer'),
  );
  fc.assert(
    fc.property(words, words, (prompt, text) => {
      const asked = askedBy(prompt.join(' '), rarity);
      const sought = soughtTerms(asked);
      const held = new Set(termsOf(text.join(' ')));
      if (relevance(asked, text.join(' ')) > 0) expect(sought.some((term) => held.has(term))).toBe(true);
    }),
  );
});

test('any prompt and any text: never negative, and nothing shared is nothing worth', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (prompt, text) => {
      const asked = askedBy(prompt, rarity);
      expect(relevance(asked, text)).toBeGreaterThanOrEqual(0);
      expect(relevance(asked, '')).toBe(0);
      expect(asked.known.size).toBeLessThanOrEqual(24);
    }),
  );
});
