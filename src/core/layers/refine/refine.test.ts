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
const agent = (src: number, text: string): Entry => ({
  ...at(src),
  kind: 'assistant',
  origin: 'assistant',
  text,
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

  it('writes a call when its result arrives, and the result only if it is not ok', () => {
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

  it('writes calls without a result at the next ask', () => {
    const { lines } = run([call(1, 't1', 'Bash', { command: 'sleep 9' }), user(2, 'And?')]);
    expect(lines.map((line) => [line.role, line.result ?? line.text])).toEqual([
      ['tool', 'none'],
      ['user', 'And?'],
    ]);
  });

  it('writes a queued message once, and marks where it was sent', () => {
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

describe('an ask that goes back', () => {
  const following = (src: number, parent: string) => user(src, `ask ${src}`, { parent });

  it('says which one it replaces: the one that followed the same message', () => {
    const { lines } = run([following(1, 'a'), agent(2, 'Done.'), following(3, 'a'), following(4, 'b')]);
    expect(lines.map((line) => line.replaces)).toEqual([undefined, undefined, 1, undefined]);
  });

  it('is not one of two asks in a row, unless the first was answered', () => {
    expect(run([user(1, 'one'), following(2, 'u1')]).lines.map((line) => line.replaces)).toEqual([
      undefined,
      undefined,
    ]);
    const answered = run([user(1, 'one'), agent(2, 'Yes.'), following(3, 'u1')]).lines;
    expect(answered.at(-1)?.replaces).toBe(1);
    const worked = run([user(1, 'one'), call(2, 't', 'Bash', { command: 'ls' }), following(3, 'u1')]).lines;
    expect(worked.at(-1)?.replaces).toBe(1);
  });

  it('is never one without a message before it', () => {
    const { lines } = run([
      user(1, 'one'),
      agent(2, 'Yes.'),
      user(3, 'two'),
      user(4, 'three', { parent: '' }),
    ]);
    expect(lines.map((line) => line.replaces)).toEqual(Array(4).fill(undefined));
  });

  it('is known among the last 200', () => {
    const many = (between: number) =>
      run([
        following(1, 'a'),
        ...Array.from({ length: between }, (_, index) => following(index + 2, `p${index}`)),
        following(900, 'a'),
      ]).lines.at(-1)?.replaces;
    expect(many(199)).toBe(1);
    expect(many(200)).toBeUndefined();
  });
});

describe('a message that was queued', () => {
  const queue = (src: number, text: string): Entry => ({
    ...user(src, text, { queued: true }),
    id: `q_${src}`,
  });

  it('is not repeated if the agent gets it in the middle of its work, or as a reply', () => {
    for (const again of [{ queued: true }, { reply: true }]) {
      const { lines } = run([user(1, 'go'), queue(2, 'also this'), user(3, 'also this', again)]);
      expect(lines.map((line) => line.text)).toEqual(['go', 'also this']);
    }
  });

  it('is the ask itself where nothing was asked before, and its line as sent says nothing more', () => {
    const { lines, state } = run([
      queue(1, 'go'),
      user(2, 'go', { parent: 'x' }),
      user(3, 'go', { parent: 'x' }),
    ]);
    expect(lines.map((line) => [line.text, line.queued, line.sent, line.replaces])).toEqual([
      ['go', undefined, undefined, undefined],
      ['go', undefined, undefined, 2],
    ]);
    expect(state.queued).toEqual([]);
  });

  it('is queued as soon as the agent did something, or anything was asked', () => {
    for (const before of [agent(1, 'Hello.'), call(1, 't', 'Read', {}), user(1, 'go')]) {
      expect(run([before, queue(2, 'more')]).lines.at(-1)).toMatchObject({ queued: true, text: 'more' });
    }
  });

  it('that is a separate command is not expected again', () => {
    const { lines, state } = run([user(1, 'go'), user(2, 'x', { queued: true }), user(3, 'x')]);
    expect(lines.map((line) => [line.text, line.queued])).toEqual([
      ['go', undefined],
      ['x', true],
      ['x', undefined],
    ]);
    expect(state.queued).toEqual([]);
  });

  it('appears once if its queue line is repeated, and again if it is typed again', () => {
    const { lines } = run([user(1, 'go'), queue(2, 'x'), queue(3, 'x'), user(4, 'x')]);
    expect(lines.map((line) => line.sent ?? line.text)).toEqual(['go', 'x', 'x']);
  });

  it('is sent after calls that were never answered, and found again by another process', () => {
    const { lines, state } = run([user(1, 'go'), queue(2, 'x'), call(3, 't', 'Bash', { command: 'ls' })]);
    expect(lines).toHaveLength(2);
    const later = JSON.parse(JSON.stringify(state));
    expect(refine(later, user(4, 'x'), undefined)).toMatchObject([
      { role: 'tool', result: 'none' },
      { sent: 2 },
    ]);
    expect(refine(later, user(5, 'x'), undefined)).toMatchObject([{ text: 'x' }]);
  });
});

describe('what else a line holds', () => {
  const notice = (src: number, rest: object): Entry => ({
    ...at(src),
    kind: 'notice',
    origin: 'machine',
    text: 'words',
    ...rest,
  });
  const edit = (src: number, id: string, file: string) =>
    call(src, id, 'Edit', { file_path: `/srv/shop/${file}`, old_string: 'a', new_string: 'b' });

  it('a reply and an aside are marked, and neither ends the calls nor the offer', () => {
    const { lines, state } = run([
      agent(1, 'Should I release it?'),
      call(2, 't', 'Bash', { command: 'ls' }),
      user(3, 'why', { reply: true, asked: 'Q?', choice: 'C', parent: 'p' }),
      user(4, 'hm', { aside: true, parent: 'p' }),
    ]);
    expect(lines.slice(1)).toMatchObject([
      { text: 'why', reply: true, asked: 'Q?', choice: 'C' },
      { text: 'hm', aside: true },
    ]);
    expect([state.open.length, state.asks.length, state.said !== undefined]).toEqual([1, 0, true]);
  });

  it('images, the speaker, the command, an own id, doubts', () => {
    const { lines } = run([
      user(1, 'see', { images: 1 }),
      user(2, '', { images: 3, name: 'Ada', command: '/x', ownId: true, unproven: true }),
    ]);
    expect(lines).toEqual([
      { ts: '2026-03-01T10:00:00Z', role: 'user', text: 'see\n[image]', src: 1 },
      {
        ts: '2026-03-01T10:00:00Z',
        role: 'user',
        unproven: true,
        name: 'Ada',
        command: '/x',
        text: '[3 images]',
        id: 'u2',
        src: 2,
      },
    ]);
  });

  it('a compaction with its summary, an interruption, words that nobody typed, and no other notice', () => {
    const compaction = (src: number, text: string): Entry => ({
      ...at(src),
      kind: 'compaction',
      origin: 'machine',
      text,
    });
    const { lines } = run([
      compaction(1, ' so far '),
      compaction(2, ' '),
      compaction(3, 'x'.repeat(50_000)),
      notice(4, { untyped: true }),
      notice(5, {}),
      call(6, 't', 'Bash', { command: 'ls' }),
      notice(7, { interrupts: true }),
    ]);
    expect(
      lines.map(({ name, summary, text, result: outcome }) => [name, summary?.length, text, outcome]),
    ).toEqual([
      ['compaction', 6, undefined, undefined],
      ['compaction', undefined, undefined, undefined],
      ['compaction', 40_000, undefined, undefined],
      ['untyped', undefined, 'words', undefined],
      ['Bash', undefined, undefined, 'none'],
      ['interrupted', undefined, undefined, undefined],
    ]);
    expect(lines.map((line) => line.role)).toEqual([
      'system',
      'system',
      'system',
      'system',
      'tool',
      'system',
    ]);
  });

  it('a call that was refused, in whose words, where another tool could not have forged them', () => {
    const refused = (src: number, id: string, said?: string): Entry =>
      ({ ...result(src, id, 'no', true), refused: true, ...(said ? { said } : {}) }) as Entry;
    const { lines } = run([
      call(1, 'a', 'Bash', { command: 'ls' }),
      refused(2, 'a', 'not now'),
      call(3, 'b', 'mcp__x__y', {}),
      refused(4, 'b', 'not now'),
      call(5, 'c', 'mcp__x__y', {}),
      refused(6, 'c'),
    ]);
    expect(lines.map((line) => line.result)).toEqual([
      'refused by the user',
      'refused by the user: not now',
      'refused by the user',
    ]);
  });

  it('how a command ended, by what the client says or by the words of its shell only', () => {
    const failed = (name: string, rest: object = {}) =>
      run([call(1, 'a', name, {}), { ...result(2, 'a', 'Exit code 2\nx', true), ...rest } as Entry]).lines[0]
        ?.exit;
    expect([
      failed('Bash'),
      failed('Read'),
      failed('Read', { exit: 7 }),
      failed('Bash', { exit: 7 }),
    ]).toEqual([2, undefined, 7, 7]);
  });

  it('the lines that an edit changed, not those of a new file or of another tool', () => {
    const changed = (entry: Entry) =>
      run([entry, { ...result(2, 'a', ''), changed: '4-9' } as Entry]).lines[0]?.lines;
    expect(changed(edit(1, 'a', 'x.ts'))).toBe('4-9');
    expect(changed(call(1, 'a', 'MultiEdit', { edits: [] }))).toBe('4-9');
    expect(changed(call(1, 'a', 'Write', { content: 'x' }))).toBe('1-1');
    expect(changed(call(1, 'a', 'Bash', { command: 'ls' }))).toBeUndefined();
  });

  it('an edit that is known to be done stays so, whatever its call says in the end', () => {
    const patched = (src: number, path: string, lines = '3-4'): Entry => ({
      ...at(src),
      kind: 'patched',
      origin: 'tool',
      files: [{ path, lines }],
    });
    const { lines } = run([
      edit(1, 'a', 'src/x.ts'),
      edit(2, 'b', 'y.ts'),
      edit(3, 'c', 'z.ts'),
      call(4, 'd', 'Bash', { command: 'w.ts' }),
      patched(5, '/srv/shop/src/x.ts'),
      patched(6, '/other/y.ts'),
      patched(7, 'z.tsx'),
      patched(8, 'w.ts'),
      patched(9, '/srv/shop/src/x.ts', '8-9'),
      result(10, 'a', 'failed', true),
      user(11, 'next'),
    ]);
    expect(lines.map((line) => [line.target, line.lines, line.result])).toEqual([
      ['src/x.ts', '3-4', undefined],
      ['y.ts', '3-4', undefined],
      ['z.ts', undefined, 'none'],
      ['w.ts', undefined, 'none'],
      [undefined, undefined, undefined],
    ]);
  });

  it('a patch without lines is done as well', () => {
    const { lines } = run([
      edit(1, 'a', 'x.ts'),
      { ...at(2), kind: 'patched', origin: 'tool', files: [{ path: 'x.ts', lines: '' }] },
      result(3, 'a', 'failed', true),
    ]);
    expect(lines[0]).not.toHaveProperty('result');
    expect(lines[0]).not.toHaveProperty('lines');
  });

  it('a call that is complete in its line has its result unless that is plain ok', () => {
    const settled = (output: unknown) =>
      run([{ ...call(1, 'a', 'X', { target: 't', result: output }), settled: true } as Entry]).lines;
    expect(settled('broken')).toMatchObject([{ name: 'X', target: 't', result: 'broken' }]);
    for (const fine of ['ok', '', 7]) expect(settled(fine)[0]).not.toHaveProperty('result');
  });

  it('a result answers its own calls only, once', () => {
    const { lines } = run([
      call(1, 'a', 'Read', {}),
      call(2, 'b', 'Glob', {}),
      result(3, 'a', ''),
      result(4, 'a', ''),
      result(5, 'zzz', ''),
    ]);
    expect(lines.map((line) => line.name)).toEqual(['Read']);
  });

  it('of more than 500 open calls the oldest is written without a result', () => {
    const open = (count: number) =>
      run(Array.from({ length: count }, (_, index) => call(index, `t${index}`, 'Read', {}))).lines;
    expect(open(500)).toEqual([]);
    expect(open(501)).toMatchObject([{ src: 0, result: 'none' }]);
    const state = newRefineState();
    refine(state, edit(1, 'first', 'x.ts'), '/srv/shop');
    refine(
      state,
      { ...at(2), kind: 'patched', origin: 'tool', files: [{ path: 'x.ts', lines: '' }] },
      '/srv/shop',
    );
    const told = Array.from({ length: 500 }, (_, index) =>
      refine(state, call(index + 3, `t${index}`, 'Read', {}), '/srv/shop'),
    ).flat();
    expect(told).toHaveLength(1);
    expect(told[0]).not.toHaveProperty('result');
  });

  it('an agent that said nothing keeps the offer that it made before', () => {
    const { lines } = run([agent(1, 'Should I release it?'), agent(2, ''), user(3, 'yes')]);
    expect(lines.at(-1)?.asked).toBe('Should I release it?');
  });

  it('the keys of a line in one order, each once, and no others', () => {
    const whole = {
      src: 1,
      id: 'i',
      replaces: 2,
      sent: 3,
      unproven: true,
      aside: true,
      reply: true,
      queued: true,
      exit: 4,
      result: 'r',
      summary: 's',
      choice: 'c',
      text: 't"',
      asked: 'a',
      command: 'k',
      diff: 'd',
      lines: 'l',
      target: 'g',
      name: 'n',
      role: 'user',
      ts: 'z',
      other: 'x',
      empty: undefined,
    } as const;
    expect(writeL1(whole as never)).toBe(
      '{"ts":"z","role":"user","name":"n","target":"g","lines":"l","diff":"d","command":"k","asked":"a","text":"t\\"",' +
        '"choice":"c","summary":"s","result":"r","exit":4,"queued":true,"reply":true,"aside":true,"unproven":true,' +
        '"sent":3,"replaces":2,"id":"i","src":1}\n',
    );
    expect(writeL1({ ts: 'z', role: 'user', name: undefined, src: 1 } as never)).toBe(
      '{"ts":"z","role":"user","src":1}\n',
    );
  });
});
