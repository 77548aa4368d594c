import { expect, test } from 'vitest';
import type { Manifest } from '../../core/model/manifest.ts';
import { sessionDistance, sessionDistances } from './session-distance.ts';

function sessions(of: Record<string, [last: string, used: string, registered?: boolean]>) {
  const entries = Object.entries(of).map(([sessionId, [lastTimestamp, lastAccessed, registered = true]]) => [
    sessionId,
    { sessionId, lastTimestamp, lastAccessed, registered, originalMessages: lastTimestamp === '' ? 0 : 2 },
  ]);
  return { sessions: Object.fromEntries(entries) } as Pick<Manifest, 'sessions'>;
}

test('the session with the latest message is the nearest', () => {
  const manifest = sessions({
    a: ['2026-01-01', '2026-01-01'],
    b: ['2026-01-03', '2026-01-02'],
    c: ['2026-01-02', ''],
  });
  expect([...sessionDistances(manifest)]).toEqual([
    ['b', 1],
    ['c', 2],
    ['a', 3],
  ]);
});

test('a session that was used again is near again', () => {
  const manifest = sessions({ a: ['2026-01-01', '2026-01-09'], b: ['2026-01-03', '2026-01-03'] });
  expect(sessionDistance(manifest, 'a')).toBe(1);
  // The latest by its words stays as near as it was: using old sessions pushes nobody's yesterday away.
  expect(sessionDistance(manifest, 'b')).toBe(1);
});

test('old sessions that were composed leave the latest ones where they are', () => {
  const old = Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [
      `old${at}`,
      [`2025-01-0${at + 1}`, '2026-02-01'] as [string, string],
    ]),
  );
  const manifest = sessions({
    ...old,
    yesterday: ['2026-01-30', '2026-01-30'],
    before: ['2026-01-29', '2026-01-29'],
  });
  expect(sessionDistance(manifest, 'yesterday')).toBe(1);
  expect(sessionDistance(manifest, 'before')).toBe(2);
  expect(sessionDistance(manifest, 'old7')).toBe(1);
});

test('two of one moment go by their ids, in whatever order they were recorded', () => {
  const one = sessions({ b: ['2026-01-01', ''], a: ['2026-01-01', ''] });
  const other = sessions({ a: ['2026-01-01', ''], b: ['2026-01-01', ''] });
  expect([...sessionDistances(one)]).toEqual([...sessionDistances(other)]);
  expect(sessionDistance(one, 'a')).toBe(1);
});

test('an unregistered session pushes nobody away, and has the distance that it would have', () => {
  const manifest = sessions({ a: ['2026-01-01', ''], b: ['2026-01-03', '', false], c: ['2026-01-02', ''] });
  expect(sessionDistances(manifest).get('c')).toBe(1);
  expect(sessionDistances(manifest).has('b')).toBe(false);
  expect(sessionDistance(manifest, 'b')).toBe(1);
  expect(sessionDistance(manifest, 'nobody')).toBe(4);
});

test('a session in which nothing was said pushes nobody away, however late it was found', () => {
  const manifest = sessions({ a: ['2026-01-01', ''], empty: ['', '2026-06-01'] });
  expect(sessionDistance(manifest, 'a')).toBe(1);
  expect(sessionDistance(manifest, 'empty')).toBe(2);
});
