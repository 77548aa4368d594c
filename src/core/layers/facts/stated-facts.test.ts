import { expect, test } from 'vitest';
import type { L1Line } from '../../model/l1.ts';
import type { SessionStatement } from '../../model/statement.ts';
import { exchangeRecords } from '../exchanges/records.ts';
import { factsOf } from './facts.ts';

/** The facts of sessions, each of them the messages of a user. */
function factsSaid(...sessions: string[][]) {
  const made = sessions.map((said, day) => {
    const ts = `2026-03-0${day + 1}T10:00:00Z`;
    const lines = said.flatMap((text, at): L1Line[] => [
      { ts, role: 'user', text, src: 200 * at },
      { ts, role: 'assistant', text: 'The bread is baked.', src: 200 * at + 100 },
    ]);
    return { sessionId: `s${day}`, exchanges: exchangeRecords(`s${day}`, lines) };
  });
  const { permanent, candidates } = factsOf(made, []);
  const words = (list: { content: string }[]) => list.map(({ content }) => content);
  return { rules: words(permanent.rules), candidates: words(candidates) };
}

test('an order that comes again in another session is a rule, a prompt that was sent again is not', () => {
  const order = "Bake the bread. Don't amend commits of the shop.";
  expect(factsSaid([order], ['Sell it.', order]).rules).toEqual(["Don't amend commits of the shop."]);
  const again = factsSaid([order, order]);
  expect(again.rules).toEqual([]);
  expect(again.candidates).toEqual(["Don't amend commits of the shop."]);
});

test('what bounds one turn is no rule, however often it is said', () => {
  const said = factsSaid(["Explain it, don't write any code."], ["Think about it. Don't write any code."]);
  expect(said.rules).toEqual([]);
});

test('a candidate says whether only the agent said it, and how many of such statements readers kept', () => {
  const lines: L1Line[] = [
    { ts: '2026-03-01T10:00:00Z', role: 'user', text: 'Bake the bread.', src: 0 },
    { ts: '2026-03-01T10:00:00Z', role: 'assistant', text: 'The oven needs ten minutes to heat.', src: 100 },
  ];
  const stated = (author: 'user' | 'assistant'): SessionStatement => ({
    id: `st_${author}`,
    kind: 'decision',
    text: `The oven of the ${author} needs ten minutes to heat.`,
    author,
    foundBy: author === 'user' ? 'words' : 'claim',
    tier: 'candidate',
    confidence: 0.4,
    quotes: [{ by: author, field: 'text', line: 1, src: 0, text: 'oven' }],
    overturned: [],
    exchange: 1,
    ts: '2026-03-01T10:00:00Z',
  });
  const of = (author: 'user' | 'assistant') => {
    const session = { sessionId: 's', exchanges: exchangeRecords('s', lines), statements: [stated(author)] };
    return factsOf([session], []).candidates;
  };
  expect(of('assistant')).toMatchObject([{ source: 'assistant', confidence: 0.4 }]);
  expect(of('user')).toMatchObject([{ confidence: 0.4 }]);
  expect(of('user')[0]).not.toHaveProperty('source');
});
