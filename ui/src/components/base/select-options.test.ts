import { expect, test } from 'vitest';
import { filterOptions } from './select-options.ts';

const options = [
  { value: 'a', title: 'The old shop', about: '/home/ada/old' },
  { value: 'b', title: 'Shop', about: '/home/ada/shop' },
  { value: 'c', title: 'Bakery', about: '/home/ada/oven' },
];

test('every typed word must be there, titles that begin with them come first', () => {
  const found = (typed: string) => filterOptions(options, typed).map(({ value }) => value);
  expect(found('')).toEqual(['a', 'b', 'c']);
  expect(found('shop')).toEqual(['b', 'a']);
  expect(found('ada OVEN')).toEqual(['c']);
  expect(found('shop oven')).toEqual([]);
});
