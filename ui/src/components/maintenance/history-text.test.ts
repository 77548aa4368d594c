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
  const { before, what, after } = historySentence(row(more));
  return `${before}${what}${after}`;
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
  expect(read({ sessionId, title: 'A', action: 'journal', note: `Summarized ${sessionId}` })).toBe(
    'Wrote a journal page of A.',
  );
  const edit = (more: object) =>
    ({ action: 'fact', details: { edit: { factId: 'm_5fd5a39626', ...more } } }) as const;
  expect(read(edit({ action: 'reject' }))).toBe('Rejected a fact.');
  expect(read({ ...edit({ action: 'confirm' }), fact: 'Prices are whole cents' })).toBe(
    'Confirmed the fact: Prices are whole cents.',
  );
  expect(read({ ...edit({ action: 'confirm' }), fact: 'word '.repeat(40) })).toMatch(/word…$/);
  expect(read(edit({ action: 'promote' }))).toBe('Offered a fact to the team.');
  expect(historySentence(row(edit({ action: 'add', content: 'Run the linter.' })))).toMatchObject({
    what: 'the fact',
    after: ': Run the linter.',
    to: { query: { fact: 'm_5fd5a39626' } },
  });
  const composition = 'basket';
  expect(read({ action: 'compose', details: { composition, sessions: 2, tokens: 7961 } })).toBe(
    'Composed basket: 2 sessions, 7,961 tokens.',
  );
  expect(read({ action: 'compose', details: { composition } })).toBe('Deleted the composition basket.');
  expect(
    read({ sessionId, title: 'A', action: 'keepit', note: 'Kept with the weight 0.80: k_c58c6563e8795124' }),
  ).toBe('Changed a keepit in A. Kept with the weight 0.80.');
  expect(read({ action: 'settings' })).toBe('Changed a setting.');
  expect(read({ action: 'purge', note: 'Text purged.' })).toBe('Text purged.');
});

test('it says whose it was and where', () => {
  expect(historyWhere(row({ projects: 2 }))).toBe('2 projects');
  expect(historyWhere(row({ by: 'me', via: 'typed' } as Partial<HistoryItem>))).toBe('shop, by you');
});
