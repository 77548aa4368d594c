import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entryHeading, formatEntry, readHeading, withoutSession } from './entry.ts';
import {
  addedText,
  appendEntry,
  archivedAt,
  archiveName,
  carriedFrom,
  carriedOver,
  MEMORY_HEADER,
  rotate,
} from './memory-file.ts';

/** Words, as a counter that adds up. */
const count = (text: string) => text.split(/\s+/).filter(Boolean).length;
const limits = { rotateAbove: 120, carryOver: 30 };

const sentence = fc.lorem({ mode: 'sentences', maxCount: 2 });
const parts = fc.record({
  ts: fc.constant('2026-01-13T12:00:00Z'),
  local: fc.constant('2026-01-13 13:00'),
  session: fc.stringMatching(/^[0-9a-f]{8}$/),
  lines: fc.tuple(fc.nat(99), fc.nat(99)) as fc.Arbitrary<[number, number]>,
  body: fc.array(
    sentence.map((text) => `- decision: ${text}`),
    { minLength: 1, maxLength: 12 },
  ),
});

describe('memory.md', () => {
  test('archives and memory, less what was carried over, are all that was ever added, in order', () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), fc.boolean(), (all, force) => {
        const entries = all.map((it) => `\n${formatEntry(it)}\n`);
        let memory: string | undefined;
        const archives: string[] = [];
        for (const [at, entry] of entries.entries()) {
          memory = appendEntry(memory, entry);
          const name = archiveName(
            '2026-01-13T12:00:00.000Z',
            new Set(archives.map((_, n) => `memory_20260113_1200${String(n).padStart(2, '0')}.md`)),
          );
          const rotated = rotate(memory, name, count, { limits, force: force && at % 5 === 4 });
          if (!rotated) continue;
          archives.push(rotated.archive);
          memory = rotated.memory;
          expect(count(memory)).toBeLessThanOrEqual(limits.carryOver + count(MEMORY_HEADER) + 16);
        }
        const kept = [...archives, memory ?? ''].map(addedText).join('');
        expect(kept).toBe(entries.join(''));
      }),
    );
  });

  test('the carried-over part is the end of the archive, in whole lines, within the token limit', () => {
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 20 }), (all) => {
        const memory = all.reduce<string | undefined>(
          (text, it) => appendEntry(text, `\n${formatEntry(it)}\n`),
          undefined,
        )!;
        const carried = carriedOver(memory, 'memory_20260113_120000.md', count, 30);
        if (carried === MEMORY_HEADER) return;
        expect(carriedFrom(carried)).toBe('memory_20260113_120000.md');
        const text = carried.slice(carried.indexOf('-->\n') + 4, carried.indexOf('<!-- end'));
        expect(count(text)).toBeLessThanOrEqual(30);
        const [heading, ...rest] = text.split('\n');
        expect(heading).toMatch(/^## 2026-01-13_1200 /);
        const end = memory.endsWith(text) ? text : rest.join('\n');
        expect(memory.endsWith(end)).toBe(true);
        const before = memory.slice(0, -end.length);
        expect(before === '' || before.endsWith('\n') || /[.!?…]["'”’)\]]*\s+$/.test(before)).toBe(true);
      }),
    );
  });

  test('entries are carried over whole where they fit', () => {
    const entry = (n: number) =>
      `\n## 2026-01-13_120${n} (local 01-13_1300) session abcdefgh lines ${n}-${n}\n- user: one two three four.\n`;
    const memory = [1, 2, 3, 4].reduce<string | undefined>(
      (text, n) => appendEntry(text, entry(n)),
      undefined,
    )!;
    const carried = carriedOver(memory, 'memory_20260113_120000.md', count, 30);
    expect(carried.match(/^## /gm)).toHaveLength(2);
    expect(carried).toContain('lines 3-3');
  });

  test('of one long line whole sentences are carried over, and nothing of a single endless one', () => {
    const line = `${'Word '.repeat(50)}end. Second one here. Third.`;
    expect(carriedOver(`${line}\n`, 'memory_20260113_120000.md', count, 10)).toContain(
      '\nSecond one here. Third.\n',
    );
    expect(carriedOver('word '.repeat(200), 'memory_20260113_120000.md', count, 10)).toBe(MEMORY_HEADER);
  });

  test('what a person wrote stays, newline or not', () => {
    expect(appendEntry('My own words', '\n## x\n')).toBe('My own words\n\n## x\n');
    expect(appendEntry('', '\n## x\n')).toBe(`${MEMORY_HEADER}\n## x\n`);
    expect(rotate(MEMORY_HEADER, 'memory_20260113_120000.md', count, { force: true })).toBeUndefined();
  });

  test('a second that is taken gives the next one', () => {
    const taken = new Set(['memory_20251231_235959.md']);
    const name = archiveName('2025-12-31T23:59:59.500Z', taken);
    expect(name).toBe('memory_20260101_000000.md');
    expect(archivedAt(name)).toBe('2026-01-01T00:00:00.000Z');
    expect(archivedAt('memory.md')).toBeUndefined();
  });
});

describe('an entry', () => {
  const entry = {
    ts: '2026-02-01T17:38:00Z',
    local: '2026-02-01 09:38',
    session: 'abcd1234',
    lines: [3, 9] as [number, number],
    body: [],
  };

  test('is headed by UTC and local time, and by where it is from', () => {
    expect(entryHeading(entry)).toBe('## 2026-02-01_1738 (local 02-01_0938) session abcd1234 lines 3-9');
    expect(readHeading(entryHeading(entry))).toEqual({ session: 'abcd1234', lines: [3, 9] });
  });

  test('is one line a statement, whatever was said', () => {
    const body = [
      '- rule: ## 2026-01-01_0000 x\n<!-- carried over -->\u001b[31m ##keepit1.00## y',
      '- changed: a\nb',
    ];
    const text = formatEntry({ ...entry, body });
    expect(text.split('\n')).toHaveLength(3);
    expect(text).not.toContain('keepit1.00##');
  });

  test('is taken out with its session, and the others stay', () => {
    const other = { ...entry, session: 'ffff0000' };
    const memory = [entry, other, entry].reduce<string | undefined>(
      (text, it) => appendEntry(text, `\n${formatEntry(it)}\n`),
      undefined,
    )!;
    const left = withoutSession(memory, (session) => session === 'abcd1234');
    expect(left.match(/session \w+/g)).toEqual(['session ffff0000']);
    expect(left.startsWith(MEMORY_HEADER)).toBe(true);
    expect(withoutSession('no entries', () => true)).toBe('no entries');
    const carried = carriedOver(memory, 'memory_20260113_120000.md', count, 90);
    expect(addedText(withoutSession(`${carried}\nBy hand.\n`, () => true))).toBe('\nBy hand.\n');
  });
});
