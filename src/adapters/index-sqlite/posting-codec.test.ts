import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePostings, PostingEncoder } from './posting-codec.ts';

const postings = fc
  .uniqueArray(fc.record({ line: fc.nat(2 ** 31 - 1), times: fc.integer({ min: 1, max: 255 }) }), {
    selector: ({ line }) => line,
    maxLength: 2000,
  })
  .map((all) => all.sort((a, b) => a.line - b.line));

function encode(all: { line: number; times: number }[]): Uint8Array {
  const encoder = new PostingEncoder();
  encoder.add(7, 7);
  encoder.reset();
  for (const { line, times } of all) encoder.add(line, times);
  return encoder.bytes().slice();
}

test('any ascending lines with their counts come back as they went in', () => {
  fc.assert(
    fc.property(postings, fc.nat(2000), (all, cut) => {
      const rows = [all.slice(0, cut), all.slice(cut)].filter((part) => part.length > 0);
      const found = decodePostings(
        rows.map((part) => ({ count: part.length, data: encode(part) })),
        2 ** 31,
      );
      expect([...found!.lines]).toEqual(all.map(({ line }) => line));
      expect([...found!.counts]).toEqual(all.map(({ times }) => times));
    }),
  );
});

test('bytes that were cut, that continue after the last posting, or that name a line too many are refused', () => {
  fc.assert(
    fc.property(postings, fc.nat(), (all, cut) => {
      fc.pre(all.length > 0);
      const data = encode(all);
      const count = all.length;
      const last = all.at(-1)!.line;
      expect(decodePostings([{ count, data }], last + 1)).toBeDefined();
      expect(decodePostings([{ count, data }], last)).toBeUndefined();
      expect(decodePostings([{ count, data: data.subarray(0, cut % data.length) }], 2 ** 31)).toBeUndefined();
      expect(decodePostings([{ count, data: new Uint8Array([...data, 2]) }], 2 ** 31)).toBeUndefined();
      expect(
        decodePostings(
          [
            { count, data },
            { count, data },
          ],
          2 ** 31,
        ),
      ).toBeUndefined();
    }),
  );
});

test('any bytes at all are refused, or are ascending lines below the limit', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.integer({ min: -1, max: 300 }), fc.nat(1000), (data, count, limit) => {
      const found = decodePostings([{ count, data }], limit);
      const lines = [-1, ...(found?.lines ?? [])];
      expect(lines.every((line, n) => n === 0 || line > lines[n - 1]!)).toBe(true);
      expect(lines.at(-1)).toBeLessThan(limit === 0 ? 1 : limit);
    }),
  );
});
