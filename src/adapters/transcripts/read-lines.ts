import { readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { OnLine, ReadSummary } from '../../ports/transcripts.ts';

/** Small enough to stay in the processor's cache between reading and parsing. */
const CHUNK = 512 * 1024;
/** A longer line is skipped and reported, and never held in memory. */
const LONGEST_LINE = 64 * 1024 * 1024;
/** Bytes after which others get a turn: timers, signals, the progress bar. */
const TURN = 32 * 1024 * 1024;
const NEWLINE = 0x0a;

/** A buffer that no read is using, so that a thousand small files do not take a thousand buffers. */
let spare: Buffer | undefined;

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
    return await scan(file.fd, from, onLine, longest);
  } finally {
    await file.close();
  }
}

async function scan(fd: number, from: number, onLine: OnLine, longest: number): Promise<ReadSummary> {
  const oversize: ReadSummary['oversize'] = [];
  let buffer = spare ?? Buffer.allocUnsafe(CHUNK);
  spare = undefined;
  /** Bytes of an unfinished line at the start of the buffer, and where that line starts in the file. */
  let held = 0;
  let lineAt = from;
  let skipping = false;
  let position = from;
  let nextTurn = from + TURN;
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
    if (position >= nextTurn) {
      nextTurn = position + TURN;
      await setImmediate();
    }
    // Synchronous: the bytes are wanted at once, and a trip through the thread pool costs as much as the read.
    const bytesRead = readSync(fd, buffer, held, buffer.length - held, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const filled = held + bytesRead;
    let start = 0;
    let end = buffer.indexOf(NEWLINE, held);
    for (; end !== -1 && end < filled; end = buffer.indexOf(NEWLINE, start)) {
      if (skipping) {
        oversize.push({ at: lineAt, bytes: position - filled + end - lineAt });
        skipping = false;
      } else if (end > start && onLine(buffer.subarray(start, end), lineAt, false) === 'stop') {
        return { end: lineAt + end - start + 1, oversize };
      }
      start = end + 1;
      lineAt = position - filled + start;
    }
    held = skipping ? 0 : filled - start;
    if (start > 0 && held > 0) buffer.copy(buffer, 0, start, filled);
  }
  const taken = !skipping && held > 0 && onLine(buffer.subarray(0, held), lineAt, true);
  if (buffer.length === CHUNK) spare = buffer;
  return { end: taken ? lineAt + held : lineAt, oversize };
}
