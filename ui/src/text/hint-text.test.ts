import { expect, test } from 'vitest';
import { codePieces, hintText } from './hint-text.ts';

test('a hint names the view or the button of the page that does the same', () => {
  const expected: Record<string, string> = {
    'Run `keepsake sync`, then verify again.': 'Press Sync everything in Maintenance, then verify again.',
    '`keepsake sync` makes it.': 'Sync everything in Maintenance makes it.',
    '`POST /api/memory/sync` finds new ones.': 'Sync everything in Maintenance finds new ones.',
    '`GET /api/memory/sessions` lists them.': 'Memory lists them.',
    '`POST /api/memory/sessions/batch` takes every session.': 'Add to memory takes every session.',
    'See `GET /api/memory/projects/{projectId}/memory`.': 'See Memory files.',
    'Run `keepsake doctor`.': 'Open Maintenance.',
    'Run `keepsake ui` again.': 'Run `keepsake ui` again.',
    'Add `force` to put it in its place.': 'Add `force` to put it in its place.',
  };
  for (const [hint, text] of Object.entries(expected)) expect(hintText(hint)).toBe(text);
});

test('words in backticks are code; one alone is a sign', () => {
  expect(codePieces('Run `a b`.')).toEqual([
    { text: 'Run ', code: false },
    { text: 'a b', code: true },
    { text: '.', code: false },
  ]);
  expect(codePieces('it`s')).toEqual([{ text: 'it`s', code: false }]);
});

test('what a colon announced is in a place', () => {
  expect(hintText('If it is your own rule, add it: `keepsake facts add`.')).toBe(
    'If it is your own rule, add it in Facts.',
  );
  expect(hintText('First: Run `keepsake verify`.')).toBe('First: Open Verify in Maintenance.');
});
