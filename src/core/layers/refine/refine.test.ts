import { describe, expect, it } from 'vitest';
import type { Entry } from '../../model/entry.ts';
import { newRefineState, refine, writeL1 } from './refine.ts';

const at = (src: number) => ({
  id: `u${src}`,
  ts: '2026-03-01T10:00:00.123Z',
  src: [src, src + 10] as const,
});
const user = (src: number, text: string, rest: object = {}): Entry => ({
  ...at(src),
  kind: 'user',
  origin: 'user',
  text,
  ...rest,
});
const call = (src: number, toolUseId: string, name: string, input: Record<string, unknown>): Entry => ({
  ...at(src),
  kind: 'tool-call',
  origin: 'assistant',
  toolUseId,
  name,
  input,
});
const result = (src: number, toolUseId: string, text: string, isError = false): Entry => ({
  ...at(src),
  kind: 'tool-result',
  origin: 'tool',
  toolUseId,
  text,
  isError,
});

function run(entries: Entry[], cwd = '/srv/shop') {
  const state = newRefineState();
  return { lines: entries.flatMap((entry) => refine(state, entry, cwd)), state };
}

describe('refining', () => {
  it('keeps a short answer with what it answers, in whatever step it comes', () => {
    const agent = (src: number, text: string): Entry => ({
      ...at(src),
      kind: 'assistant',
      origin: 'assistant',
      text,
    });
    const state = newRefineState();
    refine(state, user(1, 'Store the cursor.'), '/srv/shop');
    refine(
      state,
      agent(2, 'Two ways:\n1. In the URL\n2. On disk, with sk-ant-api03-abcdefghijklmnop\n\nWhich?'),
      '/srv/shop',
    );
    const later = JSON.parse(JSON.stringify(state));
    expect(JSON.stringify(later)).not.toContain('abcdefghijklmnop');
    expect(refine(later, user(3, 'option 1, please'), '/srv/shop')).toMatchObject([
      { role: 'user', text: 'option 1, please', asked: 'Which?', choice: '1: In the URL' },
    ]);
    expect(refine(later, user(4, 'option 1'), '/srv/shop')[0]).not.toHaveProperty('asked');
    refine(later, agent(5, 'Should I release it?'), '/srv/shop');
    refine(later, agent(6, 'Done.'), '/srv/shop');
    expect(refine(later, user(7, 'yes'), '/srv/shop')[0]).not.toHaveProperty('asked');
  });

  it('tells a call when its result comes, and the result only when it is not ok', () => {
    const { lines } = run([
      call(1, 't1', 'Read', { file_path: '/srv/shop/src/a.ts', offset: 10, limit: 5 }),
      call(2, 't2', 'Bash', { command: 'npm test' }),
      result(3, 't2', 'Exit code 1\n\nFAIL a\nFAIL b\nFAIL c\nFAIL d', true),
      result(4, 't1', 'contents'),
    ]);
    expect(lines.map(({ ts, ...line }) => line)).toEqual([
      {
        role: 'tool',
        name: 'Bash',
        target: 'npm test',
        result: 'Exit code 1\nFAIL a\nFAIL b',
        exit: 1,
        src: 2,
      },
      { role: 'tool', name: 'Read', target: 'src/a.ts', lines: '10-14', src: 1 },
    ]);
  });

  it('leaves out what Keepsake itself was asked, and what it answered', () => {
    const { lines } = run([
      call(1, 't1', 'mcp__keepsake__recall', { topic: 'tabs' }),
      result(2, 't1', 'Always use tabs.', true),
      call(3, 't2', 'Bash', { command: 'cd /srv/shop && keepsake recall tabs | head' }),
      result(4, 't2', 'Exit code 3\nAlways use tabs.', true),
    ]);
    expect(lines).toEqual([]);
  });

  it('tells calls without an answer at the next ask', () => {
    const { lines } = run([call(1, 't1', 'Bash', { command: 'sleep 9' }), user(2, 'And?')]);
    expect(lines.map((line) => [line.role, line.result ?? line.text])).toEqual([
      ['tool', 'none'],
      ['user', 'And?'],
    ]);
  });

  it('tells a queued message once, and marks where it was sent', () => {
    const { lines } = run([
      user(1, 'go'),
      { ...user(2, 'also this', { queued: true }), id: 'q_1' },
      user(3, 'also this '),
      user(4, 'also this'),
    ]);
    expect(lines.map((line) => [line.text, line.queued, line.sent])).toEqual([
      ['go', undefined, undefined],
      ['also this', true, undefined],
      [undefined, undefined, 2],
      ['also this', undefined, undefined],
    ]);
  });

  it('keeps commit messages whole and cuts other commands', () => {
    const message = `feat: ${'long reason '.repeat(40)}`;
    const { lines } = run([
      call(1, 't1', 'Bash', { command: `git commit -m "${message}"` }),
      result(2, 't1', ''),
      call(3, 't2', 'Bash', { command: `echo ${'x'.repeat(500)}` }),
      result(4, 't2', ''),
    ]);
    expect(lines[0]?.target).toContain(message);
    expect(lines[1]?.target?.length).toBe(400);
  });

  it('holds no secret, no thinking and no work of subagents', () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
    const { lines, state } = run([
      user(1, `use ${token} please`),
      { ...at(2), kind: 'thinking', origin: 'assistant', text: 'hm' },
      { ...at(3), kind: 'assistant', origin: 'assistant', text: 'sub', agentId: 'a1' },
    ]);
    expect(JSON.stringify(lines)).not.toContain(token);
    expect(lines).toHaveLength(1);
    expect(Object.values(state.redactions)).toEqual([1]);
  });

  it('never cuts inside a character', () => {
    const { lines } = run([
      call(1, 't1', 'Bash', { command: `${'x'.repeat(118)}🎉🎉🎉` }),
      result(2, 't1', ''),
    ]);
    expect(lines[0]?.target).toBe(lines[0]?.target?.toWellFormed());
  });

  it('writes the same line as the same bytes, whatever the order of its keys', () => {
    expect(writeL1({ src: 1, text: 'x', role: 'user', ts: '' })).toBe(
      writeL1({ ts: '', role: 'user', text: 'x', src: 1 }),
    );
  });
});
