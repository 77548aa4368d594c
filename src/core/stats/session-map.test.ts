import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry } from '../model/entry.ts';
import type { L1Line } from '../model/l1.ts';
import {
  happeningsIn,
  sessionBlocks,
  sessionMarks,
  shareKind,
  TOKEN_KINDS,
  tokenShares,
  versionShareKind,
} from './session-map.ts';

const base = { id: 'a', ts: '2026-01-05T10:00:00Z', origin: 'user', src: [0, 10] } as const;
const exchange = (src: number, range: [number, number], more: object = {}) => ({
  id: `ex_${src}`,
  ts: '2026-01-05T10:00:00Z',
  ask: `ask ${src}`,
  src,
  l1_range: range,
  outcome: 'done' as const,
  tools: 0,
  errors: 0,
  ...more,
});

test('what a tool read or wrote is files, what it printed is output of that tool, and titles are nothing', () => {
  const call = { ...base, kind: 'tool-call', toolUseId: 't', input: {} } as const;
  const result = { ...base, kind: 'tool-result', toolUseId: 't', text: 'x', isError: false } as const;
  expect(shareKind({ ...call, name: 'Edit' } as Entry)).toEqual({ kind: 'files' });
  expect(shareKind({ ...call, name: 'Bash' } as Entry)).toEqual({ kind: 'calls' });
  expect(shareKind(result as Entry, 'Read')).toEqual({ kind: 'files' });
  expect(shareKind(result as Entry, 'Bash')).toEqual({ kind: 'output', tool: 'Bash' });
  expect(shareKind({ ...base, kind: 'title', text: 't', custom: false } as Entry)).toBeUndefined();
  expect(versionShareKind({ role: 'tool', name: 'Read' })).toEqual({ kind: 'files' });
  expect(versionShareKind({ role: 'system' })).toEqual({ kind: 'notes' });
});

test('shares add up to all tokens, in one order, with at most six tools by name', () => {
  const span = fc.record({
    kind: fc.constantFrom(...TOKEN_KINDS),
    tool: fc.string({ minLength: 1, maxLength: 2 }),
    tokens: fc.nat(1000),
  });
  fc.assert(
    fc.property(fc.array(span), (spans) => {
      const shares = tokenShares(spans);
      const sum = (all: { tokens: number }[]) => all.reduce((total, it) => total + it.tokens, 0);
      expect(sum(shares)).toBe(sum(spans));
      const order = shares.map(({ kind }) => TOKEN_KINDS.indexOf(kind));
      expect(order).toEqual([...order].sort((a, b) => a - b));
      expect(shares.filter(({ kind }) => kind === 'output').length).toBeLessThanOrEqual(7);
    }),
  );
});

test('a version is shown with the tools of its original', () => {
  const spans = [
    { kind: 'output', tool: 'Bash', tokens: 5 },
    { kind: 'output', tool: 'Grep', tokens: 9 },
  ] as const;
  expect(tokenShares(spans, ['Bash'])).toEqual([
    { kind: 'output', tool: 'Bash', tokens: 5 },
    { kind: 'output', tool: 'other tools', tokens: 9 },
  ]);
});

test('a block has the tokens up to the next ask, what comes before the first ask too, and the time to its last line', () => {
  const lines = ['10:00:00', '10:00:30', '10:01:40', '10:05:00'].map((time) => ({
    ts: `2026-01-05T${time}Z`,
  }));
  const spans = [
    { src: 0, tokens: 1 },
    { src: 100, tokens: 10 },
    { src: 499, tokens: 100 },
    { src: 500, tokens: 1000 },
  ];
  const blocks = sessionBlocks(
    [exchange(100, [1, 3]), exchange(500, [4, 4], { ts: '2026-01-05T10:05:00Z', abandoned: true })],
    { lines, end: 650, spans },
  );
  expect(blocks.map((it) => [it.tokens, it.bytes, it.seconds, it.outcome])).toEqual([
    [111, 400, 100, 'done'],
    [1000, 150, 0, 'rejected'],
  ]);
  expect(sessionBlocks([exchange(100, [1, 3])], { lines, end: 650 })[0]).not.toHaveProperty('tokens');
});

test('marks are in their block, between its start and its end', () => {
  const blocks = [{ src: 100 }, { src: 200 }];
  const at = (src: number) => sessionMarks(blocks, [{ kind: 'keepit', src, text: '' }], 400)[0];
  expect(at(150)).toMatchObject({ block: 0, at: 0.5 });
  expect(at(300)).toMatchObject({ block: 1, at: 0.5 });
  expect(at(50)).toMatchObject({ block: 0, at: 0 });
  expect(sessionMarks([], [{ kind: 'keepit', src: 1, text: '' }], 400)).toEqual([]);
});

test('commits are where git was called, errors are one mark an exchange, compactions are where they were', () => {
  const line = (src: number, more: Partial<L1Line>): L1Line => ({ ts: '', role: 'tool', src, ...more });
  const lines = [
    line(1, { role: 'user', text: 'go' }),
    line(2, { name: 'Bash', target: 'npm test', result: '1 failed' }),
    line(3, { name: 'Bash', target: 'npm test', result: '2 failed' }),
    line(4, { name: 'Bash', target: 'git commit -m "Round"' }),
    line(5, { role: 'system', name: 'compaction' }),
  ];
  expect(happeningsIn([exchange(1, [1, 5], { commits: ['Round'], errors: 2 })], lines)).toEqual([
    { kind: 'commit', src: 4, text: 'Round' },
    { kind: 'compaction', src: 5, text: 'The agent compacted the conversation.' },
    { kind: 'error', src: 2, text: 'npm test' },
  ]);
});
