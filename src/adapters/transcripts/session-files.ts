import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { platformOf } from '../../core/model/platform.ts';
import type { FileEdit, SeenFile, SessionFiles } from '../../ports/session-files.ts';
import { createSessionFile } from './create-session-file.ts';

const PIECE = 1 << 20;
const TEMP = /^\.keepsake-[0-9a-f]{16}\.tmp$/;
/** A temp file of this age belongs to nobody any more. */
const LEFT_BEHIND_MS = 60 * 60 * 1000;

export const sessionFiles: SessionFiles = {
  async *read(path) {
    const file = await opened(path);
    try {
      yield* pieces(file, 0, Number.POSITIVE_INFINITY);
    } finally {
      await file.close();
    }
  },
  async edit(path, edit, seen) {
    const file = await opened(path);
    try {
      await replace(await realpath(path), file, edit, seen);
    } catch (error) {
      throw asFault(error, path);
    } finally {
      await file.close();
    }
  },
  create: createSessionFile,
};

async function replace(path: string, file: FileHandle, edit: FileEdit, seen: SeenFile): Promise<void> {
  const before = await file.stat();
  if (!isAsSeen(before, seen)) throw changed(path);
  const was = Buffer.alloc(edit.was.length);
  await file.read(was, 0, was.length, edit.start);
  if (!was.equals(edit.was)) throw changed(path);
  const temp = join(dirname(path), `.keepsake-${randomBytes(8).toString('hex')}.tmp`);
  try {
    await write(temp, file, before, edit);
    await sweep(dirname(path), (await stat(temp)).ctimeMs);
    // The last moment to see that someone else wrote to it.
    if (!isAsSeen(await stat(path), seen)) throw changed(path);
    await rename(temp, path);
  } catch (error) {
    await rm(temp, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}

async function write(temp: string, from: FileHandle, before: Stats, edit: FileEdit): Promise<void> {
  const to = await open(temp, 'wx', 0o600);
  try {
    let at = 0;
    const put = async (bytes: Uint8Array) => {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await to.write(bytes, done, bytes.length - done, at + done);
        if (bytesWritten === 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' });
        done += bytesWritten;
      }
      at += bytes.length;
    };
    for await (const piece of pieces(from, 0, edit.start)) await put(piece);
    await put(edit.bytes);
    for await (const piece of pieces(from, edit.start + edit.was.length, before.size)) await put(piece);
    await to.chmod(before.mode & 0o7777);
    // Another user's file keeps its owner where we may give it away.
    await to.chown(before.uid, before.gid).catch(() => {});
    // The agent resumes the last used session: an edit does not count as use.
    await to.utimes(before.atimeMs / 1000, before.mtimeMs / 1000);
    await to.sync();
  } finally {
    await to.close();
  }
}

async function* pieces(file: FileHandle, from: number, to: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(PIECE);
  for (let at = from; at < to; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(PIECE, to - at), at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** What a killed edit left. */
async function sweep(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!TEMP.test(name)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    // Not the time of its last change: that is the edited file's.
    if (found && now - found.ctimeMs > LEFT_BEHIND_MS) await rm(path, { force: true });
  }
}

function isAsSeen(found: Stats, seen: SeenFile): boolean {
  return (
    found.size === seen.size &&
    found.mtimeMs === seen.mtimeMs &&
    found.dev === seen.dev &&
    found.ino === seen.ino
  );
}

async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw asFault(error, path);
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders.
  if (!platformOf(process.platform).syncsFolders) return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function changed(path: string): Fault {
  return new Fault('conflict', `${path} was changed by another program. Keepsake did not write to it.`, {
    hint: 'Run `keepsake sync`, then try again.',
  });
}

function asFault(error: unknown, path: string): unknown {
  const code = error instanceof Fault ? undefined : (error as NodeJS.ErrnoException).code;
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error;
  if (code === 'ENOENT') return new Fault('not-found', `File not found: ${path}.`, { cause: error });
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new Fault('disk-full', `No space left to edit ${path}. It is unchanged.`, {
      hint: 'Free some space, then run the command again.',
      cause: error,
    });
  }
  return new Fault('read-only', `${path} can't be edited (${code}). It is unchanged.`, {
    hint: 'Check the owner and the permissions of the file and its folder.',
    cause: error,
  });
}
