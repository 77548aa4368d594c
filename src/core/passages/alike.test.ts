import fc from 'fast-check';
import { expect, it } from 'vitest';
import { alikeTerms, areAlike } from './alike.ts';

const rarityOf = (term: string) => (term === 'the' ? 0 : 1);

it('is 1 for the same words, 0 for none in common, and rare words decide', () => {
  expect(alikeTerms(['oven', 'timer'], ['timer', 'oven'], rarityOf)).toBeCloseTo(1);
  expect(alikeTerms(['oven'], ['dough'], rarityOf)).toBe(0);
  expect(alikeTerms(['the', 'oven'], ['the', 'dough'], rarityOf)).toBe(0);
  expect(alikeTerms([], ['dough'], rarityOf)).toBe(0);
  expect(alikeTerms(['oven', 'timer'], ['oven', 'dough'], rarityOf)).toBeCloseTo(0.5);
});

it('says the same whether or not two texts are this alike, and asks for fewer words', () => {
  const words = [...'abcdefghijkl'];
  const text = fc.array(fc.constantFrom(...words), { maxLength: 14 });
  const rarities = fc.array(fc.constantFrom(0, 0.1, 0.35, 0.7, 1), { minLength: 12, maxLength: 12 });
  let [asked, all] = [0, 0];
  fc.assert(
    fc.property(
      text,
      text,
      rarities,
      fc.constantFrom(0, 0.15, 0.25, 0.3, 0.5, 1),
      (one, other, of, least) => {
        const looked = new Set<string>();
        const rarityFor = (term: string) => of[words.indexOf(term)]!;
        const noted = (term: string) => {
          looked.add(term);
          return rarityFor(term);
        };
        expect(areAlike(one, other, noted, least)).toBe(alikeTerms(one, other, rarityFor) >= least);
        asked += looked.size;
        all += new Set([...one, ...other]).size;
      },
    ),
    { numRuns: 3000, seed: 11 },
  );
  expect(asked).toBeLessThan(0.9 * all);
});

it('says so on the very edge', () => {
  const half = alikeTerms(['oven', 'timer'], ['oven', 'dough'], () => 1);
  expect(areAlike(['oven', 'timer'], ['oven', 'dough'], () => 1, half)).toBe(true);
  expect(areAlike(['oven', 'timer'], ['oven', 'dough'], () => 1, half + 1e-12)).toBe(false);
});
