import { describe, expect, it } from 'vitest';
import type { ExchangeRecord } from '../../model/exchange.ts';
import type { SessionStatement } from '../../model/statement.ts';
import { withStatedDetails } from './stated-details.ts';

const record = (id: string, l1_range: [number, number]) =>
  ({ id, l1_range, details: 'as summarized' }) as ExchangeRecord;
const statement = (line: number, text: string) =>
  ({ text, exchange: line, quotes: [{ line }] }) as unknown as SessionStatement;

describe('details of exchanges', () => {
  it('are what the session states of each, and stay where it states nothing', () => {
    const records = [record('a', [1, 4]), record('b', [5, 9]), record('c', [10, 12])];
    const statements = [
      statement(6, 'Ounces, since the scale shows them.'),
      statement(2, 'No new dependency.'),
      statement(9, 'Prices are whole cents.'),
    ];
    expect(withStatedDetails(records, statements).map(({ details }) => details)).toEqual([
      'No new dependency.',
      'Ounces, since the scale shows them.\nPrices are whole cents.',
      'as summarized',
    ]);
  });

  it('have room for 600 characters, the best first', () => {
    const long = (letter: string) => `${letter.repeat(9)} `.repeat(40).trim();
    const [made] = withStatedDetails(
      [record('a', [1, 9])],
      [statement(1, long('a')), statement(2, long('b')), statement(3, 'Short.')],
    );
    expect(made?.details).toBe(`${long('a')}\nShort.`);
  });
});
