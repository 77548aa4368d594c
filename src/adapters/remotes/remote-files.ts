import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { platformOf } from '../../core/model/platform.ts';
import type { RemoteFiles } from '../../ports/remotes.ts';

/** As the archive names what is not whole yet: its sweep removes it. */
const TEMP_PREFIX = '.tmp-';

/** The files that an archive keeps of its remotes, below `folder`. */
export function remoteFiles(folder: string): RemoteFiles {
  const pathOf = (name: string) => join(folder, ...name.split('/'));
  return {
    read: (name) => guarded(pathOf(name), () => ifThere(readFile(pathOf(name)))),
    write: (name, bytes) => guarded(pathOf(name), () => write(pathOf(name), bytes)),
    remove: (name) => guarded(pathOf(name), () => rm(pathOf(name), { force: true, recursive: true })),
    list: (name) =>
      guarded(pathOf(name), async () => {
        const root = name === '' ? folder : pathOf(name);
        const entries = (await ifThere(readdir(root, { recursive: true, withFileTypes: true }))) ?? [];
        return entries
          .filter((entry) => entry.isFile() && !entry.name.startsWith(TEMP_PREFIX))
          .map((entry) => [...entry.parentPath.slice(root.length).split(sep).slice(1), entry.name].join('/'))
          .sort();
      }),
    folders: () =>
      guarded(folder, async () => {
        const entries = (await ifThere(readdir(folder, { withFileTypes: true }))) ?? [];
        return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
      }),
  };
}

async function write(path: string, bytes: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temp = join(dirname(path), `${TEMP_PREFIX}${randomBytes(8).toString('hex')}`);
  try {
    const file = await open(temp, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temp, path);
    if (platformOf(process.platform).syncsFolders) {
      const parent = await open(dirname(path), 'r');
      await parent.sync().finally(() => parent.close());
    }
  } finally {
    await rm(temp, { force: true });
  }
}

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

async function guarded<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof Fault || code === undefined) throw error;
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new Fault('disk-full', `No space left to write ${path}.`, {
        hint: 'Free some space, then run the command again.',
        cause: error,
      });
    const isForbidden = code === 'EROFS' || code === 'EACCES' || code === 'EPERM';
    throw new Fault(isForbidden ? 'read-only' : 'unreadable', `${path} can't be used (${code}).`, {
      hint: 'Check the owner and the permissions of the archive.',
      cause: error,
    });
  }
}
