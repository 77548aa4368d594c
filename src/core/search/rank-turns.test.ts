import { describe, expect, it } from 'vitest';
import { LINE, ROLE } from '../model/search.ts';
import { termsOf } from '../text/terms.ts';
import { lineFlags } from './line-flags.ts';
import { rankSources } from './rank-sessions.ts';
import { rankTurns } from './rank-turns.ts';
import type { SearchView } from './view.ts';

type Said = { text: string; who?: string; ts?: string; role?: 'user' | 'assistant' | 'tool' };

/** A view of sessions, each a list of turns; every user turn starts an exchange. */
function viewOf(sessions: Said[][]): SearchView & { times: (lines: number[]) => string[] } {
  const lines = sessions.flatMap((turns, source) => turns.map((turn) => ({ ...turn, source })));
  const exchange: number[] = [];
  const source: number[] = [];
  lines.forEach((line, index) => {
    const isFirst = index === 0 || lines[index - 1]!.source !== line.source;
    if (isFirst || (line.role ?? 'user') === 'user') source.push(line.source);
    exchange.push(source.length - 1);
  });
  const terms = lines.map((line) => [...termsOf(line.text), ...(line.who ? [`@${line.who}`] : [])]);
  return {
    lineCount: lines.length,
    length: Uint16Array.from(terms.map((list) => list.length)),
    role: Uint8Array.from(lines.map((line) => ROLE[line.role ?? 'user'])),
    flags: Uint8Array.from(lines.map((line) => lineFlags(line.text))),
    exchange: Uint32Array.from(exchange),
    source: Uint32Array.from(source),
    postings: (term) => {
      const found = terms.flatMap((list, line) => (list.includes(term) ? [line] : []));
      const counts = found.map((line) => terms[line]!.filter((one) => one === term).length);
      return { lines: Uint32Array.from(found), counts: Uint8Array.from(counts) };
    },
    runs: (wanted) => {
      const first = lines.findIndex((line) => line.source === wanted);
      return [[first, lines.filter((line) => line.source === wanted).length]];
    },
    times: (wanted) => wanted.map((line) => lines[line]!.ts ?? ''),
  };
}

function order(sessions: Said[][], text: string, accept: (line: number) => boolean = () => true): number[] {
  const view = viewOf(sessions);
  return rankTurns(view, { text, terms: termsOf(text), accept, times: view.times }).map(({ line }) => line);
}

const filler = (n: number) => Array.from({ length: n }, (_, i) => ({ text: `filler ${i} zebra` }));

describe('ranking turns', () => {
  it('puts the turn with the rarest words first', () => {
    expect(
      order(
        [[...filler(5), { text: 'the token cache holds jwt keys' }, { text: 'a cache of zebra' }]],
        'jwt cache',
      )[0],
    ).toBe(5);
  });

  it('finds an answer that shares no word with the question, beside the one that asks it', () => {
    const talk = [
      [
        ...filler(6),
        { text: 'why did the token cache go stale?' },
        { text: 'because nobody reset it' },
        ...filler(6),
      ],
    ];
    expect(order(talk, 'token cache stale').slice(0, 2)).toContain(7);
  });

  it('lists no turn for words that neither it nor what it answers holds', () => {
    const talk = [[...filler(3), { text: 'the marmot sleeps' }, ...filler(3)]];
    expect(order(talk, 'marmot')).toEqual([3]);
    expect(order(talk, 'Where is the marmot?')).toContain(4);
  });

  it('never takes a neighbour from another session', () => {
    const found = order([[{ text: 'token cache' }], [{ text: 'entirely different' }]], 'token cache');
    expect(found).toEqual([0]);
  });

  it('prefers the speaker that is named, a time when asked when, and a date that is named', () => {
    expect(
      order(
        [[{ text: 'I like pottery', who: 'ann' }, ...filler(4), { text: 'I like pottery', who: 'bob' }]],
        'what does Bob like? pottery',
      )[0],
    ).toBe(5);
    expect(
      order(
        [[{ text: 'we shipped the parser' }, ...filler(4), { text: 'we shipped the parser last week' }]],
        'when did we ship the parser',
      )[0],
    ).toBe(5);
    const dated = [
      [
        { text: 'parser broke', ts: '2026-03-02T00:00:00Z' },
        ...filler(4),
        { text: 'parser broke', ts: '2026-05-07T00:00:00Z' },
      ],
    ];
    expect(order(dated, 'parser broke in May 2026')[0]).toBe(5);
  });

  it('finds only what it may, and nothing where no word fits', () => {
    expect(
      order([[{ text: 'token cache' }, { text: 'token cache again' }]], 'token', (line) => line === 1),
    ).toEqual([1]);
    expect(order([[{ text: 'token cache' }]], 'kangaroo')).toEqual([]);
    expect(order([], 'kangaroo')).toEqual([]);
  });

  it('leaves out lines that are no turns', () => {
    expect(
      order(
        [
          [
            { text: 'npm run deploy', role: 'tool' },
            { text: 'deploy it', role: 'assistant' },
          ],
        ],
        'deploy',
      ),
    ).toEqual([1]);
  });
});

describe('ranking sessions', () => {
  const sessions: Said[][] = [
    [
      { text: 'fix the login form' },
      { text: 'Edit src/login.ts', role: 'tool' },
      { text: 'done', role: 'assistant' },
    ],
    [{ text: 'add a token cache' }, { text: 'git commit -m "feat: token cache"', role: 'tool' }],
    [{ text: 'zebra things' }],
  ];

  it('finds the session that did it, by its tools as well', () => {
    const view = viewOf(sessions);
    const all = { accept: () => true };
    const none = { files: new Map(), branch: new Map(), words: [] };
    const [first] = rankSources(view, { terms: termsOf('feat: token cache'), hints: none }, all, 3);
    expect(first?.source).toBe(1);
    const named = { ...none, files: new Map([[0, 1]]) };
    const terms = termsOf('unheard of');
    expect(rankSources(view, { terms, hints: named }, all, 3)[0]?.source).toBe(0);
  });
});

it('a line gives its features', () => {
  expect(lineFlags('see you next Friday') & LINE.time).toBeTruthy();
  expect(lineFlags('it took 12 tries') & LINE.number).toBeTruthy();
  expect(lineFlags('why?')).toBe(LINE.asks | LINE.question);
  expect(lineFlags('plain words')).toBe(0);
});
