import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const COMMANDS = ['sessions', 'show', 'sync', 'status', 'register', 'unregister', 'projects'];

test.each([
  ['sesions', ['sessions']],
  ['shwo', ['show']],
  ['proj', ['projects']],
  ['xyzzy', []],
])('%s suggests %j', (word, expected) => {
  expect(nearest(word, COMMANDS)).toEqual(expected);
});

test('a word with two neighbours swapped is always found', () => {
  fc.assert(
    fc.property(fc.constantFrom(...COMMANDS), fc.nat(), (command, place) => {
      const at = place % (command.length - 1);
      const slip = command.slice(0, at) + command[at + 1] + command[at] + command.slice(at + 2);
      expect(nearest(slip, COMMANDS, 9)).toContain(command);
    }),
  );
});
