import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groundingIn } from './grounding.ts';

const SOURCE = `The user asked to fix src/basket/price.ts, where roundCents() used Math.floor.
Ran \`npm test -- basket\`: 3 of 1,204 tests failed, MAX_ITEMS was 40 ms too slow (commit 4f2a91c0, issue #77).
See https://example.com/docs/price and @acme/money, v2.4.1, --dry-run, price_table.`;

describe('a sentence names nothing that its source does not', () => {
  const { unknownIn, share } = groundingIn(SOURCE);

  test.each([
    'It fixed `src/basket/price.ts`: roundCents() rounded with Math.floor.',
    'Of 1204 tests 3 failed; MAX_ITEMS took 40 ms.',
    'Run `npm test -- basket` again, or npm test alone.',
    'Commit 4f2a91c0 closes #77, with @acme/money 2.4.1 and --dry-run.',
    '1. The price_table stays and/or goes, e.g. later.',
    'See https://example.com/docs/price.',
    'The node process and git history were fine.',
    'The platform now makes it.',
  ])('sound: %s', (sentence) => expect(unknownIn(sentence)).toEqual([]));

  test.each([
    ['It fixed src/basket/tax.ts.', 'src/basket/tax.ts'],
    ['It fixed price.js too.', 'price.js'],
    ['All 1205 tests pass.', '1205'],
    ['It took 41ms.', '41'],
    ['The function roundEuros() is gone.', 'roundEuros'],
    ['It calls tidy() first.', 'tidy()'],
    ['It set MIN_ITEMS.', 'MIN_ITEMS'],
    ['It used the PriceTable.', 'PriceTable'],
    ['Run `npm run deploy`.', 'npm run deploy'],
    ['Then it ran git push --force there.', 'git push --force'],
    ['Commit 4f2a91c1 did it.', '4f2a91c1'],
    ['It closes #78.', '#78'],
    ['See https://example.com/docs/tax.', 'https://example.com/docs/tax'],
    ['It passed --no-verify.', '--no-verify'],
    ['It upgraded to v2.4.2.', 'v2.4.2'],
    ['It lives in price.ts and ice.ts.', 'ice.ts'],
  ])('invented: %s', (sentence, name) => expect(unknownIn(sentence)).toContain(name));

  test('words in another language share nothing with it', () => {
    expect(share('The basket tests failed because of rounding cents.')).toBeGreaterThan(0.4);
    expect(share('Los precios se redondearon correctamente después de la corrección.')).toBeLessThan(0.2);
  });

  test('the result is valid for any source', () => {
    const words = fc.stringMatching(/^[A-Za-z0-9_./`#@:-]{1,20}$/);
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 12 }), (list) => {
        const line = list.join(' ').replaceAll('`', "'");
        expect(groundingIn(`before ${line} after`).unknownIn(line)).toEqual([]);
      }),
    );
  });

  test('a number of four digits that the source lacks is never sound', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2000, max: 999_999 }), (n) => {
        expect(unknownIn(`It counted ${n} rows.`)).toEqual([String(n)]);
      }),
    );
  });
});
