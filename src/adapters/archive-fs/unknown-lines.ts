import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { type ReadableFile, readFully, writeFully } from './write-file.ts';

const BLOCK = 1 << 20;
/** Longer lines are known by their hash alone and are never held in memory. */
const LONGEST_HELD = 8 << 20;
const NEWLINE = 10;

type Range = { start: number; end: number };
export type UnknownLines = { lines: Range[]; copySize: number };

/** Byte ranges of the source's lines that the copy does not hold, by uuid or else by content. */
export async function unknownLines(copy: FileHandle, source: ReadableFile): Promise<UnknownLines> {
  const known = new Set<string>();
  const copySize = await scan(copy, (line) => {
    if (line.key !== undefined) known.add(line.key);
  });
  const lines: Range[] = [];
  await scan(source, ({ key, start, end }) => {
    if (key === undefined || known.has(key)) return;
    known.add(key);
    lines.push({ start, end });
  });
  return { lines, copySize };
}

/** Returns the copy's new size. */
export async function appendUnknownLines(
  copy: FileHandle,
  source: ReadableFile,
  found: UnknownLines,
): Promise<number> {
  if (found.lines.length === 0) return found.copySize;
  let at = found.copySize;
  const put = async (bytes: Uint8Array) => {
    await writeFully(copy, bytes, at);
    at += bytes.length;
  };
  const last = await readFully(copy, Buffer.alloc(1), at - 1);
  if (last[0] !== NEWLINE) await put(Buffer.from('\n'));
  const buffer = Buffer.allocUnsafe(BLOCK);
  for (const { start, end } of found.lines) {
    for (let from = start; from < end; ) {
      const bytes = await readFully(source, buffer.subarray(0, Math.min(BLOCK, end - from)), from);
      if (bytes.length === 0) throw new Error('the source became shorter while it was read');
      await put(bytes);
      from += bytes.length;
    }
    await put(Buffer.from('\n'));
  }
  await copy.sync();
  return at;
}

/** `key` is undefined for blank lines, and for a last line that is not whole yet. */
type Line = Range & { key: string | undefined };

/** In bounded memory. Returns how many bytes were read. */
async function scan(file: ReadableFile, onLine: (line: Line) => void): Promise<number> {
  const buffer = Buffer.allocUnsafe(BLOCK);
  let at = 0;
  let start = 0;
  let line = new Gathered();
  for (;;) {
    const bytes = await readFully(file, buffer, at);
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      line.add(bytes.subarray(from, end));
      onLine({ start, end: at + end, key: line.key(true) });
      line = new Gathered();
      from = end + 1;
      start = at + from;
    }
    line.add(bytes.subarray(from));
    at += bytes.length;
    if (bytes.length < BLOCK) break;
  }
  if (at > start) onLine({ start, end: at, key: line.key(false) });
  return at;
}

/** One line's bytes, or only their hash once there are too many. */
class Gathered {
  #held: Buffer[] = [];
  #size = 0;
  #hash: Hash | undefined;

  add(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#hash) {
      this.#hash.update(bytes);
    } else if (this.#size <= LONGEST_HELD) {
      // Copied, for the buffer is read into again.
      if (bytes.length > 0) this.#held.push(Buffer.from(bytes));
    } else {
      this.#hash = createHash('sha256');
      for (const part of this.#held) this.#hash.update(part);
      this.#hash.update(bytes);
      this.#held = [];
    }
  }

  key(terminated: boolean): string | undefined {
    if (this.#hash) return terminated ? this.#hash.digest('hex') : undefined;
    const bytes = Buffer.concat(this.#held);
    const text = bytes.toString('utf8').trim();
    if (text === '') return undefined;
    const parsed = parseObject(text);
    if (typeof parsed?.uuid === 'string') return `uuid ${parsed.uuid}`;
    if (!terminated && !parsed) return undefined;
    return createHash('sha256').update(bytes).digest('hex');
  }
}

function parseObject(text: string): { uuid?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
