import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import type { PurgeMask } from '../../core/model/purge-mask.ts';
import type { Absorbed, SeenSource } from '../../ports/archive.ts';
import { diskFault, errorCode, ifThere } from './disk-fault.ts';
import type { Lock } from './lock.ts';
import { maskedSource, type SourceFile } from './masked-source.ts';
import { appendUnknownLines, unknownLines } from './unknown-lines.ts';
import {
  fsyncFolder,
  makeFolder,
  openOwn,
  type ReadableFile,
  readFully,
  replaceFile,
  writeFully,
} from './write-file.ts';

const BLOCK = 1 << 20;
/** Written under the lock at a time; in between others have their turn. */
const STEP = 8 << 20;
/** Copies up to this size are compared as a whole, longer ones at both ends if the source did nothing but grow. */
const COMPARED_WHOLE = 1 << 20;
const COMPARED_END = 64 * 1024;

/** Takes in what the source has and the copy has not. The source is only ever read. */
export async function absorbFile(
  path: string,
  source: string,
  lock: Lock,
  { seen, mask }: { seen?: SeenSource | undefined; mask?: PurgeMask | undefined } = {},
): Promise<Absorbed> {
  const opened = await openSource(source);
  try {
    const from = mask ? await maskedSource(opened, mask) : opened;
    const there = await ifThere(lstat(path));
    // Two that both put a file in a link's place would undo each other's.
    if (there && !isOwn(there)) await lock.hold(() => ownFile(path));
    const copy = await openCopy(path, there === undefined);
    try {
      return await absorbFrom(copy, from, { path, lock, isNew: there === undefined, seen });
    } catch (error) {
      throw diskFault(error, path, 'write');
    } finally {
      await copy.close();
    }
  } finally {
    await opened.close();
  }
}

type Task = { path: string; lock: Lock; isNew: boolean; seen: SeenSource | undefined };

async function absorbFrom(copy: FileHandle, from: SourceFile, task: Task): Promise<Absorbed> {
  const [mine, theirs] = await Promise.all([copy.stat(), from.stat()]);
  const before = mine.size;
  const same: Absorbed = { status: 'same', before, after: before };
  if (mine.ino === theirs.ino && mine.dev === theirs.dev) return same;
  const ends = before > COMPARED_WHOLE && onlyGrew(theirs, before, task.seen);
  if (theirs.size >= before && (await goesOn(copy, from, before, ends))) {
    const after = await grow(copy, from, { start: before, end: theirs.size, lock: task.lock });
    // Another process wrote to the copy meanwhile, maybe from another source: look again.
    if (after === undefined) return absorbFrom(copy, from, task);
    // Even with nothing to add: the last writer may have been killed before the data was on disk.
    await copy.sync();
    if (task.isNew) await fsyncFolder(dirname(task.path));
    if (after === before && !task.isNew) return same;
    return { status: before === 0 ? 'new' : 'grown', before, after };
  }
  if (theirs.size < before && (await equal(copy, from, 0, theirs.size))) return { ...same, truncated: true };
  return merge(copy, from, task);
}

type Growth = { start: number; end: number; lock: Lock };

/** Undefined when the copy was no longer as long as it was: two sources of one session must not run into each other. */
async function grow(
  copy: FileHandle,
  from: SourceFile,
  { start, end, lock }: Growth,
): Promise<number | undefined> {
  const buffer = Buffer.allocUnsafe(Math.min(STEP, end - start));
  let at = start;
  while (at < end) {
    const bytes = await readFully(from, buffer.subarray(0, Math.min(STEP, end - at)), at);
    if (bytes.length === 0) break;
    const isNext = await lock.hold(async () => {
      if ((await copy.stat()).size !== at) return false;
      await writeFully(copy, bytes, at);
      return true;
    });
    if (!isNext) return undefined;
    at += bytes.length;
  }
  return at;
}

