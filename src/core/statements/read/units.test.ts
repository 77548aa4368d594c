import { expect, test } from 'vitest';
import { unitsOf } from './units.ts';

test('a sentence that was broken for its length is one again, at its place in the text', () => {
  const text =
    'The price is rounded on every line of the invoice, so the sum of them is off by\nsome cents at the end. Round once.\nkeep the cents';
  const units = unitsOf(text);
  expect(units.map((unit) => unit.text)).toEqual([
    'The price is rounded on every line of the invoice, so the sum of them is off by some cents at the end.',
    'Round once.',
    'keep the cents',
  ]);
  for (const { from, to } of units) expect(text.slice(from, to).trim()).toBe(text.slice(from, to));
  expect(text.slice(units[0]!.from, units[0]!.to)).toContain('by\nsome');
});

test('a line that ends, a list and a short line stay apart', () => {
  const apart =
    'Every invoice of the shop goes to the printer in the back office today.\nthen to the archive\n- one item of the list that is long enough to be a broken line\n- another';
  expect(unitsOf(apart)).toHaveLength(4);
});

test('things to do are known by their boxes', () => {
  const [done, open, plain] = unitsOf('- [x] Print the invoice\n- [ ] Send the invoice\n- Sum the invoice');
  expect([done?.task, open?.task, plain?.task]).toEqual([true, true, undefined]);
});
