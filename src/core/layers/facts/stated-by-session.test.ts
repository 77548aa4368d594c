import { describe, expect, test } from 'vitest';
import type { ExchangeRecord } from '../../model/exchange.ts';
import type { SessionStatement } from '../../model/statement.ts';
import { statedByExchange } from './stated-by-session.ts';

const exchange = (id: string, l1_range: [number, number]) => ({ id, l1_range }) as ExchangeRecord;
const EXCHANGES = [exchange('ex_a', [1, 4]), exchange('ex_b', [5, 9])];

function said(words: string, more: Partial<SessionStatement> = {}): SessionStatement {
  return {
    id: 'st_1',
    kind: 'rule',
    text: `User: "${words}" -> Done.`,
    author: 'user',
    foundBy: 'words',
    tier: 'shown',
    confidence: 0.7,
    quotes: [{ by: 'user', field: 'text', line: 5, src: 120, text: words }],
    overturned: [],
    exchange: 5,
    ts: '2026-01-05T10:00:00Z',
    ...more,
  };
}
const only = (statement: SessionStatement) => statedByExchange(EXCHANGES, [statement]).get('ex_b')?.[0];

describe('a statement as a fact', () => {
  test('is of the exchange whose line it names', () => {
    const both = [said('From now on always use tabs.', { exchange: 4 }), said('Never use tabs again.')];
    expect([...statedByExchange(EXCHANGES, both).keys()]).toEqual(['ex_a', 'ex_b']);
  });

  test("is a rule only in the user's own words, when they order something that lasts", () => {
    expect(only(said('From now on always use tabs.'))).toMatchObject({
      kind: 'rule',
      text: 'From now on always use tabs.',
      isShown: true,
    });
    expect(only(said('Do not touch the server yet.'))).not.toMatchObject({ kind: 'rule', isShown: true });
    expect(only(said('From now on every commit links our chat?'))).toMatchObject({ kind: 'decision' });
    for (const author of ['assistant', 'pasted'] as const)
      expect(only(said('From now on always use tabs.', { author }))).toMatchObject({ kind: 'decision' });
    for (const foundBy of ['answer', 'commit', 'claim'] as const)
      expect(only(said('From now on always use tabs.', { foundBy }))).toMatchObject({ kind: 'decision' });
  });

  test('keeps what it took the place of, and who said it', () => {
    const quote = { by: 'assistant', field: 'text', line: 6, src: 200, text: 'Use floats.' } as const;
    const fact = only(
      said('Use integers for money', {
        kind: 'decision',
        overturned: [{ was: [quote], by: [{ ...quote, by: 'user', text: 'No, integers.' }] }],
      }),
    );
    expect(fact).toMatchObject({
      kind: 'decision',
      source: 'user',
      text: 'User: "Use integers for money" -> Done.',
      src: 120,
      replaced: [{ was: 'Use floats.', by: 'No, integers.' }],
    });
  });
});
