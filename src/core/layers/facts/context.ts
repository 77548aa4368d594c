import type { ExchangeRecord } from '../../model/exchange.ts';
import type { FactSource } from '../../model/fact.ts';
import { cutAtWord } from '../../text/sentences.ts';
import type { SessionExchanges } from '../concepts/concepts.ts';
import { order } from '../concepts/vectors.ts';
import type { EffectiveEdit } from './effective-edits.ts';

const EXCERPT = 200;
/** Of a fact that was said a hundred times, the first and the latest are enough. */
const MOST_SOURCES = 5;

/** An exchange and the session it is of. */
export type FactExchange = { record: ExchangeRecord; session: string };

/** Every exchange, by time and then by id: what is made of them does not depend on how they came in. */
export function factExchanges(sessions: SessionExchanges[]): FactExchange[] {
  return sessions
    .flatMap(({ sessionId, exchanges }) => exchanges.map((record) => ({ record, session: sessionId })))
    .sort((a, b) => order(a.record, b.record));
}

/** The message's id is filled in by who can read the original. */
export function citeExchange({ record, session }: FactExchange, src: number, excerpt: string): FactSource {
  return {
    sessionId: session,
    messageUuid: '',
    excerpt: cutAtWord(excerpt, EXCERPT),
    exchange: record.id,
    ts: record.ts,
    src,
  };
}

export function someSources(sources: FactSource[]): FactSource[] {
  return sources.length <= MOST_SOURCES ? sources : [sources[0]!, ...sources.slice(1 - MOST_SOURCES)];
}

/** What readers decided about a fact. */
export type FactVerdict = {
  forgotten: boolean;
  content: string | undefined;
  confirmed: boolean;
  /** When it was last settled: confirmed, corrected or kept. */
  settled: string;
  against: { at: string; note: string }[];
  /** Why the user said that it is not true. */
  rejected?: { at: string; note: string };
};

/** A fact is known by any of its ids: it may have been said in several ways. */
export function verdictOf(ids: ReadonlySet<string>, edits: readonly EffectiveEdit[]): FactVerdict {
  const verdict: FactVerdict = {
    forgotten: false,
    content: undefined,
    confirmed: false,
    settled: '',
    against: [],
  };
  for (const edit of edits) {
    if (!ids.has(edit.factId)) continue;
    if (edit.action === 'contradict') {
      verdict.against.push({ at: edit.at, note: edit.note });
      continue;
    }
    delete verdict.rejected;
    verdict.forgotten = edit.action === 'forget' || edit.action === 'reject';
    if (edit.action === 'reject') verdict.rejected = { at: edit.at, note: edit.note };
    if (verdict.forgotten) continue;
    if (edit.action === 'correct') verdict.content = edit.content;
    if (edit.by === 'user') verdict.confirmed = true;
    verdict.settled = edit.at;
    verdict.against = [];
  }
  return verdict;
}

export function day(time: string): string {
  return time.slice(0, 10);
}

export function hundredths(value: number): number {
  return Math.round(Math.min(1, Math.max(0.1, value)) * 100) / 100;
}