/** They went apart: all the copy has stays, and what only the source has is put behind it. */
async function merge(copy: FileHandle, from: SourceFile, task: Task): Promise<Absorbed> {
  let found = await unknownLines(copy, from);
  if (found.lines.length === 0) {
    return { status: 'same', before: found.copySize, after: found.copySize, truncated: true };
  }
  return task.lock.hold(async () => {
    // Another process may have merged the same lines meanwhile.
    if ((await copy.stat()).size !== found.copySize) found = await unknownLines(copy, from);
    const before = found.copySize;
    const after = await appendUnknownLines(copy, from, found).catch(async (error) => {
      // Half a merge would leave a torn line in between.
      await copy.truncate(before).catch(() => {});
      throw error;
    });
    return { status: after === before ? 'same' : 'replaced', before, after };
  });
}

async function openSource(source: string): Promise<FileHandle> {
  try {
    // Non-blocking: a pipe under this name must not hang us.
    const file = await open(source, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (await isPlain(file)) return file;
    await file.close();
  } catch (error) {
    throw diskFault(error, source, 'read');
  }
  throw new Fault('unreadable', `${source} is not a file.`, {
    hint: 'Give the path of the transcript, not of its folder.',
  });
}

async function isPlain(file: FileHandle): Promise<boolean> {
  try {
    return (await file.stat()).isFile();
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openCopy(path: string, isNew: boolean): Promise<FileHandle> {
  try {
    if (isNew) await makeFolder(dirname(path));
    return await openOwn(path);
  } catch (error) {
    // What needs no writing works in an archive that can't be written.
    if (!isNew && ['EROFS', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return open(path, 'r');
    throw diskFault(error, path, 'write');
  }
}

/** Size of our own file. A link is first made into a file of its own: nothing is ever written through one. */
export async function ownFile(path: string): Promise<number | undefined> {
  const found = await ifThere(lstat(path));
  if (found === undefined || isOwn(found)) return found?.size;
  const target = await ifThere(open(path, 'r'));
  try {
    await replaceFile(path, async (file) => {
      if (target) await copyAll(target, file);
    });
  } finally {
    await target?.close();
  }
  return (await lstat(path)).size;
}

function isOwn(found: Stats): boolean {
  return found.isFile() && found.nlink === 1;
}

async function copyAll(from: FileHandle, to: FileHandle): Promise<void> {
  const buffer = Buffer.allocUnsafe(BLOCK);
  for (let at = 0; ; at += BLOCK) {
    const bytes = await readFully(from, buffer, at);
    await writeFully(to, bytes, at);
    if (bytes.length < BLOCK) return;
  }
}

/** The file that the copy was last made from, longer now or not touched at all. */
function onlyGrew(source: Stats, copySize: number, seen: SeenSource | undefined): boolean {
  if (!seen || seen.dev !== source.dev || seen.ino !== source.ino || seen.size !== copySize) return false;
  return source.size > seen.size || (source.size === seen.size && source.mtimeMs === seen.mtimeMs);
}

async function goesOn(copy: FileHandle, from: ReadableFile, size: number, ends: boolean): Promise<boolean> {
  if (!ends) return equal(copy, from, 0, size);
  return (await equal(copy, from, 0, COMPARED_END)) && equal(copy, from, size - COMPARED_END, size);
}

async function equal(one: ReadableFile, other: ReadableFile, start: number, end: number): Promise<boolean> {
  const length = Math.min(BLOCK, end - start);
  const [mine, theirs] = [Buffer.allocUnsafe(length), Buffer.allocUnsafe(length)];
  for (let at = start; at < end; at += BLOCK) {
    const size = Math.min(BLOCK, end - at);
    const [a, b] = await Promise.all([
      readFully(one, mine.subarray(0, size), at),
      readFully(other, theirs.subarray(0, size), at),
    ]);
    if (a.length !== size || !a.equals(b)) return false;
  }
  return true;
}
