import { expect, test } from 'vitest';
import { injectionGroups, type ListedInjection } from './injection-groups.ts';

const row = (id: string, at: string, session: string, tokens: number) =>
  ({ id, at, session, tokens, title: session, projectId: 'p' }) as ListedInjection;

test('injections are grouped by day and session, each once, and a day is named once', () => {
  const groups = injectionGroups([
    row('d', '2026-01-06T12:00:00', 'two', 4),
    row('c', '2026-01-06T11:00:00', 'one', 3),
    row('b', '2026-01-06T10:00:00', 'two', 2),
    row('a', '2026-01-05T10:00:00', 'two', 1),
  ]);
  expect(
    groups.map((it) => [it.session, it.tokens, it.isFirstOfDay, it.rows.map(({ id }) => id).join('')]),
  ).toEqual([
    ['two', 6, true, 'db'],
    ['one', 3, false, 'c'],
    ['two', 1, true, 'a'],
  ]);
});
