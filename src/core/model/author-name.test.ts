import { expect, test } from 'vitest';
import { authorName, claimedName } from './author-name.ts';

test('a name that a file gives is on one line, short, and never one for this user', () => {
  expect(claimedName('Kim\n\u202eLee ', 'unknown')).toBe('Kim Lee');
  expect(claimedName('k'.repeat(100), 'unknown')).toHaveLength(60);
  expect(claimedName(undefined, 'unknown')).toBe('unknown');
  expect(claimedName(' \u200b', 'unknown')).toBe('unknown');
  for (const name of ['me', 'Me', ' YOU ', 'the user', 'assistant'])
    expect(claimedName(name, 'unknown')).toMatch(/, imported$/);
});

test('a name that the user gives is refused where it means the user', () => {
  expect(authorName(' Kim ')).toBe('Kim');
  for (const name of ['', 'me', 'user']) expect(() => authorName(name)).toThrow();
});
