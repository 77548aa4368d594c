import { expect, test } from 'vitest';
import type { L1Line } from '../model/l1.ts';
import { statementsOf } from '../statements/statements-of.ts';
import type { Keepable } from './keepable.ts';
import { keepableIn, repairOf } from './repair.ts';

const at = '2026-01-05T10:00:00Z';
const item = (kind: Keepable['kind'], text: string): Keepable => ({ kind, text, ts: at, who: 'user' });

test('what the summary lost comes once, in the order of what matters, the files on one line', () => {
  const summary = 'We fixed the parser in src/parser.ts. Deploys happen on Mondays only, as the user asked.';
  const before = [
    item('command', 'npm run deploy'),
    item('decision', 'Deploys happen on Mondays only.'),
    item('decision', 'Invoices are rounded per line with bankers rounding.'),
    item('file', 'src/parser.ts'),
    item('file', 'src/invoice/lines.ts'),
    item('file', 'src/invoice/sum.ts'),
    item('open', 'The migration of old invoices is not written yet.'),
    item('rule', 'Invoices are rounded per line with bankers rounding!'),
    item('project-rule', 'Never push to main.'),
  ];
  expect(repairOf(summary, before).map(({ kind, text }) => [kind, text])).toEqual([
    ['rule', 'Invoices are rounded per line with bankers rounding!'],
    ['open', 'The migration of old invoices is not written yet.'],
    ['file', 'src/invoice/lines.ts, src/invoice/sum.ts'],
    ['project-rule', 'Never push to main.'],
    ['command', 'npm run deploy'],
  ]);
});

test('words that are scattered over a long summary are no decision in it', () => {
  const noise = (word: string) =>
    `${word} ${'the release notes mention another subject entirely '.repeat(40)}`;
  const summary = ['invoices', 'rounded', 'line', 'bankers', 'rounding'].map(noise).join(' ');
  const decision = item('decision', 'Invoices are rounded per line with bankers rounding.');
  expect(repairOf(summary, [decision])).toEqual([decision]);
});

test('of the lines themselves: statements, changed files, the newest first', () => {
  const tool = (name: string, target: string): L1Line => ({ ts: at, role: 'tool', name, target, src: 0 });
  const lines: L1Line[] = [
    { ts: at, role: 'user', text: 'Never push to main, from now on always open a pull request.', src: 0 },
    tool('Edit', 'src/a.ts'),
    tool('Write', 'src/b.ts'),
    tool('Read', 'src/c.ts'),
    tool('Edit', 'src/a.ts'),
    { ts: at, role: 'assistant', text: 'Done.', src: 0 },
  ];
  const found = keepableIn(lines, statementsOf(lines));
  expect(found.filter(({ kind }) => kind === 'file').map(({ text }) => text)).toEqual([
    'src/a.ts',
    'src/b.ts',
  ]);
  expect(found.some(({ kind, text }) => kind !== 'file' && text.includes('Never push to main'))).toBe(true);
});
