import { expect, test } from 'vitest';
import { promptKind, recallsEarlier } from './prompt-kind.ts';

// A word of each pattern: what is looked for first must let all of them through.
test.each([
  ['Which port does the server use', 'ask'],
  ['Hey, how many workers run', 'ask'],
  ['At which size is memory rotated', 'ask'],
  ['Cart total, cents or euros?  ', 'ask'],
  ['カートの合計は？', 'ask'],
  ['Why was the cache removed', 'ask-past'],
  ['Where did the index turn out to be slow', 'ask-past'],
  ['How is it that prices no longer round', 'ask-here'],
  ['What is the status of the cart', 'ask-here'],
  ['How should I name the table', 'ask-here'],
  ['Is there another way to sort', 'ask-here'],
  [' Would moving the cart speed up the checkout?', 'ask-here'],
  ['Prices are wrong. Why?', 'ask-here'],
  ['Why are these red', 'ask-here'],
  ['What of the changes is left', 'ask-here'],
  ['Could you sort the cart?', 'do'],
  ['So, might we sort the cart?', 'do'],
  ["What if let's say nothing is sold?", 'do'],
  ['How, I think, would a cart sort?', 'do'],
  ['What I need: a cart?', 'do'],
  ['Do not sort the cart', 'do'],
  ['Hmmm, what now', 'do'],
  ['But why', 'do'],
  ['Sort the cart', 'do'],
] as const)('%s is %s', (prompt, kind) => {
  expect(promptKind(prompt)).toBe(kind);
});

test.each([
  'I thought we sort by price',
  'Didn\u2019t we sort by price',
  'have not we sorted it',
  'We had decided to sort by price',
  'Last week it was sorted',
  'Previously it was sorted',
  'It no longer sorts',
])('%s recalls something earlier', (prompt) => {
  expect(recallsEarlier(prompt)).toBe(true);
});

test('what is asked now recalls nothing', () => {
  expect(recallsEarlier('Sort the cart by price')).toBe(false);
});
