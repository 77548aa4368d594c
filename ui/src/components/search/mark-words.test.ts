import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markWords, wordsOf } from './mark-words.ts';

test('a word is marked in all its forms, another one that only holds it is not', () => {
  expect(markWords('Tests failed; the contest did not.', wordsOf('test fail'))).toEqual([
    { text: 'Tests', hit: true },
    { text: ' ', hit: false },
    { text: 'failed', hit: true },
    { text: '; the contest did not.', hit: false },
  ]);
});

test('words that must not be there, and signs of the query, mark nothing', () => {
  expect(wordsOf('"lock file" -windows retr* a')).toEqual(['lock', 'file', 'retr']);
});

const words = fc.string({ unit: 'binary', maxLength: 60 });

test('pieces joined are the text, whatever it holds', () => {
  fc.assert(
    fc.property(words, words, (text, query) => {
      const pieces = markWords(text, wordsOf(query));
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    }),
  );
});
