import { expect, test } from 'vitest';
import { askTitle } from './ask-title.ts';

test('a title is the first line, cut between words', () => {
  expect(askTitle('\n Fix the build \nand more')).toBe('Fix the build');
  expect(askTitle('one two three four', 12)).toBe('one two…');
  expect(askTitle('abcdefghijklmnop', 8)).toBe('abcdefgh…');
  expect(askTitle('')).toBe('');
});
