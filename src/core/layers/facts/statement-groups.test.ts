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

describe('sayings', () => {
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
