import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Line } from '../../api/records.ts';
import { messageRows } from './message-rows.ts';

const line = (at: number, role: Line['role'], more: Partial<Line> = {}) =>
  ({
    line: at,
    src: at * 10,
    ts: '',
    role,
    ...(role === 'tool' ? { name: 'Bash' } : { text: `t${at}` }),
    ...more,
  }) as Line;
const talk = [
  line(1, 'user'),
  line(2, 'assistant'),
  line(3, 'tool'),
  line(4, 'tool'),
  line(5, 'assistant'),
  line(6, 'user'),
  line(7, 'assistant'),
];
const none = new Set<number>();

test('folded, an exchange is its prompt, what is hidden, and the last words', () => {
  const rows = messageRows(talk, { tools: true, folded: true, unfolded: none });
  expect(rows.map((row) => [row.line.line, row.hides])).toEqual([
    [1, undefined],
    [2, { messages: 1, calls: 2, others: 0 }],
    [5, undefined],
    [6, undefined],
    [7, undefined],
  ]);
  const open = messageRows(talk, { tools: true, folded: true, unfolded: new Set([1]) });
  expect(open.map((row) => row.line.line)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('what the agent said on the way is narration, its last words are not; numbers count messages', () => {
  const rows = messageRows(talk, { tools: false, folded: false, unfolded: none });
  expect(rows.map((row) => [row.line.line, row.number, row.isNarration])).toEqual([
    [1, 1, false],
    [2, 2, true],
    [5, 3, false],
    [6, 4, false],
    [7, 5, false],
  ]);
});

test('a long answer and a list are no narration, though calls follow them', () => {
  const said = (text: string) =>
    messageRows([line(1, 'user'), line(2, 'assistant', { text }), line(3, 'tool'), line(4, 'assistant')], {
      tools: false,
      folded: false,
      unfolded: none,
    })[1]?.isNarration;
  expect(said('Let me look at it.')).toBe(true);
  expect(said('No, it takes another way. '.repeat(20))).toBe(false);
  expect(said('Two ways:\n\n- one\n- two')).toBe(false);
});

test('nothing is lost: what is shown and what is hidden are all lines', () => {
  const role = fc.constantFrom<Line['role']>('user', 'assistant', 'tool', 'system');
  fc.assert(
    fc.property(fc.array(role), (roles) => {
      const all = roles.map((it, at) => line(at + 1, it));
      const rows = messageRows(all, { tools: true, folded: true, unfolded: none });
      const count = rows.reduce(
        (sum, { hides }) => sum + (hides ? hides.messages + hides.calls + hides.others : 1),
        0,
      );
      expect(count).toBe(all.length);
    }),
  );
});
