import { describe, expect, it } from 'vitest';
import type { ToolCallEntry } from '../../model/entry.ts';
import { describeCall, exitStatus, isFileEdit, relative, shortError } from './tool-line.ts';

const CWD = '/srv/shop';
const as = (text: string) => text;

function told(name: string, input: Record<string, unknown>, rest: Partial<ToolCallEntry> = {}) {
  const call: ToolCallEntry = {
    id: 'u1',
    ts: '2026-03-01T10:00:00Z',
    src: [0, 1],
    kind: 'tool-call',
    origin: 'assistant',
    toolUseId: 't1',
    name,
    input,
    ...rest,
  };
  return describeCall(call, CWD, as);
}

describe('what one line says of a call', () => {
  it.each<[string, Record<string, unknown>, object]>([
    ['Read', { file_path: '/srv/shop/a.ts' }, { target: 'a.ts' }],
    ['Read', { file_path: '/srv/shop/a.ts', offset: 5 }, { target: 'a.ts', lines: '5-' }],
    ['Read', { file_path: '/srv/shop/a.ts', limit: 5 }, { target: 'a.ts', lines: '1-5' }],
    ['Read', { file_path: '/srv/shop/a.ts', offset: '5', limit: '5' }, { target: 'a.ts' }],
    [
      'Read',
      { file_path: '/elsewhere/a.ts', offset: 10, limit: 1 },
      { target: '/elsewhere/a.ts', lines: '10-10' },
    ],
    ['Read', {}, {}],
    ['NotebookRead', { notebook_path: '/srv/shop/n.ipynb', limit: 2 }, { target: 'n.ipynb', lines: '1-2' }],
    [
      'MultiEdit',
      {
        file_path: '/srv/shop/a.ts',
        edits: [
          { old_string: 'a', new_string: 'b' },
          { old_string: 'c', new_string: 'd' },
        ],
      },
      { target: 'a.ts', lines: '2 edits', diff: '-a\n+b' },
    ],
    ['MultiEdit', { file_path: '/srv/shop/a.ts', edits: 'x' }, { target: 'a.ts', lines: '0 edits' }],
    ['Write', { file_path: '/srv/shop/a.ts', content: 'a\nb\n' }, { target: 'a.ts', lines: '1-2' }],
    ['Write', { file_path: '/srv/shop/a.ts', content: 'a\nb' }, { target: 'a.ts', lines: '1-2' }],
    ['Write', { file_path: '/srv/shop/a.ts', content: '' }, { target: 'a.ts', lines: '1-0' }],
    [
      'NotebookEdit',
      { notebook_path: '/srv/shop/n.ipynb', new_source: 'x = 1' },
      { target: 'n.ipynb', diff: '+x = 1' },
    ],
    ['Grep', { pattern: 'foo', path: '/srv/shop/src' }, { target: 'foo src' }],
    ['Grep', { pattern: 'foo', glob: '*.ts' }, { target: 'foo *.ts' }],
    ['Glob', { pattern: '*.md' }, { target: '*.md' }],
    ['ExitPlanMode', { plan: 'First this.' }, { text: 'First this.' }],
    [
      'TodoWrite',
      {
        todos: [
          { status: 'pending', content: 'b' },
          { status: 'in_progress', content: 'a' },
        ],
      },
      { target: '2 todos: a' },
    ],
    ['TodoWrite', { todos: [{ status: 'pending', content: 'b' }, null] }, { target: '2 todos' }],
    ['TodoWrite', { todos: 'none' }, {}],
    ['WebFetch', { url: 'https://a.example/b', prompt: 'p' }, { target: 'https://a.example/b' }],
    ['Other', { file_path: '/srv/shop/a.ts', name: 'n' }, { target: 'a.ts' }],
    ['Other', { taskId: '7', status: 'done' }, { target: '7 done' }],
    ['Other', { query: 'a\n  b' }, { target: 'a b' }],
    ['Other', { questions: [{ question: 'A?' }, { question: 'B?' }, null] }, { target: 'A? / B? / ' }],
    ['Other', { unknown: 1 }, { target: '{"unknown":1}' }],
    ['Other', {}, {}],
  ])('%s %j', (name, input, wanted) => {
    expect(told(name, input)).toEqual(wanted);
  });

  it.each([
    'description',
    'subject',
    'title',
    'query',
    'url',
    'skill',
    'command',
    'file_path',
    'path',
    'pattern',
    'name',
    'id',
    'task_id',
    'taskId',
  ])('an unknown tool is known by its %s', (field) => {
    expect(told('Other', { zzz: 'no', [field]: 'what' })).toEqual({ target: 'what' });
  });

  it('a call that is complete in its own line has the content of the line, and of other tools what is known of them', () => {
    const settled = { settled: true } as const;
    const input = { target: 'a.ts', lines: '1-2', diff: '+x', description: 'no' };
    expect(told('Other', input, settled)).toEqual({ target: 'a.ts', lines: '1-2', diff: '+x' });
    expect(told('Other', { target: 7 }, settled)).toEqual({});
  });

  it('without a folder paths and commands stay as they are', () => {
    const call = {
      name: 'Bash',
      input: { command: 'cd /srv/shop && ls /srv/shop/src' },
    } as unknown as ToolCallEntry;
    expect(describeCall(call, undefined, as)).toEqual({ target: 'cd /srv/shop && ls /srv/shop/src' });
    expect(describeCall(call, CWD, as)).toEqual({ target: 'ls src' });
  });

  it('secrets are taken out before anything is cut', () => {
    const secret = 'S'.repeat(30);
    const clean = (text: string) => text.replaceAll(secret, '[x]');
    for (const [name, field] of [
      ['Bash', 'command'],
      ['Edit', 'new_string'],
      ['NotebookEdit', 'new_source'],
      ['ExitPlanMode', 'plan'],
      ['Other', 'query'],
      ['Grep', 'pattern'],
    ] as const) {
      const before = { Bash: 390, Edit: 150, NotebookEdit: 150, ExitPlanMode: 5, Other: 110, Grep: 110 }[
        name
      ];
      const call = { name, input: { [field]: 'y'.repeat(before) + secret } } as unknown as ToolCallEntry;
      expect(JSON.stringify(describeCall(call, CWD, clean))).not.toContain('SS');
    }
  });
});

