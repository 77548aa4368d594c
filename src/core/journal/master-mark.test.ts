import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IMPORT_LINE, withImport, withoutImport } from './import-line.ts';
import { lineDiff } from './line-diff.ts';
import { masterDigest } from './master-digest.ts';
import { masterMark, newTo, readMasterMark } from './master-mark.ts';

const some = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `p${index}`, hash: `h${index}` }));

test.each([0, 3, 24, 25, 1000])('of %i summaries none is new, and one that changes is', (count) => {
  const all = some(count);
  const text = `# T\n\n${masterMark('2026-01-01T00:00:00Z', '# T', all)}\n`;
  expect(text.length).toBeLessThan(400);
  const mark = readMasterMark(text);
  expect(mark?.conversations).toBe(count);
  expect(newTo(mark, all)).toEqual([]);
  if (count === 0) return;
  const changed = [{ name: 'p0', hash: 'other' }, ...all.slice(1)];
  expect(newTo(mark, changed)).toContainEqual({ name: 'p0', hash: 'other' });
  expect(newTo(mark, [...all, { name: 'new', hash: 'x' }])).toContainEqual({ name: 'new', hash: 'x' });
});

test('a diff gives both texts back', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((it) => it.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = lineDiff(before, after);
      const side = (sign: string) =>
        diff
          .filter((it) => it.sign !== sign)
          .map((it) => it.text)
          .join('\n');
      expect(side('+')).toBe(before);
      expect(side('-')).toBe(after);
    }),
  );
});

test('the import line goes in once and comes out again, and every other byte stays', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const file = Buffer.from(bytes);
      fc.pre(!file.toString('latin1').includes(IMPORT_LINE));
      const once = withImport(file);
      expect(withImport(once).equals(once)).toBe(true);
      expect(once.toString('latin1')).toContain(IMPORT_LINE);
      expect(withoutImport(once).subarray(0, file.length).equals(file)).toBe(true);
    }),
  );
});

test('a digest is whole lines of every section, within its room', () => {
  const text = `# P\n\n${['Current Status', 'Key Decisions', 'Active Questions'].map((name) => `## ${name}\n### Theme\n${Array.from({ length: 40 }, (_, i) => `- ${name} line ${i} (s1)`).join('\n')}`).join('\n\n')}\n\n---\n*Last synthesized: x*\n`;
  const count = (it: string) => Math.ceil(it.length / 4);
  const digest = masterDigest(text, 200, count);
  expect(count(digest)).toBeLessThanOrEqual(200);
  for (const name of ['Current Status', 'Key Decisions', 'Active Questions'])
    expect(digest).toContain(`- ${name} line 0 (s1)`);
  expect(digest).not.toContain('Last synthesized');
});
