import { expect, test } from 'vitest';
import { injectionDays } from './injection-days.ts';

test('tokens are summed by day and by when they were added, oldest day first', () => {
  const at = (day: number, on: 'start' | 'prompt', tokens: number) => ({
    at: `2026-01-0${day}T10:00:00Z`,
    on,
    tokens,
  });
  expect(
    injectionDays([at(2, 'start', 5), at(1, 'prompt', 3), at(2, 'start', 1)], (time) => time.slice(0, 10)),
  ).toEqual([
    { day: '2026-01-01', start: 0, prompt: 3, action: 0, compaction: 0 },
    { day: '2026-01-02', start: 6, prompt: 0, action: 0, compaction: 0 },
  ]);
});
