import { expect, test } from 'vitest';
import { type HistoryItem, historySentence, historyWhere } from './history-text.ts';

const row = (more: Partial<HistoryItem>) =>
  ({
    at: '2026-01-05T10:00:00Z',
    action: 'register',
    projectId: 'p',
    projectName: 'shop',
    ...more,
  }) as HistoryItem;
const read = (more: Partial<HistoryItem>) => {
  const { before, session, after } = historySentence(row(more));
  return `${before}${session}${after}`;
};
const sessionId = '0123456789abcdef' as NonNullable<HistoryItem['sessionId']>;

test('what was done reads as a sentence, with the title of the session', () => {
  expect(read({ sessionId, title: 'Round prices' })).toBe('Added Round prices to memory.');
  expect(read({ sessionId, action: 'purge' })).toBe('Purged session 01234567.');
  expect(read({ sessionId, title: 'Round prices', action: 'compress', note: 'part1_v001, 10:1' })).toBe(
    'Compressed Round prices. part1_v001, 10:1.',
  );
  expect(read({ sessionId, title: 'A', action: 'grow', details: { before: 1000, after: 3500 } })).toBe(
    'Synced A. 2.5 kB more.',
  );
  expect(read({ action: 'settings' })).toBe('Changed a setting.');
  expect(read({ action: 'purge', note: 'A text was purged.' })).toBe('A text was purged.');
});

test('it says whose it was and where', () => {
  expect(historyWhere(row({ projects: 2 }))).toBe('2 projects');
  expect(historyWhere(row({ by: 'me', via: 'typed' } as Partial<HistoryItem>))).toBe(
    'shop, by you, via typed',
  );
});
