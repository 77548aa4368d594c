import { expect, test } from 'vitest';
import { injectionBudget, injectionGroups, type ListedInjection } from './injection-groups.ts';

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

test('the bar of a session is what it got of what its injections may have, by kind', () => {
  const rows = [
    { on: 'start', tokens: 300 },
    { on: 'prompt', tokens: 50 },
    { on: 'prompt', tokens: 100 },
  ] as ListedInjection[];
  const budgets = { start: 700, prompt: 150, action: 60, compaction: 500 };
  expect(injectionBudget({ rows, tokens: 450 }, budgets)).toEqual({
    allowed: 1000,
    kinds: [
      { on: 'start', tokens: 300, share: 0.3 },
      { on: 'prompt', tokens: 150, share: 0.15 },
    ],
  });
  const lowered = injectionBudget({ rows, tokens: 450 }, { start: 0, prompt: 0, action: 0, compaction: 0 });
  expect(lowered.kinds.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
});