describe('a command', () => {
  const target = (command: string) => told('Bash', { command }).target ?? '';
  const long = (command: string) => `${command} ${'x'.repeat(500)}`;

  it.each([
    'git commit -m',
    'git  tag',
    'git merge',
    'git checkout -b',
    'git checkout -B',
    'git switch -c',
    'git switch -C',
    'git branch a',
    'gh pr create',
    'gh issue edit',
    'gh release comment',
    'gh pr merge',
  ])('that names things is kept whole: %s', (command) => {
    expect(target(long(command))).toBe(long(command));
  });

  it.each([
    'git status',
    'git checkout main',
    'git switch main',
    'gh pr view',
    'gh repo create',
    'legit commit',
    'echo',
  ])('that names nothing is cut: %s', (command) => {
    expect(target(long(command))).toHaveLength(400);
    expect(target(long(command))).toMatch(/x…$/);
  });

  it('is one line, unless it names things', () => {
    expect(target('  a\n  b  ')).toBe('a b');
    expect(target('git commit -m "a\n\nb"')).toBe('git commit -m "a\n\nb"');
    expect(target(`git commit -m ${'x'.repeat(5000)}`)).toHaveLength(4000);
    expect(target('x'.repeat(400))).toBe('x'.repeat(400));
  });

  it('is cut before a character of two units, not inside it', () => {
    expect(target(`${'x'.repeat(398)}🎉🎉`)).toBe(`${'x'.repeat(398)}…`);
    expect(target(`${'x'.repeat(397)}🎉🎉`)).toBe(`${'x'.repeat(397)}🎉…`);
    expect(target(`${'x'.repeat(399)}\u{e000}y`)).toBe(`${'x'.repeat(399)}…`);
  });
});

describe('the difference that a line shows', () => {
  const diff = (old_string: unknown, new_string: unknown) =>
    told('Edit', { file_path: '/f', old_string, new_string }).diff;

  it.each([
    ['same\nold\nend', 'same\nnew\nend', '-old\n+new'],
    ['a', 'a', undefined],
    ['a\nb', 'a', '-b'],
    ['a', 'a\nb', '+b'],
    ['x\na', 'a', '-x'],
    ['a\na', 'a', '-a'],
    ['a', 'a\na', '+a'],
    ['  a  ', '\n\n b', '-a\n+b'],
    ['', '1\n2\n3\n4', '+1\n+2\n+3'],
    [undefined, 'n', '+n'],
  ])('%j and %j', (before, after, wanted) => {
    expect(diff(before, after)).toBe(wanted);
  });

  it('has short lines', () => {
    expect(diff('', 'x'.repeat(300))).toBe(`+${'x'.repeat(159)}…`);
    expect(diff('', 'x'.repeat(160))).toBe(`+${'x'.repeat(160)}`);
  });
});

describe('an error', () => {
  it('is its first three lines that say something, short', () => {
    expect(shortError('\n a\n\n  \nb\nc\nd', as)).toBe('a\nb\nc');
    expect(shortError('<tool_use_error>gone</tool_use_error>', as)).toBe('gone');
    expect(shortError('  ', as)).toBe('error');
    expect(shortError('x'.repeat(161), as)).toBe(`${'x'.repeat(159)}…`);
    expect(shortError(`a${'\n'.repeat(12)}b`, as)).toBe('a');
  });

  it('says how a command ended, only at its beginning', () => {
    expect(exitStatus('Exit code 127\nx')).toBe(127);
    expect(exitStatus('Error: Exit code 2')).toBe(2);
    expect(exitStatus('Process exited with code 1')).toBe(1);
    expect(['x Exit code 1', 'Exit code x', 'Exit code 1234', 'exit 1'].map(exitStatus)).toEqual(
      Array(4).fill(undefined),
    );
  });
});

it('a path is relative only inside the folder', () => {
  expect(relative('/srv/shop/a', CWD)).toBe('a');
  expect(relative('/srv/shop', CWD)).toBe('.');
  expect(relative('/srv/shopping/a', CWD)).toBe('/srv/shopping/a');
  expect(relative('C:\\shop\\a', 'C:\\shop')).toBe('a');
  expect(relative('/other', CWD)).toBe('/other');
  expect(relative('/other', undefined)).toBe('/other');
});

it('the tools that change a file are known by their whole names', () => {
  const edits = ['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'Edits', 'TodoWrite', undefined].filter(
    (name) => isFileEdit({ role: 'tool', ...(name === undefined ? {} : { name }) }),
  );
  expect(edits).toEqual(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
  expect(isFileEdit({ role: 'user', name: 'Edit' })).toBe(false);
});
