import { closeSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { OnLine, ReadSummary } from '../../ports/transcripts.ts';

/** Small enough to stay in the processor's cache between reading and parsing. */
const CHUNK = 512 * 1024;
/** Who only wants the first line, or one line somewhere, should not pay for more. */
const FIRST = 16 * 1024;
/** A longer line is skipped and reported, and never held in memory. */
const LONGEST_LINE = 64 * 1024 * 1024;
/** Bytes after which others get a turn: timers, signals, the progress bar. */
const TURN = 32 * 1024 * 1024;
const NEWLINE = 0x0a;

/** A buffer that no read is using, so that a thousand small files do not take a thousand buffers. */
let spare: Buffer | undefined;

/**
 * Calls `onLine` for each line from `from` on. Its buffer is only valid during the call. A last line without a newline is
 * offered with `last`; if it is refused, reading continues from its start next time.
 */
export async function readLines(
  path: string,
  from: number,
  onLine: OnLine,
  longest = LONGEST_LINE,
): Promise<ReadSummary> {
  const file = openSync(path, 'r');
  try {
    return await scan(file, from, onLine, longest);
  } finally {
    closeSync(file);
  }
}

async function scan(fd: number, from: number, onLine: OnLine, longest: number): Promise<ReadSummary> {
  const oversize: ReadSummary['oversize'] = [];
  const buffer = spare ?? Buffer.allocUnsafe(CHUNK);
  spare = undefined;
  /** Bytes at the buffer's start of a line that has not ended, or 0 once it is too long for the buffer. */
  let held = 0;
  let lineAt = from;
  let position = from;
  let nextTurn = from + TURN;
  /** A line that fits was kept in the buffer; a longer one is read again, now that its end is known. */
  const give = (inBuffer: Buffer, lineEnd: number, last: boolean) => {
    const length = lineEnd - lineAt;
    if (length <= longest)
      return onLine(inBuffer.length === length ? inBuffer : readAt(fd, lineAt, length), lineAt, last);
    if (!last) oversize.push({ at: lineAt, bytes: length });
    return false;
  };
  for (;;) {
    if (held === buffer.length) held = 0;
    if (position >= nextTurn) {
      nextTurn = position + TURN;
      await setImmediate();
    }
    // Synchronous: the bytes are wanted at once, and a trip through the thread pool costs as much as the read.
    const room = buffer.length - held;
    const bytesRead = readSync(fd, buffer, held, position === from ? Math.min(FIRST, room) : room, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const filled = held + bytesRead;
    let start = 0;
    for (
      let end = buffer.indexOf(NEWLINE, held);
      end !== -1 && end < filled;
      end = buffer.indexOf(NEWLINE, start)
    ) {
      const lineEnd = position - filled + end;
      if (lineEnd > lineAt && give(buffer.subarray(start, end), lineEnd, false) === 'stop') {
        spare = buffer;
        return { end: lineEnd + 1, oversize };
      }
      start = end + 1;
      lineAt = lineEnd + 1;
    }
    held = position - lineAt < buffer.length ? filled - start : buffer.length;
    if (start > 0 && held > 0) buffer.copy(buffer, 0, start, filled);
  }
  const taken = position > lineAt && give(buffer.subarray(0, held), position, true);
  spare = buffer;
  return { end: taken ? position : lineAt, oversize };
}

function readAt(fd: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const read = readSync(fd, bytes, done, length - done, from + done);
    if (read === 0) break;
    done += read;
  }
  return bytes.subarray(0, done);
}
