import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { PurgeMask } from '../../core/model/purge-mask.ts';
import { readFully } from './write-file.ts';

/** What an absorb needs of a source. */
export type SourceFile = {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  stat(): Promise<Stats>;
};

/** The backslashes before a match decide whether it is one. */
const BEFORE = 64;
const NEWLINE = 10;
/** A last line longer than this is taken as it is. */
const LONGEST_TAIL = 8 << 20;

/** A source as it reads without the purged texts. Its last line counts only once it is whole: half a text is not found. */
export async function maskedSource(file: FileHandle, mask: PurgeMask): Promise<SourceFile> {
  const stats = await file.stat();
  const size = await wholeLines(file, stats.size);
  const around = Math.max(0, mask.longest - 1);
  return {
    async read(buffer, offset, length, position) {
      const wanted = Math.min(length, size - position);
      if (wanted <= 0) return { bytesRead: 0 };
      const from = Math.max(0, position - around - BEFORE);
      const to = Math.min(size, position + wanted + around);
      const bytes = await readFully(file, Buffer.allocUnsafe(to - from), from);
      mask.apply(bytes, true);
      return { bytesRead: bytes.copy(buffer, offset, position - from, position - from + wanted) };
    },
    stat: async () => Object.assign(Object.create(Object.getPrototypeOf(stats)) as Stats, stats, { size }),
  };
}

async function wholeLines(file: FileHandle, size: number): Promise<number> {
  for (let tail = 64 * 1024; ; tail *= 8) {
    const from = Math.max(0, size - tail);
    const bytes = await readFully(file, Buffer.allocUnsafe(size - from), from);
    if (bytes.at(-1) === NEWLINE || bytes.length === 0) return from + bytes.length;
    const newline = bytes.lastIndexOf(NEWLINE);
    if (newline >= 0 || from === 0)
      return isWhole(bytes.subarray(newline + 1)) ? from + bytes.length : from + newline + 1;
    if (tail > LONGEST_TAIL) return size;
  }
}

function isWhole(line: Buffer): boolean {
  try {
    JSON.parse(line.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
