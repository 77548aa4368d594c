import { expect, it } from 'vitest';
import { alikeTerms } from './alike.ts';

const rarityOf = (term: string) => (term === 'the' ? 0 : 1);

it('is 1 for the same words, 0 for none in common, and rare words decide', () => {
  expect(alikeTerms(['oven', 'timer'], ['timer', 'oven'], rarityOf)).toBeCloseTo(1);
  expect(alikeTerms(['oven'], ['dough'], rarityOf)).toBe(0);
  expect(alikeTerms(['the', 'oven'], ['the', 'dough'], rarityOf)).toBe(0);
  expect(alikeTerms([], ['dough'], rarityOf)).toBe(0);
  expect(alikeTerms(['oven', 'timer'], ['oven', 'dough'], rarityOf)).toBeCloseTo(0.5);
});
