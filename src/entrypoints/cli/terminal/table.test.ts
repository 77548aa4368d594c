import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Column, table } from './table.ts';
import { textWidth } from './text-width.ts';

type Row = { id: string; size: string; title: string };
const columns: Column<Row>[] = [
  { title: 'id', value: (row) => row.id },
  { title: 'size', value: (row) => row.size, align: 'right', spare: 1 },
  { title: 'title', value: (row) => row.title, least: 8 },
];
const plain = { heading: (text: string) => text };

test('columns are aligned, figures to the right', () => {
  const rows = [
    { id: 'a', size: '5 B', title: 'one' },
    { id: 'bcd', size: '1.5 MB', title: '二' },
  ];
  expect(table(rows, columns, { ...plain, width: undefined })).toEqual([
    'id     size  title',
    'a       5 B  one',
    'bcd  1.5 MB  二',
  ]);
});

test('no line is wider than the terminal, as long as the columns that must stay fit', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 }).map((it) => it.replace(/\s+/g, ' '));
  const row = fc.record({ id: fc.stringMatching(/^[a-z]{1,8}$/), size: fc.constant('1.5 MB'), title: text });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), fc.integer({ min: 20, max: 100 }), (rows, width) => {
      for (const line of table(rows, columns, { ...plain, width })) {
        expect(textWidth(line)).toBeLessThanOrEqual(width);
      }
    }),
  );
});

test('on a narrow terminal spare columns go first', () => {
  const rows = [{ id: 'abcdefgh', size: '1.5 MB', title: 'a long title that is cut' }];
  expect(table(rows, columns, { ...plain, width: 20 })).toEqual(['id        title', 'abcdefgh  a long ti…']);
});

test('on a narrow terminal columns without a value go before any other is cut', () => {
  const state: Column<Row> = { title: 'state', value: () => '' };
  const rows = [{ id: 'abcdefgh', size: '1.5 MB', title: 'short words' }];
  const asked = [...columns, state];
  expect(table(rows, asked, { ...plain, width: 29 })).toEqual([
    'id          size  title',
    'abcdefgh  1.5 MB  short words',
  ]);
  expect(table(rows, asked, { ...plain, width: 60 })[0]).toBe('id          size  title        state');
});

test('without a width nothing is cut', () => {
  const title = 'x'.repeat(500);
  expect(table([{ id: 'a', size: '', title }], columns, { ...plain, width: undefined })[1]).toContain(title);
});

test('a path loses its beginning, and a last column can continue below', () => {
  const path: Column<Row> = { title: 'title', value: (row) => row.title, least: 8, cut: 'front' };
  const about: Column<Row> = { title: 'title', value: (row) => row.title, least: 8, wrap: true };
  const [id] = columns as [Column<Row>];
  const rows = [{ id: 'a', size: '', title: '/home/me/work/shop' }];
  expect(table(rows, [id, path], { ...plain, width: 14 })).toEqual(['id  title', 'a   …work/shop']);
  const values = [{ id: 'a', size: '', title: 'one two three' }];
  expect(table(values, [id, about], { ...plain, width: 12 })).toEqual([
    'id  title',
    'a   one two',
    '    three',
  ]);
});
