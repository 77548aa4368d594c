import { expect, test } from 'vitest';
import { systemClock } from './system-clock.ts';

test('a time is UTC, and the same moment in both forms', () => {
  const before = systemClock.millis();
  const now = systemClock.now();
  expect(now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Date.parse(now)).toBeGreaterThanOrEqual(before);
});

test('local time has minutes and no zone; what is no time stays as it is', () => {
  const date = new Date(2026, 0, 5, 14, 3, 59);
  expect(systemClock.local(date.toISOString())).toBe('2026-01-05 14:03');
  expect(systemClock.local('')).toBe('');
  expect(systemClock.local('soon')).toBe('soon');
});
