import { expect, test } from 'vitest';
import { timeTicks } from './time-ticks.ts';

test('dates below bars are evenly apart and fit the width', () => {
  expect(timeTicks(0, 400)).toEqual([]);
  expect(timeTicks(1, 40)).toEqual([0]);
  expect(timeTicks(46, 414)).toEqual([0, 12, 24, 36]);
  expect(timeTicks(3, 900)).toEqual([0, 1, 2]);
});
