import { open } from 'node:fs/promises';
import type { OnLine, ReadSummary } from '../../ports/transcripts.ts';

const CHUNK = 4 * 1024 * 1024;
/** A longer line is skipped and reported, and never held in memory. */
export const LONGEST_LINE = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Calls `onLine` for each line from `from` on. The buffer it gets is only valid during the call. A last line without a
 * newline is offered with `last`; when it is refused, reading goes on from its start next time.
 */
export async function readLines(
  path: string,
  from: number,
  onLine: OnLine,
  longest = LONGEST_LINE,
): Promise<ReadSummary> {
  const file = await open(path, 'r');
  try {
    return await scan(
      (buffer, at, length, position) => file.read(buffer, at, length, position),
      from,
      onLine,
      longest,
    );
  } finally {
    await file.close();
  }
}

type Read = (buffer: Buffer, at: number, length: number, position: number) => Promise<{ bytesRead: number }>;

async function scan(read: Read, from: number, onLine: OnLine, longest: number): Promise<ReadSummary> {
  const oversize: ReadSummary['oversize'] = [];
  let buffer = Buffer.allocUnsafe(CHUNK);
  /** Bytes of an unfinished line at the start of the buffer, and where that line starts in the file. */
  let held = 0;
  let lineAt = from;
  let skipping = false;
  let position = from;
  for (;;) {
    if (held === buffer.length) {
      if (held >= longest) {
        skipping = true;
        held = 0;
        buffer = Buffer.allocUnsafe(CHUNK);
      } else {
        const bigger = Buffer.allocUnsafe(Math.min(buffer.length * 2, longest + CHUNK));
        buffer.copy(bigger, 0, 0, held);
        buffer = bigger;
      }
    }
    const { bytesRead } = await read(buffer, held, Math.min(CHUNK, buffer.length - held), position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const filled = held + bytesRead;
    let start = 0;
    let searchFrom = held;
    for (;;) {
      const end = buffer.indexOf(NEWLINE, searchFrom);
      if (end === -1 || end >= filled) break;
      if (skipping) {
        oversize.push({ at: lineAt, bytes: position - filled + end - lineAt });
        skipping = false;
      } else if (end > start && onLine(buffer.subarray(start, end), lineAt, false) === 'stop') {
        return { end: lineAt + end - start + 1, oversize };
      }
      start = end + 1;
      searchFrom = start;
      lineAt = position - filled + start;
    }
    if (skipping) held = 0;
    else {
      held = filled - start;
      if (start > 0 && held > 0) buffer.copy(buffer, 0, start, filled);
    }
  }
  if (skipping) return { end: lineAt, oversize };
  if (held === 0) return { end: lineAt, oversize };
  const taken = onLine(buffer.subarray(0, held), lineAt, true);
  return { end: taken === true || taken === 'stop' ? lineAt + held : lineAt, oversize };
}
