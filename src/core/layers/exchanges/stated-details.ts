import type { ExchangeRecord } from '../../model/exchange.ts';
import type { SessionStatement } from '../../model/statement.ts';
import { cutAtWord } from '../../text/sentences.ts';

const DETAILS = 600;

/** The records of a session with what it states of each as their details; where it states nothing, these stay. */
export function withStatedDetails<T extends ExchangeRecord>(
  records: T[],
  statements: readonly SessionStatement[],
): T[] {
  const stated = records.map((): string[] => []);
  for (const { text, quotes, exchange } of statements) {
    const line = quotes[0]?.line ?? exchange;
    const at = records.findIndex(({ l1_range: [first, last] }) => line >= first && line <= last);
    stated[at]?.push(text);
  }
  return records.map((record, at) =>
    stated[at]!.length === 0 ? record : { ...record, details: joined(stated[at]!) },
  );
}

/** As many as there is room for, the best first. */
function joined(texts: string[]): string {
  const [first = '', ...others] = texts;
  let details = cutAtWord(first, DETAILS);
  for (const text of others) if (details.length + text.length + 1 <= DETAILS) details += `\n${text}`;
  return details;
}
