import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatEntry } from './entry.ts';
import { appendEntry, MEMORY_HEADER } from './memory-file.ts';
import { mergedMemory } from './merged-memory.ts';
import { placedEntries } from './placed-entries.ts';

const entry = (day: number, session: string) => {
  const ts = `2026-01-${String(day).padStart(2, '0')}T10:00:00Z`;
  const local = ts.slice(0, 16).replace('T', ' ');
  return formatEntry({ ts, local, session, lines: [1, 9], body: [`- said in ${session}`] });
};
const memory = (...entries: string[]) =>
  entries.reduce((text, one) => appendEntry(text, `\n${one.trim()}\n`), MEMORY_HEADER);

describe('the memory of several folders', () => {
  it('is one text, ordered by time, with each entry once', () => {
    const merged = mergedMemory([
      memory(entry(1, 'aaaa'), entry(5, 'bbbb')),
      memory(entry(3, 'cccc'), entry(5, 'bbbb')),
    ]);
    expect(placedEntries(merged).map(({ session }) => session)).toEqual(['aaaa', 'cccc', 'bbbb']);
  });

  it('keeps what was written by hand in any of them', () => {
    const merged = mergedMemory([memory(entry(1, 'aaaa')), `${MEMORY_HEADER}\nThe shop sells tea.\n`]);
    expect(merged).toContain('The shop sells tea.');
    expect(merged.split('# Memory\n').length).toBe(2);
  });

  it('loses no entry and changes no file that is alone', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.array(fc.tuple(fc.integer({ min: 1, max: 28 }), fc.constantFrom('a', 'b', 'c', 'd')), {
            maxLength: 4,
          }),
          {
            minLength: 1,
            maxLength: 4,
          },
        ),
        (folders) => {
          const texts = folders.map((of, at) =>
            memory(...of.map(([day, name], place) => entry(day, `${name}${at}${place}0000`))),
          );
          const merged = mergedMemory(texts);
          const wanted = texts.flatMap((text) => placedEntries(text).map(({ key }) => key)).sort();
          expect(
            placedEntries(merged)
              .map(({ key }) => key)
              .sort(),
          ).toEqual(wanted);
          expect(mergedMemory([texts[0]!])).toBe(texts[0]);
        },
      ),
    );
  });
});
