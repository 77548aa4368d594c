import { describe, expect, it } from 'vitest';
import type { L1Line } from '../../model/l1.ts';
import { exchangesOf } from './exchanges.ts';

const line = (src: number, role: L1Line['role'], rest: Partial<L1Line> = {}): L1Line => ({
  ts: '2026-03-01T10:00:00Z',
  role,
  src,
  ...rest,
});

describe('exchanges', () => {
  it('begin at an ask and run to the next', () => {
    const found = exchangesOf('s', [
      line(0, 'user', { text: 'one' }),
      line(1, 'tool', { name: 'Edit', target: 'a.ts' }),
      line(2, 'tool', { name: 'Edit', target: 'b.ts', result: 'File does not exist.' }),
      line(3, 'assistant', { text: 'done' }),
      line(4, 'user', { text: 'two' }),
    ]);
    expect(
      found.map(({ ask, l1_range, files, tools, errors }) => ({ ask, l1_range, files, tools, errors })),
    ).toEqual([
      { ask: 'one', l1_range: [1, 4], files: ['a.ts'], tools: 2, errors: 1 },
      { ask: 'two', l1_range: [5, 5], files: [], tools: 0, errors: 0 },
    ]);
  });

  it('do not begin at what is typed while the agent works, but where it is sent', () => {
    const found = exchangesOf('s', [
      line(0, 'user', { text: 'one' }),
      line(1, 'user', { text: 'two', queued: true }),
      line(2, 'assistant', { text: 'first done' }),
      line(3, 'user', { sent: 1 }),
      line(4, 'user', { text: 'no', reply: true }),
    ]);
    expect(found.map(({ ask, l1_range }) => [ask, l1_range])).toEqual([
      ['one', [1, 3]],
      ['two', [4, 5]],
    ]);
  });

  it('are abandoned if the user went back and asked again', () => {
    const found = exchangesOf('s', [
      line(0, 'user', { text: 'kept' }),
      line(1, 'user', { text: 'wrong way' }),
      line(2, 'user', { text: 'right way', replaces: 1 }),
    ]);
    expect(found.map((exchange) => exchange.abandoned)).toEqual([false, true, false]);
  });

  it('cover every line once, also those before the first ask, with ids that stay', () => {
    const lines = [line(0, 'assistant', { text: 'hello' }), line(1, 'user', { text: 'hi' })];
    const found = exchangesOf('s', lines);
    expect(found.map((exchange) => exchange.l1_range)).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(exchangesOf('s', lines).map(({ id }) => id)).toEqual(found.map(({ id }) => id));
    expect(exchangesOf('other', lines)[0]?.id).not.toBe(found[0]?.id);
  });
});
