import type { StatedWords } from '../../core/compress/verdicts.ts';
import type { L1Line } from '../../core/model/l1.ts';
import type { Quote } from '../../core/model/statement.ts';
import { statementsOf } from '../../core/statements/statements-of.ts';

/**
 * What is true at the end of these lines, and what was taken back in them, as a version uses it. Made from the lines alone: the
 * version of a part stays the same, whatever is said after it.
 */
export function statedWords(lines: L1Line[]): StatedWords[] {
  const place = ({ line, text }: Quote) => ({ turn: line - 1, text });
  return statementsOf(lines).flatMap(({ tier, quotes, overturned }) => [
    ...quotes.map((quote): StatedWords => ({ ...place(quote), as: tier })),
    ...overturned.flatMap(({ was, by }) =>
      was.map((quote): StatedWords => {
        const text = by[0]?.text;
        return { ...place(quote), as: 'overturned', ...(text === undefined ? {} : { by: text }) };
      }),
    ),
  ]);
}
