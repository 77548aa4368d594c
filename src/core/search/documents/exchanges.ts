import type { ExchangeRecord } from '../../model/exchange.ts';
import type { Document } from './document.ts';

/** Exchanges in short: what each came to, and the words that it is known by. */
export function exchangeDocuments(sessionId: string, exchanges: ExchangeRecord[]): Document[] {
  return exchanges.map(({ id, ts, summary, ask, keywords, outcome, l1_range }) => ({
    title: `${id} ${outcome}`,
    text: [summary || ask, keywords.join(', ')].filter((part) => part !== '').join('\n'),
    ts,
    id,
    sessionId,
    exchange: id,
    range: l1_range,
  }));
}
