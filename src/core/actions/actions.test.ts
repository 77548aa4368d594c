import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { L1Line } from '../model/l1.ts';
import type { SessionStatement } from '../model/statement.ts';
import { estimateTokens } from '../text/estimate-tokens.ts';
import { actionLookup, type SessionActions } from './action-lookup.ts';
import { ACTION_TOKENS } from './action-note.ts';
import { commandLessons } from './command-lessons.ts';
import { commandSegments } from './command-segments.ts';
import { errorLessons } from './error-lessons.ts';
import { formErrorOf, hasForm } from './form-error.ts';
import { noteForCommand, noteForEdit } from './note-for-call.ts';

let src = 0;
const bash = (target: string, result?: string, ts = '2026-01-01T10:00:00Z'): L1Line => ({
  ts,
  role: 'tool',
  name: 'Bash',
  target,
  src: src++,
  ...(result === undefined ? {} : { result }),
});
const session = (...lines: L1Line[]): SessionActions => ({
  sessionId: 'aaaaaaaa-0000-4000-8000-000000000000',
  ...commandLessons(lines),
  errors: errorLessons(lines, (result) => result.split('\n')[0]!),
});
const stated = (text: string, more: Partial<SessionStatement> = {}): SessionStatement => ({
  id: `st_${text.length}`,
  kind: 'decision',
  text,
  author: 'user',
  foundBy: 'words',
  tier: 'shown',
  confidence: 0.7,
  quotes: [],
  overturned: [],
  exchange: 1,
  ts: '2026-01-02T10:00:00Z',
  ...more,
});
const never = () => false;

describe('the form of a command', () => {
  test('a missing program is known by the way that found it', () => {
    const lines = [
      bash('hk install', 'zsh:1: command not found: hk'),
      bash('mise x hk -- hk install && git add .'),
    ];
    const lookup = actionLookup([session(...lines)], []);
    const note = noteForCommand(lookup, { command: 'hk install && git commit', error: '' }, never);
    expect(note?.text).toContain('what worked: `mise x hk -- hk install`');
    expect(noteForCommand(lookup, { command: 'mise x hk -- hk install', error: '' }, never)).toBeUndefined();
    expect(noteForCommand(lookup, { command: 'echo "hk install"', error: '' }, never)).toBeUndefined();
  });

  test('a flag that is not known is one for this subcommand only', () => {
    const lines = [bash('gh pr diff 88 --stat', 'unknown flag: --stat'), bash('gh pr diff 88 --name-only')];
    const lookup = actionLookup([session(...lines)], []);
    expect(noteForCommand(lookup, { command: 'gh pr diff 91 --stat', error: '' }, never)?.text).toContain(
      '--name-only',
    );
    expect(noteForCommand(lookup, { command: 'git diff --stat', error: '' }, never)).toBeUndefined();
    expect(noteForCommand(lookup, { command: 'gh pr view --stat', error: '' }, never)).toBeUndefined();
  });

  test('what passes again later is no lesson', () => {
    const failed = session(bash('yq . a.yaml', 'bash: yq: command not found'));
    expect(actionLookup([failed], []).commands).toHaveLength(1);
    const passed = session(bash('yq . b.yaml', undefined, '2026-01-03T10:00:00Z'));
    expect(actionLookup([failed, passed], []).commands).toEqual([]);
    // Behind a pipe nobody sees that it failed.
    const unseen = session(bash('yq . b.yaml | head -3', undefined, '2026-01-03T10:00:00Z'));
    expect(actionLookup([failed, unseen], []).commands).toHaveLength(1);
  });

  test('a newer failure is said unless a form worked before, whatever the program is called', () => {
    const missing = (day: string) =>
      bash('networked up', 'bash: networked: command not found', `2026-01-${day}T10:00:00Z`);
    const textOf = (...sessions: SessionActions[]) => actionLookup(sessions, []).commands[0]?.text;
    const [first, second] = [session(missing('01')), session(missing('05'))];
    expect(textOf(first, second)).toContain('of 2026-01-05');
    const mended = session(missing('02'), bash('npx networked up', undefined, '2026-01-02T11:00:00Z'));
    expect(textOf(first, mended, second)).toContain('what worked: `npx networked up`');
  });

  test('failing tests, conflicts and missing files teach nothing of the form', () => {
    for (const [command, result] of [
      ['npm test', 'Exit code 1\n3 tests failed'],
      ['git merge main', 'CONFLICT (content): Merge conflict in a.ts'],
      ['ls nope', "ls: cannot access 'nope': No such file or directory"],
    ] as const)
      expect(formErrorOf(command, result), command).toBeUndefined();
  });

  test('quoted text and here-documents start no program', () => {
    const programs = (command: string) => commandSegments(command).map(({ program }) => program);
    expect(programs('A=1 sudo make -j4 && git commit -m "fix; rm -rf" | tee log')).toEqual([
      'make',
      'git',
      'tee',
    ]);
    expect(programs("cat > x <<'EOF'\nrm -rf /\nEOF")).toEqual(['cat']);
  });

  test('whatever a command is, what it says of itself holds of it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (command, result) => {
        const form = formErrorOf(command, result);
        expect(form === undefined || hasForm(command, form)).toBe(true);
      }),
    );
  });
});

