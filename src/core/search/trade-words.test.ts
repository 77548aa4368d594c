import { expect, test } from 'vitest';
import { termsOf } from '../text/terms.ts';
import { isShaping, SHAPING, TRADE, tradeTerms } from './trade-words.ts';

test('every word of the trade is found by its term, with all its answers', () => {
  const expected = new Map<string, Set<string>>();
  for (const line of TRADE.trim().split(/\n| \| /)) {
    const [word = '', answers = ''] = line.split(': ');
    const [asked] = termsOf(word);
    if (asked === undefined) continue;
    const known = expected.get(asked) ?? new Set();
    expected.set(asked, known);
    for (const term of termsOf(answers)) if (term !== asked) known.add(term);
  }
  expect(expected.size).toBeGreaterThan(100);
  for (const [asked, answers] of expected) expect([asked, tradeTerms(asked)]).toEqual([asked, [...answers]]);
  expect(tradeTerms('basket')).toEqual([]);
});

test('every word that only shapes a question is known by its term', () => {
  for (const term of termsOf(SHAPING)) expect([term, isShaping(term)]).toEqual([term, true]);
  expect(isShaping('basket')).toBe(false);
});
