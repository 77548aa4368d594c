import { expect, test } from 'vitest';
import { growthByDay } from './growth.ts';

const dayOf = (time: string) => time.slice(0, 10);

test('what a day added is counted by kind, oldest day first, and what has no date is left out', () => {
  const days = growthByDay(
    {
      facts: [
        { kind: 'rule', time: '2026-01-06T10:00:00Z' },
        { kind: 'decision', time: '2026-01-05T10:00:00Z' },
        { kind: 'lesson', time: '2026-01-05T11:00:00Z' },
        { kind: 'rule', time: '' },
      ],
      keepits: [{ time: '2026-01-06T12:00:00Z' }],
      sessions: [
        { time: '2026-01-05T09:00:00Z', bytes: 100 },
        { time: '2026-01-05T19:00:00Z', bytes: 50 },
      ],
    },
    dayOf,
  );
  expect(days).toEqual([
    { day: '2026-01-05', rules: 0, decisions: 1, facts: 1, keepits: 0, bytes: 150 },
    { day: '2026-01-06', rules: 1, decisions: 0, facts: 0, keepits: 1, bytes: 0 },
  ]);
});
