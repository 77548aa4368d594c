import { expect, test } from 'vitest';
import type { BriefSession } from '../../state/sessions.ts';
import { byMonth, filterSessions, inDays, inOrder } from './list-rows.ts';
import { timelineBars } from './timeline.ts';

const session = (sessionId: string, last: string, tokens = 10, title = sessionId): BriefSession => ({
  sessionId,
  projectId: 'p',
  title,
  branch: 'main',
  agent: 'claude-code',
  first: last,
  last,
  tokens,
  messages: 1,
  registered: true,
  keepits: 0,
  pinned: 0,
  versions: 0,
  covered: 0,
  shortest: 0,
});
const SESSIONS = [
  session('c', '2026-03-02T12:00:00Z', 5),
  session('b', '2026-01-20T12:00:00Z', 50, 'Fix the Basket'),
  session('a', '2026-01-05T12:00:00Z'),
  session('x', 'no time'),
];

test('months come newest first with their sessions and sums, those without a date last', () => {
  const rows = byMonth(SESSIONS, new Set(['2026-01']));
  expect(rows.map((row) => row.key)).toEqual(['2026-03', 'c', '2026-01', '', 'x']);
  expect(rows[2]).toMatchObject({ kind: 'month', count: 2, tokens: 60 });
});

test('a filter wants every word, in title, branch or id; a list has its order', () => {
  expect(filterSessions(SESSIONS, 'basket MAIN').map((it) => it.sessionId)).toEqual(['b']);
  expect(inOrder(SESSIONS, 'largest').map((row) => row.key)[0]).toBe('b');
  expect(inOrder(SESSIONS, 'title').map((row) => row.key)).toEqual(['a', 'c', 'b', 'x']);
});

test('the days of a bar give its sessions, and no others', () => {
  const many = Array.from({ length: 90 }, (_, n) =>
    session(`s${n}`, new Date(Date.UTC(2026, 0, 1, 3 * n)).toISOString()),
  );
  for (const all of [
    many,
    many.map((it, n) => ({ ...it, last: new Date(Date.UTC(2024, 0, n * 7)).toISOString() })),
  ])
    for (const bar of timelineBars(all).bars) expect(inDays(all, bar.key)).toHaveLength(bar.count);
  expect(inDays(SESSIONS, '2026-01-05')).toEqual([SESSIONS[2]]);
  expect(inDays(SESSIONS, '')).toBe(SESSIONS);
});

test('a timeline has at most 60 bars, and every session with a date is in one', () => {
  for (const days of [1, 30, 200, 3000]) {
    const many = Array.from({ length: 90 }, (_, n) =>
      session(`s${n}`, new Date(Date.UTC(2020, 0, 1) + (n * days * 86_400_000) / 90).toISOString()),
    );
    const { bars } = timelineBars([...many, session('x', 'never')]);
    expect(bars.length).toBeLessThanOrEqual(days === 3000 ? 100 : 60);
    expect(bars.reduce((sum, bar) => sum + bar.count, 0)).toBe(90);
  }
});
