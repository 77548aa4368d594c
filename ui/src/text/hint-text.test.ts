import { expect, test } from 'vitest';
import { codePieces, hintText } from './hint-text.ts';

test('a hint names the button that does the same', () => {
  expect(hintText('Run `keepsake sync`, then verify again.')).toBe(
    'Press Sync everything, then verify again.',
  );
  expect(hintText('`keepsake sync` makes it.')).toBe('Sync everything makes it.');
  expect(hintText('Run `keepsake doctor`.')).toBe('Run `keepsake doctor`.');
});

test('words in backticks are code; one alone is a sign', () => {
  expect(codePieces('Run `a b`.')).toEqual([
    { text: 'Run ', code: false },
    { text: 'a b', code: true },
    { text: '.', code: false },
  ]);
  expect(codePieces('it`s')).toEqual([{ text: 'it`s', code: false }]);
});
