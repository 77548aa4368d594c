import { expect, test } from 'vitest';
import { confidenceWords } from './confidence-words.ts';

test.each([
  [0.5, '1 of 2'],
  [0.66, '2 of 3'],
  [0.74, '3 of 4'],
  [0.8, '4 of 5'],
  [0.91, '9 of 10'],
  [0.97, '19 of 20'],
  [1, '19 of 20'],
  [0.1, '1 of 10'],
  [0.4, '2 of 5'],
  [0.2, '1 of 5'],
])('%s is said as %s', (confidence, words) => {
  expect(confidenceWords(confidence)).toBe(words);
});

test('what is said is never further off than a tenth', () => {
  for (let confidence = 0.1; confidence <= 1; confidence += 0.01) {
    const [right, of] = confidenceWords(confidence).split(' of ').map(Number);
    expect(Math.abs(right! / of! - confidence)).toBeLessThan(0.1);
  }
});
