import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { L1Line } from '../model/l1.ts';
import { decisionsIn, type Keepable, workingCommands } from './keepable.ts';
import { lostIn } from './lost.ts';

const said = (text: string): L1Line => ({ ts: '2026-01-05T10:00:00Z', role: 'user', text, src: 0 });
const bash = (target: string, result?: string): L1Line => ({
  ts: '2026-01-05T10:00:00Z',
  role: 'tool',
  name: 'Bash',
  target,
  src: 0,
  ...(result === undefined ? {} : { result }),
});
const item = (kind: Keepable['kind'], text: string): Keepable => ({ kind, text, ts: '', who: 'user' });

test('decisions are sentences by which the user settled something', () => {
  const lines = [
    said('We use pnpm instead of npm. It is late. Should we use bun instead of pnpm?'),
    said('Never push to main.\n```\nalways use tabs in here\n```\n> never mind the quote'),
    said("Don't commit yet, for now."),
    { ...said('We decided to use Rust.'), role: 'assistant' as const },
  ];
  expect(decisionsIn(lines).map(({ text }) => text)).toEqual([
    'We use pnpm instead of npm.',
    'Never push to main.',
  ]);
});

test('commands count when they last went well, and are checks or were run again', () => {
  const lines = [
    bash('npm test', 'exit 1'),
    bash('npm test'),
    bash('make broken', 'exit 2'),
    bash('ls -la'),
    bash('cat  notes.txt'),
    bash('cat notes.txt'),
  ];
  expect(workingCommands(lines).map(({ text }) => text)).toEqual(['npm test', 'cat notes.txt']);
});

test('only what the summary no longer says is lost', () => {
  const summary = 'The user wants pnpm instead of npm. Tests are run with `npm  test`.';
  const before = [
    item('decision', 'We use pnpm instead of npm.'),
    item('keepit', 'The deploy key lives in the vault.'),
    item('command', 'npm test'),
    item('command', 'npm run build'),
  ];
  expect(lostIn(summary, before).map(({ text }) => text)).toEqual([
    'The deploy key lives in the vault.',
    'npm run build',
  ]);
});

test('a summary that holds everything has lost nothing, and an empty one everything that has words', () => {
  const kinds = fc.constantFrom<Keepable['kind']>('keepit', 'rule', 'decision', 'command');
  const words = fc.stringMatching(/^[a-z]{4,9}( [a-z]{4,9}){2,6}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(kinds, words), { maxLength: 8 }), (all) => {
      const before = all.map(([kind, text]) => item(kind, text));
      expect(lostIn(all.map(([, text]) => text).join('\n'), before)).toEqual([]);
      for (const { kind } of before.filter((it) => !lostIn('', before).includes(it)))
        expect(kind).not.toBe('command');
    }),
  );
});
