import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionStatement } from '../../model/statement.ts';
import { overturnedLater, type StatedSession } from './overturned-later.ts';

const said = (id: string, text: string, more: Partial<SessionStatement> = {}): SessionStatement => ({
  id,
  kind: 'decision',
  text: `User: "${text}"`,
  author: 'user',
  foundBy: 'words',
  tier: 'shown',
  confidence: 0.6,
  quotes: [{ by: 'user', field: 'text', line: 1, src: 0, text }],
  overturned: [],
  exchange: 1,
  ts: '',
  ...more,
});
const session = (sessionId: string, last: string, ...statements: SessionStatement[]): StatedSession => ({
  sessionId,
  last,
  statements,
});
const against = (a: string, b: string) => /\bnever\b/.test(a) !== /\bnever\b/.test(b);

const RULE = said('st_1', 'always store the invoice amounts of a customer as floats');
const CONTRARY = said('st_2', 'never store the invoice amounts of a customer as floats');

test('the later of two that contradict each other counts, whichever came in first', () => {
  const sessions = [session('a', '2026-01-01', RULE), session('b', '2026-01-02', CONTRARY)];
  expect([...overturnedLater(sessions, against)]).toEqual([['st_1', CONTRARY.quotes[0]!.text]]);
  expect([...overturnedLater(sessions.toReversed(), against)]).toEqual([
    ...overturnedLater(sessions, against),
  ]);
});

test('what names something that a later commit replaced is over', () => {
  const uses = said('st_1', 'the importer reads the queue of jobs with `readQueue` in batches of ten');
  const replaced = said(
    'st_2',
    'Replaced `readQueue` with `streamJobs` in the importer for the queue of jobs',
    {
      foundBy: 'commit',
      author: 'assistant',
    },
  );
  const found = overturnedLater(
    [session('a', '2026-01-01', uses), session('b', '2026-01-02', replaced)],
    against,
  );
  expect([...found.keys()]).toEqual(['st_1']);
});

test('what a later one quotes as the earlier rule is over', () => {
  const rule = said('st_1', 'Test the order of signals (success displaces buffered error)');
  const commit = (quoted: string) =>
    said('st_2', `Make the first result final. The ${quoted} rule let a stranger overwrite a denial.`, {
      foundBy: 'commit',
      author: 'assistant',
    });
  const after = (later: SessionStatement) =>
    overturnedLater([session('a', '2026-01-01', rule), session('b', '2026-01-02', later)], against).size;
  expect(after(commit('earlier "success displaces a buffered error"'))).toBe(1);
  expect(after(commit('new "success displaces a buffered error"'))).toBe(0);
  expect(after(commit('earlier "success replaces a buffered error"'))).toBe(0);
  expect(after(commit('earlier "error"'))).toBe(0);
  expect(after(said('st_2', 'Go back to the old "success displaces a buffered error" rule.'))).toBe(0);
});

test('an agent’s claim, another subject and the same session overturn nothing', () => {
  const claim = { ...CONTRARY, foundBy: 'claim', author: 'assistant' } as SessionStatement;
  const other = said('st_3', 'never deploy the website on a friday afternoon');
  for (const later of [claim, other])
    expect(overturnedLater([session('a', '1', RULE), session('b', '2', later)], against).size).toBe(0);
  expect(overturnedLater([session('a', '1', RULE, CONTRARY)], against).size).toBe(0);
});

test('the order in which sessions come says nothing', () => {
  const sessions = ['1', '2', '3', '4'].map((day) =>
    session(
      day,
      `2026-01-0${day}`,
      said(
        `st_${day}`,
        `${Number(day) % 2 ? 'always' : 'never'} store invoice amounts of customers as floats`,
      ),
    ),
  );
  const expected = [...overturnedLater(sessions, against)].sort();
  fc.assert(
    fc.property(fc.shuffledSubarray(sessions, { minLength: 4 }), (order) => {
      expect([...overturnedLater(order, against)].sort()).toEqual(expected);
    }),
  );
});