test('an error that a variant of the command got around is said before the next one like it', () => {
  const error = 'psql: error: connection to server failed: Peer authentication failed for user mcp';
  const lookup = actionLookup(
    [session(bash('psql -U mcp -d safe -c x', error), bash('psql -h localhost -U mcp -d safe -c x'))],
    [],
  );
  const note = noteForCommand(lookup, { command: 'psql -U mcp -d safe -c y', error }, never);
  expect(note?.text).toContain('psql -h localhost');
  expect(noteForCommand(lookup, { command: 'git status', error }, never)).toBeUndefined();
  expect(noteForCommand(lookup, { command: 'psql -U mcp -d safe -c y', error: '' }, never)).toBeUndefined();
});

describe('a file', () => {
  const decided = stated(
    'User: "Use `viewsWelcome` in package.json for empty views" -> Moved them to package.json.',
  );
  const { files } = actionLookup(
    [],
    [{ sessionId: 'bbbbbbbb', statement: decided, changed: ['src/views.ts'] }],
  );
  const edit = (file: string, before: string, after: string) =>
    noteForEdit(files, { file, edits: [{ before, after }] }, never);

  test('its decision is said where an edit changes a line with what it is about', () => {
    expect(edit('/srv/app/package.json', '"viewsWelcome": [1]', '"viewsWelcome": [2]')?.key).toBe(decided.id);
    expect(edit('/srv/app/src/views.ts', '', 'registerViews(viewsWelcome)')?.key).toBe(decided.id);
    expect(
      edit('/srv/app/package.json', '"viewsWelcome": 1\n"a": 1', '"viewsWelcome": 1\n"a": 2'),
    ).toBeUndefined();
    expect(edit('/srv/app/other.json', '"viewsWelcome": [1]', '"viewsWelcome": [2]')).toBeUndefined();
  });

  test('it is said once in a session', () => {
    const pending = { file: 'package.json', edits: [{ before: '', after: 'viewsWelcome' }] };
    expect(noteForEdit(files, pending, (key) => key === decided.id)).toBeUndefined();
  });

  test('what an agent only said it had done, and what is open, is not said', () => {
    const claims = [
      stated(decided.text, { author: 'assistant', foundBy: 'claim' }),
      stated(decided.text, { kind: 'open' }),
    ];
    for (const statement of claims)
      expect(actionLookup([], [{ sessionId: 'b', statement, changed: [] }]).files).toEqual({});
  });
});

test('no note is over its budget, whatever was said', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 3000, unit: 'binary' }), (words) => {
      const statement = stated(`User: "${words} fooBar in a.ts"`);
      const { files } = actionLookup([], [{ sessionId: 'b', statement, changed: ['a.ts'] }]);
      for (const { text } of Object.values(files).flat())
        expect(estimateTokens(text)).toBeLessThanOrEqual(ACTION_TOKENS);
    }),
  );
});
