import { expect, test } from 'vitest';
import { readWeight } from './weight.ts';

test('a weight is a number with two decimals, or the name of a preset', () => {
  const weights = ['0.8', '.80', '1', '1.00', '0', 'PINNED', ' hint '].map((text) => readWeight(text));
  expect(weights).toEqual([0.8, 0.8, 1, 1, 0, 1, 0.1].map((weight) => ({ weight })));
});

test('anything else is said to be wrong, and how', () => {
  for (const text of ['1.5', '-0.1', '2', '100000'])
    expect(readWeight(text)).toHaveProperty('wrong', expect.stringContaining('between 0.00 and 1.00'));
  expect(readWeight('0.805')).toHaveProperty('wrong', expect.stringContaining('two decimals'));
  for (const text of ['', 'heavy', '80%', '1e0', 'NaN', '0,8', 'constructor'])
    expect(readWeight(text)).toHaveProperty('wrong', expect.stringContaining('is not a weight'));
});
