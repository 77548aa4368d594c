import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ComparedLine, compareRows, wordPieces } from './compare-rows.ts';

const line = (l1Line: number, status: ComparedLine['status']): ComparedLine => ({
  l1Line,
  status,
  exchange: '',
  role: 'user',
  ts: '',
  a: 'a',
  b: status === 'gone' ? null : 'b',
});

test('a run of lines that are gone is one row with all of them, unless it is unfolded', () => {
  const lines = [line(1, 'same'), line(2, 'gone'), line(3, 'gone'), line(4, 'shorter'), line(5, 'gone')];
  const keys = (unfolded: string[]) => compareRows(lines, new Set(unfolded)).map(({ key }) => key);
  expect(keys([])).toEqual(['line 1', 'gone 2', 'line 4', 'line 5']);
  expect(keys(['gone 2'])).toEqual(['line 1', 'gone 2', 'line 2', 'line 3', 'line 4', 'line 5']);
});

test('no line is lost or shown twice', () => {
  const status = fc.constantFrom<ComparedLine['status']>('same', 'gone', 'shorter');
  fc.assert(
    fc.property(fc.array(status), (all) => {
      const rows = compareRows(
        all.map((it, at) => line(at, it)),
        new Set(),
      );
      const shown = rows.flatMap((row) => (row.kind === 'gone' ? row.lines : [row.line]));
      expect(shown.map(({ l1Line }) => l1Line)).toEqual(all.map((_, at) => at));
    }),
  );
});

test('words that only one side has differ, and the pieces put together are the texts', () => {
  const pieces = wordPieces('The tax is stored beside each line.', 'The tax is beside each line.');
  expect(pieces.a.filter(({ differs }) => differs).map(({ text }) => text.trim())).toEqual(['stored']);
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const sides = wordPieces(a, b);
      const joined = (all: { text: string }[]) => all.map(({ text }) => text).join('');
      expect([joined(sides.a), joined(sides.b)]).toEqual([a, b]);
    }),
  );
});
