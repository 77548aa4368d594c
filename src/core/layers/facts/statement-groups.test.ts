import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExchangeRecord } from '../../model/exchange.ts';
import type { FactExchange } from './context.ts';
import { Negations } from './negations.ts';
import { isSameWish, negates, wishOf } from './polarity.ts';
import { StatementGroups } from './statement-groups.ts';

const words = ['basket', 'cookie', 'tabs', 'spaces', 'commit', 'branch', 'deploy', 'friday'];
const statement = fc
  .tuple(
    fc.constantFrom('Use', 'Never use', 'Prefer'),
    fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }),
    fc.option(fc.constantFrom(...words), { nil: undefined }),
  )
  .map(([how, what, rather]) => `${how} ${what.join(' ')}${rather ? ` instead of ${rather}` : ''}.`);
const statements = fc.array(statement, { minLength: 1, maxLength: 25 });

const SAME: [string, string][] = [
  ['Never amend commits.', 'Please never amend commits, it breaks the hooks.'],
  ["Don't write code", "Just answer in plain English, don't write any code."],
  ["Don't write code.", "Don't write code or run anything"],
  ['Feel free to search the web.', 'Feel free to search the web for similar reports if you need.'],
  ["Don't change the model.", "don't switch the model from the small one."],
  ['Always run the linter before a commit.', 'Run the linter.'],
  ['Keep prices in cents.', 'From now on, keep prices in cents and dates in UTC.'],
  ['Do not touch the schema', "You can edit anything, but don't touch the schema."],
  ['Run the tests in Docker', 'Please always execute the tests in Docker'],
];
const OTHERS: [string, string][] = [
  ["Don't write code.", "Don't write code comments in German."],
  ["Let's go with option A", "Let's go with option 3"],
  ['Never mock the database in production.', 'We must use the production database.'],
  ['Run the tests.', "Don't run the tests."],
  ['Never push to main.', 'Push to main when the tests pass.'],
  ['Keep the docs short and plain.', 'Keep the tests short and plain.'],
  ['Ask me first.', 'Ask the database for the first row.'],
];

describe('sayings', () => {
  it.each(SAME)('%s / %s: one rule in other words', (a, b) => {
    for (const [first, second] of [
      [a, b],
      [b, a],
    ] as const) {
      const book = new StatementGroups();
      const group = book.start('rule', first, '2026-01-01');
      expect(book.like('rule', second)).toBe(group);
    }
  });

  it.each(OTHERS)('%s / %s: two', (a, b) => {
    const book = new StatementGroups();
    book.start('rule', a, '2026-01-01');
    expect(book.like('rule', b)).toBeUndefined();
  });

  it('are found again in other words, the first of those that ask for the same', () => {
    fc.assert(
      fc.property(statements, (texts) => {
        const book = new StatementGroups();
        for (const text of texts) {
          const first = book.all.find(({ wish }) => isSameWish(wish, wishOf(text)));
          expect(book.like('rule', text)).toBe(first);
          if (!first) book.start('rule', text, '2026-01-01');
        }
      }),
    );
  });

  it('are denied by every later word that asks for the opposite, and by no other', () => {
    fc.assert(
      fc.property(statements, statement, fc.nat(25), (texts, text, since) => {
        const at = (place: number) => `2026-01-01T10:00:${String(place).padStart(2, '0')}Z`;
        const exchanges = texts.map((said, place): FactExchange => {
          const record = { id: `ex_${place}`, ts: at(place), said: [{ text: said, src: place }] };
          return { record: record as unknown as ExchangeRecord, session: 's' };
        });
        const found = new Negations(exchanges).of(wishOf(text), at(since)).map(({ src }) => src);
        const expected = texts.flatMap((said, place) =>
          place > since && negates(wishOf(text), wishOf(said)) ? [place] : [],
        );
        expect(found).toEqual(expected);
      }),
    );
  });
});
