import { describe, expect, it } from 'vitest';
import { phraseBeside, type ScoredPhrase } from './group-phrases.ts';
import type { ConceptGroup } from './groups.ts';
import { nounPhrasesIn } from './noun-phrases.ts';

const longest = (text: string) => {
  const all = nounPhrasesIn(text).map((phrase) => phrase.map(({ form }) => form).join(' '));
  return all.filter((it) => !all.some((other) => other !== it && other.includes(it)));
};

describe('noun phrases', () => {
  it.each([
    ['Add device exclusion to the price list', ['device exclusion', 'price list']],
    ['Make the health check non-blocking', ['health check non-blocking']],
    ['can you run the unit tests for the parser?', ['unit tests for the parser']],
    ['It tracks ownership of baskets', ['ownership of baskets']],
    ['All the unit tests pass now', ['unit tests']],
    ['Fetching metadata of the basket', ['metadata of the basket']],
    ['the pass rate is wrong', ['pass rate']],
    ['shows grams instead of ounces', ['grams', 'ounces']],
    ['the upstream repo fetches release branches', ['upstream repo', 'release branches']],
    ['the smoke test fails', ['smoke test']],
    ["The fork's refs/v1 is old", ['fork', 'refs/v1']],
    ['`basket show` is too much', ['basket show']],
    ['see https://example.com/a/b/c and AB-12', []],
    ['Please do it again', []],
  ])('of %j', (text, phrases) => {
    expect(longest(text)).toEqual(phrases);
  });
});

it('no second name says the first in other signs', () => {
  const phrase = (text: string, keys: string[], inside: number[]): ScoredPhrase => ({
    text,
    keys,
    inside: new Set(inside),
    score: 1,
    hits: 2,
    share: 0.4,
    items: 2,
    named: false,
    most: 0.4,
  });
  const keywords = new Map(['index', 'jsonl', 'pass', 'rate', 'cpm'].map((key) => [key, 2]));
  const group = { items: [1, 2, 3, 4, 5], keywords } as unknown as ConceptGroup;
  const all = { counts: keywords, items: 100 };
  const first = phrase('index.jsonl', ['index.jsonl'], [0]);
  const same = phrase('index JSONL', ['index', 'jsonl'], [1, 2]);
  const other = phrase('pass rate', ['pass', 'rate'], [3, 4]);
  const beside = (others: ScoredPhrase[], counts = all) =>
    phraseBeside(first, [first, ...others], group, counts);
  expect(beside([same])).toBeUndefined();
  expect(beside([same, other])).toBe(other);
  const everywhere = { counts: new Map([...keywords].map(([key]) => [key, 50])), items: 100 };
  expect(beside([other], everywhere)).toBeUndefined();
  const short = phrase('CPM warnings', ['cpm'], [3, 4]);
  const long = phrase('counts per minute', ['count', 'minut'], [0]);
  expect(phraseBeside(long, [long, short], group, all)).toBeUndefined();
});
