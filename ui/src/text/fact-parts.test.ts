import { expect, test } from 'vitest';
import { factParts } from './fact-parts.ts';

test('a commit has a subject and a body', () => {
  expect(factParts('Commit: feat: slots — Quarter hours; six — or eight — orders')).toEqual({
    subject: 'feat: slots',
    body: 'Quarter hours; six — or eight — orders',
  });
  expect(factParts('Commit: fix: round up')).toEqual({ subject: 'fix: round up', body: '' });
});

test('other facts are all body', () => {
  const content = 'Never print .env — read the names only.';
  expect(factParts(content)).toEqual({ subject: '', body: content });
});
