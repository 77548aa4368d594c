import type { StatedWords } from '../../core/compress/units/verdicts.ts';
import type { L1Line } from '../../core/model/l1.ts';
import type { Quote, SessionStatement } from '../../core/model/statement.ts';
import { statementsOf } from '../../core/statements/statements-of.ts';

/**
 * What is true at the end of these lines, and what was withdrawn in them, as a version uses it. Made from the lines alone: the
 * version of a part stays the same, whatever is said after it.
 */
export function statedWords(lines: L1Line[]): StatedWords[] {
  return wordsOfStatements(statementsOf(lines));
}

/** What is known of some statements from later sessions. */
type Afterwards = {
  /** By id, the words of a later session that took a statement back. */
  takenBack: ReadonlyMap<string, string>;
  /** Whether theirs is the latest session: what it leaves open is open now. */
  isLatest: boolean;
};

/** The words of statements at their places. */
export function wordsOfStatements(
  statements: readonly SessionStatement[],
  afterwards?: Afterwards,
): StatedWords[] {
  const place = ({ line, text }: Quote) => ({ turn: line - 1, text });
  return statements.flatMap(({ id, kind, tier, quotes, overturned }) => {
    const later = afterwards?.takenBack.get(id);
    const open =
      afterwards && kind === 'open'
        ? { open: afterwards.isLatest ? ('now' as const) : ('before' as const) }
        : {};
    return [
      ...quotes.map(
        (quote): StatedWords =>
          later === undefined
            ? { ...place(quote), as: tier, ...open }
            : { ...place(quote), as: 'overturned', by: later, isLater: true },
      ),
      ...overturned.flatMap(({ was, by }) =>
        was.map((quote): StatedWords => {
          const text = by[0]?.text;
          return { ...place(quote), as: 'overturned', ...(text === undefined ? {} : { by: text }) };
        }),
      ),
    ];
  });
}
