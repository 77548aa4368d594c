import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLines } from './read-lines.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-lines-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Seen = { text: string; at: number; last: boolean };

async function read(bytes: string | Uint8Array, from = 0, takeLast = true, longest?: number) {
  const path = join(folder, 'file.jsonl');
  writeFileSync(path, bytes);
  const seen: Seen[] = [];
  const summary = await readLines(
    path,
    from,
    (line, at, last) => {
      seen.push({ text: line.toString('latin1'), at, last });
      return last ? takeLast : true;
    },
    longest,
  );
  return { seen, ...summary };
}

describe('reading lines', () => {
  it('gives every line that is not empty with its place, from any start', async () => {
    const line = fc.oneof(
      fc.constant(''),
      fc.string({ unit: 'binary-ascii', maxLength: 30 }).map((text) => text.replaceAll('\n', ' ')),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 20 }),
        fc.boolean(),
        fc.nat(20),
        async (lines, closed, skip) => {
          const text = lines.join('\n') + (closed && lines.length > 0 ? '\n' : '');
          const start = lines.slice(0, skip).reduce((sum, one) => sum + one.length + 1, 0);
          const { seen, end } = await read(text, Math.min(start, text.length));
          expect(seen.map(({ text: one }) => one)).toEqual(lines.slice(skip).filter((one) => one !== ''));
          for (const { text: one, at } of seen) expect(text.slice(at, at + one.length)).toBe(one);
          expect(end).toBe(text.length);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('waits before a last line that is refused', async () => {
    const { seen, end } = await read('{"a":1}\n{"b":', 0, false);
    expect(seen.at(-1)).toEqual({ text: '{"b":', at: 8, last: true });
    expect(end).toBe(8);
  });

  it('reads lines longer than its buffer whole', async () => {
    const long = 'x'.repeat(1_700_000);
    const { seen, end } = await read(`first\n${long}\nlast\n`);
    expect(seen.map(({ text }) => text.length)).toEqual([5, 1_700_000, 4]);
    expect(end).toBe(5 + 1 + 1_700_000 + 1 + 5);
  });

  it('skips a line over the limit, reports it, and reads the next', async () => {
    const { seen, oversize } = await read(`first\n${'x'.repeat(3_000_000)}\nlast\n`, 0, true, 1_000_000);
    expect(seen.map(({ text }) => text)).toEqual(['first', 'last']);
    expect(oversize).toEqual([{ at: 6, bytes: 3_000_000 }]);
  });

  it('waits for the end of a line over the limit', async () => {
    const { seen, oversize, end } = await read(`first\n${'x'.repeat(3_000_000)}`, 0, true, 1_000_000);
    expect(seen.map(({ text }) => text)).toEqual(['first']);
    expect(oversize).toEqual([]);
    expect(end).toBe(6);
  });

  it('stops when asked to', async () => {
    const path = join(folder, 'stop.jsonl');
    writeFileSync(path, 'a\nb\nc\n');
    let lines = 0;
    const { end } = await readLines(path, 0, () => (++lines === 2 ? 'stop' : true));
    expect([lines, end]).toEqual([2, 4]);
  });
});
