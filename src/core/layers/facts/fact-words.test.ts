import { expect, test } from 'vitest';
import { factWords } from './fact-words.ts';

test.each([
  ['From now on, always run the linter before a commit!', 'run linter before the commit'],
  ['Please use PNPM here.', 'Always use pnpm'],
  ['Never touch `dist/`.', 'never touch dist/'],
])('%s says the same as %s', (one, other) => expect(factWords(one)).toBe(factWords(other)));

test.each([
  ['Use tabs.', 'Never use tabs.'],
  ['Use tabs.', 'Do not use tabs.'],
  ['Run it before the tests.', 'Run it after the tests.'],
  ['Write it in C.', 'Write it in C++.'],
  ['Pass --force.', 'Pass force.'],
  ['Read a/b.ts.', 'Read a b.ts.'],
  ['Use 4 spaces.', 'Use 2 spaces.'],
])('%s says something else than %s', (one, other) => expect(factWords(one)).not.toBe(factWords(other)));

test('a sentence of filling words alone still says something', () => {
  expect(factWords('Just so.')).toBe('just so');
});
