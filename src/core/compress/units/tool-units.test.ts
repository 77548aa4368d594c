import { describe, expect, it } from 'vitest';
import { turnsFrom } from '../../../../test/made/turns.ts';
import type { Turn } from '../turn.ts';
import { toolUnits } from './tool-units.ts';
import type { Unit } from './unit.ts';

function units(line: Partial<Turn['line']>, detail?: Turn['detail']): [string, string][] {
  const [turn] = turnsFrom([{ role: 'tool', ...line, ...(detail ? { detail } : {}) }]);
  const found: Unit[] = [];
  toolUnits({ turn: turn!, index: 0 }, found);
  return found.map(({ kind, text }) => [kind, text]);
}

describe('the pieces of a tool call', () => {
  it('leave out reminders of the client, and keep what only opens one, however often', () => {
    const output = (text: string) =>
      units({ name: 'Bash', target: 'x' }, { input: {}, output: text, isError: false })
        .filter(([kind]) => kind === 'output')
        .map(([, found]) => found)
        .join('\n');
    expect(output('a<system-reminder>b</system-reminder>c')).toBe('ac');
    // A look for each one's end would take minutes.
    const opened = '<system-reminder>x\n'.repeat(100_000);
    expect(output(opened)).toContain('<system-reminder>x');
  });

  it('are its header, cut at a word, the whole command and how it failed', () => {
    const command = 'for f in a b; do grep -n something "$f"; done';
    const line = {
      name: 'Bash',
      target: 'for f in a b; do grep -n someth…',
      result: 'Exit code 2\n\nno such fi…',
    };
    expect(units(line, { input: { command }, isError: true })).toEqual([
      ['header', 'for f in a b; do grep -n …'],
      ['error', 'failed: Exit code 2 | no such …'],
      ['command', command],
    ]);
  });

  it('are what an edit took out and put in, without what stayed', () => {
    const input = { old_string: 'a\nb\nc', new_string: 'a\nB\nc' };
    expect(units({ name: 'Edit', target: 'x.ts' }, { input, isError: false })).toEqual([
      ['file', 'x.ts'],
      ['edit', '-b\n+B'],
    ]);
    expect(units({ name: 'Edit', target: 'x.ts', diff: '-one two thr…\n+one' })[1]).toEqual([
      'edit',
      '-one two …\n+one',
    ]);
  });

  it('are lists as lines to read, outputs in whole lines, without line numbers and notes of the client', () => {
    const todos = [
      { content: 'Mend it', status: 'pending', activeForm: 'Mending it' },
      { content: 'Test it', status: 'pending', activeForm: 'Testing it' },
    ];
    expect(units({ name: 'TodoWrite', target: '2 todos' }, { input: { todos }, isError: false })[1]).toEqual([
      'input',
      'Mend it | pending\nTest it | pending',
    ]);
    const output = `${Array.from({ length: 30 }, (_, line) => `  ${line + 1}→row ${line}`).join('\n')}\n<system-reminder>x</system-reminder>`;
    const read = units({ name: 'Read', target: 'x.ts' }, { output, isError: false }).slice(1);
    expect(read.map(([kind]) => kind)).toEqual(['output', 'output', 'output']);
    expect(read.map(([, text]) => text).join('\n')).toBe(
      Array.from({ length: 30 }, (_, row) => `row ${row}`).join('\n'),
    );
  });
});
