import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { platformOf } from '../../core/model/platform.ts';
import { diskFault, errorCode, ifThere } from './disk-fault.ts';

/** What a killed writer leaves begins with this; `sweep` removes it. */
export const TEMP_PREFIX = '.tmp-';

export function tempBeside(path: string): string {
  return join(
    dirname(path),
    `${TEMP_PREFIX}${randomBytes(8).toString('hex')}-${basename(path).slice(0, 60)}`,
  );
}

/** Who may use what is made: the user alone, or whom the user's umask lets. */
export type Access = { file: number; folder: number };
export const PRIVATE: Access = { file: 0o600, folder: 0o700 };
export const AS_UMASK: Access = { file: 0o666, folder: 0o777 };

/** All of it or nothing: a reader sees the old file or the new one. */
export async function writeFileAtomic(
  path: string,
  bytes: string | Uint8Array,
  access = PRIVATE,
): Promise<void> {
  await replaceFile(path, (file) => writeFully(file, Buffer.from(bytes as Uint8Array), 0), access);
}

/** As `writeFileAtomic`, for content that is written piece by piece. */
export async function replaceFile(
  path: string,
  fill: (file: FileHandle) => Promise<void>,
  access = PRIVATE,
): Promise<void> {
  const temp = tempBeside(path);
  try {
    await makeFolder(dirname(path), access);
    const file = await open(temp, 'wx', access.file);
    try {
      await fill(file);
      await syncFile(file, path);
    } finally {
      await file.close();
    }
    await rename(temp, path);
    await fsyncFolder(dirname(path));
  } catch (error) {
    await rm(temp, { force: true }).catch(() => {});
    throw diskFault(error, path, 'write');
  }
}

/** As `writeFileAtomic`, unless a file is there already: then false. Of two at once, one makes it. */
export async function createFileAtomic(
  path: string,
  bytes: string | Uint8Array,
  access: Access = PRIVATE,
): Promise<boolean> {
  const temp = tempBeside(path);
  await writeFileAtomic(temp, bytes, access);
  try {
    await link(temp, path);
    await fsyncFolder(dirname(path));
    return true;
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.includes(code)) throw diskFault(error, path, 'write');
    return await createWithoutLinks(path, bytes, access);
  } finally {
    await rm(temp, { force: true }).catch(() => {});
  }
}

async function createWithoutLinks(
  path: string,
  bytes: string | Uint8Array,
  access: Access,
): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw diskFault(error, path, 'write');
  }
  await writeFileAtomic(path, bytes, access);
  return true;
}

/** What a file system without hard links says. */
const NO_LINKS = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** A second name for a file, put in place in one step. False where the file system has no hard links. */
export async function linkAtomic(from: string, to: string): Promise<boolean> {
  const temp = tempBeside(to);
  try {
    await link(from, temp);
  } catch (error) {
    if (NO_LINKS.includes(errorCode(error) ?? '')) return false;
    throw diskFault(error, to, 'write');
  }
  try {
    await rename(temp, to);
    await fsyncFolder(dirname(to));
  } catch (error) {
    throw diskFault(error, to, 'write');
  } finally {
    // Renaming onto another name of the same file does nothing and leaves the temp name.
    await rm(temp, { force: true }).catch(() => {});
  }
  return true;
}

/** To write in place: made when it is not there, never cut, never through a symlink. */
export function openOwn(path: string, access = PRIVATE): Promise<FileHandle> {
  return open(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), access.file);
}

/** A single write call may write fewer bytes than requested. */
export async function writeFully(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    if (bytesWritten === 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' });
    done += bytesWritten;
  }
}

/** An open file, or what reads like one. */
export type ReadableFile = {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
};

/** Reads until the buffer is full or the file ends. */
export async function readFully(file: ReadableFile, buffer: Buffer, at: number): Promise<Buffer> {
  let done = 0;
  while (done < buffer.length) {
    const { bytesRead } = await file.read(buffer, done, buffer.length - done, at + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}

/** Private folders, each one on the disk before something is put into it. */
export async function makeFolder(path: string, access = PRIVATE): Promise<void> {
  try {
    const first = await mkdir(path, { recursive: true, mode: access.folder });
    if (first === undefined) return;
    for (let made = path; made.length >= first.length; made = dirname(made)) await fsyncFolder(dirname(made));
  } catch (error) {
    throw diskFault(await plainError(error, path), path, 'write');
  }
}

/** With `recursive`, Node says ENOENT where the disk is read-only: one folder on its own says what is wrong. */
async function plainError(error: unknown, path: string): Promise<unknown> {
  if (errorCode(error) !== 'ENOENT') return error;
  let top = path;
  while (dirname(top) !== top && (await ifThere(lstat(dirname(top)))) === undefined) top = dirname(top);
  const [outcome] = await Promise.allSettled([mkdir(top, { mode: PRIVATE.folder })]);
  return outcome.status === 'rejected' ? outcome.reason : error;
}

/** Folders whose content can be rebuilt, and is rebuilt if the machine was switched off meanwhile. */
const unsynced = new Set<string>();

/** What is written below a folder is not waited for until it is on the disk. Gives what ends that. */
export function withoutSync(folder: string): () => void {
  const start = folder + sep;
  unsynced.add(start);
  return () => void unsynced.delete(start);
}

function isSynced(path: string): boolean {
  for (const start of unsynced) if (`${path}${sep}`.startsWith(start)) return false;
  return true;
}

export async function syncFile(file: FileHandle, path: string): Promise<void> {
  if (isSynced(path)) await file.sync();
}

export async function fsyncFolder(path: string): Promise<void> {
  // Windows opens no folders.
  if (!platformOf(process.platform).syncsFolders || !isSynced(path)) return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
