import { describe, expect, it } from 'vitest';
import { nounPhrasesIn } from './noun-phrases.ts';

const longest = (text: string) => {
  const all = nounPhrasesIn(text).map((phrase) => phrase.map(({ form }) => form).join(' '));
  return all.filter((it) => !all.some((other) => other !== it && other.includes(it)));
};

describe('noun phrases', () => {
  it.each([
    ['Add device exclusion to the price list', ['device exclusion to the price list']],
    ['Make the health check non-blocking', ['health check non-blocking']],
    ['can you run the unit tests for the parser?', ['unit tests for the parser']],
    ['It tracks ownership of baskets', ['ownership of baskets']],
    ['All the unit tests pass now', ['unit tests']],
    ['Fetching metadata of the basket', ['metadata of the basket']],
    ['the pass rate is wrong', ['pass rate']],
    ['shows grams instead of ounces', ['grams', 'ounces']],
    ['see https://example.com/a/b/c and AB-12', []],
    ['Please do it again', []],
  ])('of %j', (text, phrases) => {
    expect(longest(text)).toEqual(phrases);
  });
});
