import { expect, test } from 'vitest';
import { activitySteps } from './activity-steps.ts';
import { shortestVersions } from './shortest-versions.ts';

test('of each part the shortest version counts, once', () => {
  const version = (part: number, inputTokens: number, outputTokens: number) => ({
    part,
    inputTokens,
    outputTokens,
  });
  expect(shortestVersions([])).toEqual({ covered: 0, shortest: 0 });
  expect(shortestVersions([version(1, 100, 30), version(1, 100, 10), version(2, 50, 20)])).toEqual({
    covered: 150,
    shortest: 30,
  });
});

test('steps hold all tokens that have a date, the last time falls into the last step', () => {
  const work = ['2026-01-01', '2026-01-02', '2026-01-11', 'never'].map((time) => ({ time, tokens: 5 }));
  expect(activitySteps(work, 5)).toEqual([10, 0, 0, 0, 5]);
  expect(activitySteps([{ time: '2026-01-01', tokens: 7 }], 3)).toEqual([7, 0, 0]);
  expect(activitySteps([{ time: 'never', tokens: 7 }], 3)).toEqual([]);
});
