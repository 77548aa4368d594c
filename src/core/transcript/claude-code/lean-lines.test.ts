import { describe, expect, it } from 'vitest';
import { leanLines, type SourceLine } from './lean-lines.ts';
import type { NativeObject } from './native-line.ts';

const LONG = Array.from({ length: 60 }, (_, at) => `row ${at} of the listing, nothing special`).join('\n');
let next = 0;
let last: string | null = null;
const lines: SourceLine[] = [];

function add(object: NativeObject, queued?: string): void {
  const uuid = `u${next++}`;
  lines.push({
    object: { uuid, parentUuid: last, isSidechain: false, ...object },
    src: 100 * lines.length,
    queued,
  });
  if (object.uuid === undefined) last = uuid;
}

function session(build: () => void): SourceLine[] {
  [next, last] = [0, null];
  lines.length = 0;
  build();
  return [...lines];
}

const user = (text: string) => add({ type: 'user', message: { role: 'user', content: text } });
const agent = (text: string) =>
  add({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } });
function call(name: string, input: Record<string, unknown>, output: string, isError = false): void {
  const id = `t${next}`;
  add({
    type: 'assistant',
    message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
  });
  add({
    type: 'user',
    toolUseResult: { stdout: output },
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: output, is_error: isError }],
    },
  });
}

const facts = {
  sessionId: 'new',
  uuid: '11111111-2222-4333-8444-555555555555',
  ts: '2026-01-01T00:00:00.000Z',
  title: 'Shorter',
  preface: 'A shorter copy.',
  stated: new Set<number>(),
};
const made = (source: SourceLine[], stated: number[] = []) => {
  const lean = leanLines(source, { ...facts, stated: new Set(stated) }, (text) => text.length);
  const copied = lean.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { ...lean, copied, why: lean.outputs.map(({ why }) => why) };
};

describe('a lean copy of a session', () => {
  it('cuts what later steps need no more, and says why', () => {
    const source = session(() => {
      user('Look around.');
      call('Read', { file_path: 'a.ts' }, LONG);
      call('Read', { file_path: 'b.ts' }, LONG);
      call('Bash', { command: 'npm test' }, LONG);
      call('Bash', { command: 'env' }, `${LONG}\nHARBOUR_TOKEN_FILE=/etc/harbour`);
      call('Bash', { command: 'ls' }, LONG);
      user('Change a.ts, and use HARBOUR_TOKEN_FILE.');
      call('Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, 'ok');
      call('Read', { file_path: 'b.ts' }, LONG);
      call('Bash', { command: 'npm test' }, LONG);
      user('Good.');
      agent('Done.');
    });
    const { why, tokens, text } = made(source);
    expect(why).toEqual([
      'changed later',
      'read again later',
      'run again later',
      'partly used later',
      'not used later',
      'whole',
      'whole',
      'whole',
    ]);
    expect(text).toContain('HARBOUR_TOKEN_FILE=/etc/harbour');
    expect(tokens.after).toBeLessThan(tokens.before / 2);
  });

  it('keeps what a person answered, what a statement is made from, and the words of a queue', () => {
    const refusal = `The user doesn't want to proceed with this. The user said: never deploy on Fridays. ${LONG}`;
    const source = session(() => {
      user('Deploy.');
      call('Bash', { command: 'deploy' }, refusal, true);
      call('AskUserQuestion', { questions: [] }, `Monday then. ${LONG}`);
      call('Bash', { command: 'cat notes' }, LONG);
      add({ type: 'queue-operation', uuid: '' }, 'And mind the tide.');
      user('Next.');
      user('And next.');
      agent('Yes.');
    });
    const place = source[6]!.src;
    const { why, copied, intact } = made(source, [place]);
    expect(why).toEqual(['whole', 'whole', 'whole']);
    expect(copied.map(({ message }) => message?.content)).toContain('And mind the tide.');
    expect(intact.has(place)).toBe(true);
  });

  it('has the words of a queue in the chain that the client follows, never between a call and its output', () => {
    const callOf = (id: string) =>
      add({
        type: 'assistant',
        message: {
          id: 'm1',
          role: 'assistant',
          content: [{ type: 'tool_use', id, name: 'Bash', input: {} }],
        },
      });
    const outputOf = (id: string, parentUuid: string) => {
      last = parentUuid;
      add({
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
      });
    };
    const source = session(() => {
      user('Go.');
      callOf('t1');
      const first = last!;
      add({ type: 'queue-operation', uuid: '' }, 'While you call.');
      callOf('t2');
      const second = last!;
      outputOf('t1', first);
      add({ type: 'queue-operation', uuid: '' }, 'While it runs.');
      outputOf('t2', second);
      agent('Done.');
      add({ type: 'queue-operation', uuid: '' }, 'At the end.');
    });
    const { copied } = made(source);
    const [title, ...rest] = copied;
    const sent: string[] = [];
    let at = rest.find(({ uuid }) => uuid === title.leafUuid);
    while (at) {
      const { content } = at.message;
      sent.unshift(typeof content === 'string' ? content : (content[0].text ?? content[0].type));
      at = rest.find(({ uuid }) => uuid === at.parentUuid);
    }
    expect(sent.slice(1)).toEqual([
      'Go.',
      'tool_use',
      'tool_use',
      'tool_result',
      'While you call.',
      'While it runs.',
      'Done.',
      'At the end.',
    ]);
  });

  it('is one chain of new ids without thinking, subagents and the break of a compaction', () => {
    const source = session(() => {
      user('Before.');
      add({
        type: 'assistant',
        message: { role: 'assistant', content: [{ type: 'thinking', text: 'hm' }] },
      });
      agent('Answer.');
      const before = last!;
      add({ type: 'user', isSidechain: true, uuid: 'side', message: { role: 'user', content: 'sub' } });
      last = null;
      add({ type: 'system', subtype: 'compact_boundary', logicalParentUuid: before });
      add({ type: 'user', isCompactSummary: true, message: { role: 'user', content: 'Summary.' } });
      user('After.');
    });
    const { copied, dropped, lines: number } = made(source);
    const [title, root, ...rest] = copied;
    expect(title).toEqual({ type: 'summary', summary: 'Shorter', leafUuid: rest.at(-1).uuid });
    expect(root).toMatchObject({ parentUuid: null, sessionId: 'new' });
    expect(root.message.content).toContain('4 lines');
    const chain = [root, ...rest];
    expect(chain.slice(1).map(({ parentUuid }) => parentUuid)).toEqual(
      chain.slice(0, -1).map(({ uuid }) => uuid),
    );
    expect(JSON.stringify(rest)).not.toMatch(/Summary|thinking|"sub"/);
    expect(rest.map(({ message }) => JSON.stringify(message.content)).join()).toMatch(
      /Before.*Answer.*After/,
    );
    expect([dropped, number]).toEqual([{ lines: 3, thinking: 1 }, 4]);
  });
});
