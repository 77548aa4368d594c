import { describe, expect, test } from 'vitest';
import type { L1Line } from '../model/l1.ts';
import { isSameError, mendedErrors, mendText, type RunReader } from './mended-errors.ts';

let src = 0;
const line = (name: string, target: string, more: Partial<L1Line> = {}): L1Line => ({
  ts: '2026-01-01T10:00:00Z',
  role: 'tool',
  name,
  target,
  src: src++,
  ...more,
});
const bash = (target: string, result?: string) =>
  line('Bash', target, result === undefined ? {} : { result });
const edit = (target: string, diff = '-a\n+b') => line('Edit', target, { diff });

/** Every line of an output is an error; a pipe hides how a command ended; a look is no work. */
const RUNS: RunReader = {
  errorsOf: (result) => result.split('\n').filter((it) => !it.startsWith('Exit code')),
  commandOf: (command) => ({ name: command.replace(/ \|.*$/, ''), masked: command.includes('|') }),
  doesWork: (name) => !name.startsWith('cat '),
};
const LINT = 'src/oven.ts: the result of heat is not checked';
const mended = (...lines: L1Line[]) => mendedErrors(lines, RUNS);
const filesOf = (...lines: L1Line[]) => mended(...lines).map(({ edits }) => edits.map(({ file }) => file));

describe('an error that edits mended', () => {
  test('is known with the files and lines that were changed before the same command passed', () => {
    const [found] = mended(
      bash('npm run lint', LINT),
      edit('src/oven.ts', '-heat(3);\n+const hot = heat(3);'),
      bash('npm run lint'),
    );
    expect(found).toMatchObject({ errors: [LINT], failed: 'npm run lint', more: 0, ran: [] });
    expect(mendText(found!)).toBe(
      'failed: npm run lint\nedited: src/oven.ts\n  -heat(3);\n  +const hot = heat(3);\npassed then: the same command',
    );
  });

  test('is not one where nothing changed, the run never passed, or a pipe hides whether it did', () => {
    expect(mended(bash('npm test', LINT), bash('npm test'))).toEqual([]);
    expect(mended(bash('npm test', LINT), edit('src/oven.ts'))).toEqual([]);
    expect(mended(bash('npm test', LINT), edit('src/oven.ts'), bash('npm test | tail -3'))).toEqual([]);
    expect(mended(bash('npm test', LINT), edit('src/oven.ts'), bash('npm run build'))).toEqual([]);
  });

  test('what did not help is not part of it', () => {
    const again = filesOf(
      bash('npm test', LINT),
      edit('src/wrong.ts'),
      bash('npm test', LINT),
      edit('src/oven.ts'),
      bash('npm test'),
    );
    expect(again).toEqual([['src/oven.ts']]);
  });

  test('two errors one after the other have each their own edits', () => {
    const other = 'src/kettle.ts: the lid is missing';
    const both = filesOf(
      bash('npm test', LINT),
      edit('src/oven.ts'),
      bash('npm test', other),
      edit('src/kettle.ts'),
      bash('npm test'),
    );
    expect(both).toEqual([['src/oven.ts', 'src/kettle.ts'], ['src/kettle.ts']]);
  });

  test('a wider run of the same program counts, a narrower one does not', () => {
    const narrow = 'go test ./oven -run TestHeat';
    expect(filesOf(bash(narrow, LINT), edit('src/oven.ts'), bash('go test ./...'))).toEqual([
      ['src/oven.ts'],
    ]);
    expect(filesOf(bash('go test ./...', LINT), edit('src/oven.ts'), bash(narrow))).toEqual([]);
  });

  test('files that the error names come first, with their tests; among many others none is preferred', () => {
    const files = ['a.ts', 'b.ts', 'c.ts', 'src/oven.ts', 'src/oven.test.ts'].map((file) => edit(file));
    const [found] = mended(bash('npm test', LINT), ...files, bash('npm test'));
    expect(found!.edits.map(({ file }) => file)).toEqual(['src/oven.ts', 'src/oven.test.ts', 'a.ts']);
    expect(found!.more).toBe(2);
    expect(mended(bash('npm test', 'the lid is missing'), ...files, bash('npm test'))).toEqual([]);
  });

  test('of several edits of a file the one that speaks of the error is shown; lines that only moved are not', () => {
    const [found] = mended(
      bash('npm test', LINT),
      edit('src/oven.ts', '-heat(3);\n-wait();\n+const result = heat(3);\n+wait();'),
      edit('src/oven.ts', '-// todo\n+// done'),
      bash('npm test'),
    );
    expect(found!.edits).toEqual([{ file: 'src/oven.ts', lines: '-heat(3);\n+const result = heat(3);' }]);
  });

  test('a formatter that ran in between is part of it, a read is not', () => {
    const [found] = mended(
      bash('npm run lint', LINT),
      bash('npm run format'),
      bash('cat format.txt'),
      bash('npm run lint'),
    );
    expect(found).toMatchObject({ edits: [], ran: ['npm run format'] });
  });

  test('an error that goes away without a fix, or only says that there is an error, does not count', () => {
    for (const error of ['the connection timed out', 'Error:', 'ended by SIGKILL'])
      expect(mended(bash('npm test', error), edit('a.ts'), bash('npm test'))).toEqual([]);
    const typed = "a.ts: Type 'string' is not assignable to type 'number'";
    expect(mended(bash('npm test', typed), edit('a.ts'), bash('npm test'))).toHaveLength(1);
  });
});

test('a name that was cut is known again by what is left of it', () => {
  const whole = 'oven.ts:#: the result of heat is not checked (errcheck)';
  expect(isSameError(whole, whole)).toBe(true);
  expect(isSameError(`${whole.slice(0, 40)}…`, whole)).toBe(true);
  expect(isSameError(`${whole.slice(0, 12)}…`, whole)).toBe(false);
  expect(isSameError('another one', whole)).toBe(false);
});
