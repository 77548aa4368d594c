import { expect, test } from 'vitest';
import { byWeight, outcomeAt, presetOf } from './weights.ts';

test('a weight that equals its threshold barely survives, however it is reckoned', () => {
  expect(outcomeAt(0.8, 0.5 + 0.3)).toBe('BARELY SURVIVES');
  expect(outcomeAt(0.8, 0.65)).toBe('SURVIVES');
  expect(outcomeAt(0.8, 0.1 + 0.7000001)).toBe('BARELY SURVIVES');
  expect(outcomeAt(0.79, 0.8)).toBe('SUMMARIZED');
  expect(outcomeAt(1, 1.3)).toBe('SURVIVES');
});

test('markers are counted by weight, heaviest first', () => {
  expect(byWeight([{ weight: 0.5 }, { weight: 1 }, { weight: 0.5 }])).toEqual([
    { weight: 1, preset: 'pinned', count: 1 },
    { weight: 0.5, preset: 'notable', count: 2 },
  ]);
  expect(presetOf(0.05)).toBe('hint');
});
