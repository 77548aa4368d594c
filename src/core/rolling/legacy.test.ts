import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastDated, splitOversized, toUtcHeadings, utcOf } from './legacy.ts';
import { isUnwritten, NOTES, noteTemplate } from './notes.ts';

const count = (text: string) => text.split(/\s+/).filter(Boolean).length;
/** A clock nine hours ahead of UTC. */
const seoul = (iso: string) =>
  new Date(Date.parse(iso) + 9 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');

test('a heading with the local time gets UTC; one that has it, and every other line, stays', () => {
  const text = [
    '# Memory',
    '## 2026-01-13_0830',
    '## 2026-01-13 08:30:15 about login',
    '## 2026-02-01_1738 (local 02-02_0238)',
    '## 2026-01-13_0830 UTC',
    '## Notes 2026-01-13_0830',
    'said on 2026-01-13_0830',
    '## 2026-99-99_0830',
  ];
  const { text: made, changed } = toUtcHeadings(text.join('\n'), seoul);
  expect(made.split('\n')).toEqual([
    '# Memory',
    '## 2026-01-12_2330 (local 01-13_0830)',
    '## 2026-01-12_2330 (local 01-13_0830) about login',
    ...text.slice(3),
  ]);
  expect(changed).toBe(2);
  expect(toUtcHeadings(made, seoul)).toEqual({ text: made, changed: 0 });
});

test('what a clock showed leads back to the moment', () => {
  const minutes = fc
    .integer({ min: 0, max: 20_000_000 })
    .map((it) => new Date(it * 60_000 + Date.UTC(2000, 0)).toISOString());
  fc.assert(
    fc.property(minutes, (iso) => {
      expect(utcOf(seoul(iso), seoul)).toBe(iso);
    }),
  );
  expect(utcOf('nonsense', seoul)).toBeUndefined();
});

test('the parts of a long file are short, and together they are the file', () => {
  const block = fc.constantFrom(
    '## 2026-01-13_0830 x\n',
    'some words here\n',
    '\n',
    'word '.repeat(9),
    '## 2026-01-14_0830\n',
  );
  fc.assert(
    fc.property(fc.array(block, { maxLength: 80 }), (blocks) => {
      const text = blocks.join('');
      const split = splitOversized(text, count, 40);
      expect(split.join('')).toBe(text);
      for (const part of split) if (part.split('\n').length > 2) expect(count(part)).toBeLessThanOrEqual(40);
    }),
  );
  expect(lastDated('## 2026-01-13_0830\nx\n## 2026-01-14_0930 (local 01-14_1030)\n')).toBe(
    '2026-01-14T09:30:00.000Z',
  );
});

test('a template is not yet a note', () => {
  for (const name of NOTES) {
    expect(isUnwritten(name, noteTemplate(name))).toBe(true);
    expect(isUnwritten(name, `${noteTemplate(name)}Words.\n`)).toBe(false);
  }
});
