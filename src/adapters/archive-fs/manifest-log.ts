import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Change } from '../../core/model/change.ts';
import type { HistoryEvent } from '../../core/model/history.ts';
import type { RepositoryNote } from '../../core/model/repository.ts';
import { sha256 } from '../../core/model/sha256.ts';
import { diskFault, ifThere } from './disk-fault.ts';
import { fsyncFolder, openOwn, readFully, syncFile, writeFully } from './write-file.ts';

/** One batch of changes. The events ride along, so that one fsync confirms both. */
export type LogLine = {
  gen: number;
  at: string;
  /** As they are after this change: `head` then needs the last line only. */
  originalPath: string;
  displayName: string;
  settings?: Record<string, unknown>;
  repository?: RepositoryNote;
  clock?: number;
  changes: Change[];
  events: HistoryEvent[];
};

export type Log = { lines: LogLine[]; bad: number; torn: boolean };

/** `end`: where the next line goes. `bad`: unreadable whole lines after the last good one. */
export type LogTail = { last: LogLine | undefined; end: number; bad: number };

const SUM_START = '{"sum":"';
const BODY_AT = SUM_START.length + 64 + 2;
const TAIL_GUESS = 16 * 1024;
const NEWLINE = 10;

export function formatLine(line: LogLine): Buffer {
  const body = Buffer.from(JSON.stringify(line));
  return Buffer.from(`${SUM_START}${sha256(body)}",${body.subarray(1).toString('utf8')}\n`);
}

function parseLine(bytes: Buffer): LogLine | undefined {
  const sum = bytes.toString('latin1', SUM_START.length, SUM_START.length + 64);
  const body = Buffer.concat([Buffer.from('{'), bytes.subarray(BODY_AT)]);
  if (bytes.length <= BODY_AT || sha256(body) !== sum) return undefined;
  return JSON.parse(body.toString('utf8')) as LogLine;
}

/** Every good line. A bad one is counted; the last one without newline was never confirmed and does not count. */
export async function readLog(path: string): Promise<Log> {
  const bytes = (await ifThere(readFile(path))) ?? Buffer.alloc(0);
  const log: Log = { lines: [], bad: 0, torn: false };
  let at = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, at)) {
    const line = parseLine(bytes.subarray(at, end));
    if (line) log.lines.push(line);
    else log.bad++;
    at = end + 1;
  }
  log.torn = at < bytes.length;
  return log;
}

export async function readTail(path: string): Promise<LogTail> {
  const file = await ifThere(open(path, 'r'));
  if (file === undefined) return { last: undefined, end: 0, bad: 0 };
  try {
    const { size } = await file.stat();
    for (let guess = TAIL_GUESS; ; guess *= 4) {
      const from = Math.max(0, size - guess);
      const tail = lastLine(await readFully(file, Buffer.allocUnsafe(size - from), from), from);
      if (tail) return tail;
    }
  } finally {
    await file.close();
  }
}

/**
 * The lines after that of a generation, written at `at`, from the end backwards. Undefined where one is bad or missing, or
 * where that line is another one.
 */
export async function readLater(path: string, gen: number, at: string): Promise<LogLine[] | undefined> {
  const file = await ifThere(open(path, 'r'));
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    for (let guess = TAIL_GUESS; ; guess *= 4) {
      const from = Math.max(0, size - guess);
      const window = await readFully(file, Buffer.allocUnsafe(size - from), from);
      const found = laterIn(window, from > 0, { gen, at });
      if (found !== 'before') return found;
    }
  } finally {
    await file.close();
  }
}

/** `before`: it begins before the window. */
function laterIn(
  window: Buffer,
  isCut: boolean,
  { gen, at }: { gen: number; at: string },
): LogLine[] | 'before' | undefined {
  const later: LogLine[] = [];
  for (let end = window.lastIndexOf(NEWLINE); end >= 0; ) {
    const start = end === 0 ? 0 : window.lastIndexOf(NEWLINE, end - 1) + 1;
    if (start === 0 && isCut) return 'before';
    const line = parseLine(window.subarray(start, end));
    if (line?.gen === gen) return line.at === at ? later : undefined;
    if (!line || (later[0] && line.gen !== later[0].gen - 1) || line.gen < gen) return undefined;
    later.unshift(line);
    end = start - 1;
  }
  if (isCut) return 'before';
  return later[0]?.gen === gen + 1 ? later : undefined;
}

/** Undefined when it begins before the window. */
function lastLine(window: Buffer, from: number): LogTail | undefined {
  let end = window.lastIndexOf(NEWLINE);
  const tail: LogTail = { last: undefined, end: from + end + 1, bad: 0 };
  while (end >= 0) {
    const start = end === 0 ? 0 : window.lastIndexOf(NEWLINE, end - 1) + 1;
    if (start === 0 && from > 0) return undefined;
    tail.last = parseLine(window.subarray(start, end));
    if (tail.last) return tail;
    tail.bad++;
    end = start - 1;
  }
  return from > 0 ? undefined : tail;
}

/** Under the lock. What a crash left behind the last whole line was never confirmed: it is cut off first. */
export async function appendLine(path: string, tail: LogTail, line: LogLine): Promise<void> {
  try {
    const file = await openOwn(path);
    try {
      if ((await file.stat()).size > tail.end) await file.truncate(tail.end);
      try {
        await writeFully(file, formatLine(line), tail.end);
        await syncFile(file, path);
      } catch (error) {
        await file.truncate(tail.end).catch(() => {});
        throw error;
      }
    } finally {
      await file.close();
    }
    if (tail.end === 0) await fsyncFolder(dirname(path));
  } catch (error) {
    throw diskFault(error, path, 'write');
  }
}
