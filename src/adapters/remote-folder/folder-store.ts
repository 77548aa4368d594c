import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import type { RemoteStore, StoredName } from '../../ports/remotes.ts';

/** What is not whole yet; a service that copies the folder may copy it, and nobody reads it. */
const TEMP_PREFIX = '.tmp-';
const NAME = /^(?!.*(?:^|\/)\.)[A-Za-z0-9/_-]{1,400}$/;

/** A folder that something else carries to other machines: Syncthing, Dropbox, NFS, a stick. */
export function folderStore(folder: string): RemoteStore {
  const pathOf = (name: string) => {
    if (!NAME.test(name))
      throw new Fault('internal', `${JSON.stringify(name)} is not a valid name for a store.`);
    return join(folder, ...name.split('/'));
  };
  const removed = new Set<string>();
  return {
    prepare: () =>
      asRemote(folder, async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const probe = join(folder, `${TEMP_PREFIX}${randomBytes(6).toString('hex')}`);
        await (await open(probe, 'wx', 0o600)).close();
        await rm(probe);
      }),
    list: (prefix) =>
      asRemote(folder, async () => {
        // A folder that is not mounted looks empty: that must not be taken for "all is gone".
        await stat(folder);
        return (await below(folder, prefix)).sort((a, b) => (a.name < b.name ? -1 : 1));
      }),
    get: (name) => asRemote(folder, () => ifThere(readFile(pathOf(name)))),
    put: (name, bytes) => asRemote(folder, () => write(pathOf(name), bytes)),
    remove: (name) =>
      asRemote(folder, async () => {
        await rm(pathOf(name), { force: true });
        removed.add(dirname(name));
      }),
    // The names of folders say how many machines and projects there were.
    flush: () =>
      asRemote(folder, async () => {
        for (const name of removed) await removeEmpty(folder, name);
        removed.clear();
      }),
    traits: async () => ({
      deletes: 'at once',
      notes: [
        'A service that copies this folder may keep deleted files in a trash folder or as old versions. Empty it after a purge.',
      ],
    }),
  };
}

async function below(root: string, prefix: string): Promise<StoredName[]> {
  const found: StoredName[] = [];
  const base = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const waiting = [base];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entries = (await ifThere(readdir(join(root, at), { withFileTypes: true }))) ?? [];
    for (const entry of entries) {
      const name = at + entry.name;
      if (!NAME.test(name) || !(name.startsWith(prefix) || prefix.startsWith(`${name}/`))) continue;
      if (entry.isDirectory()) waiting.push(`${name}/`);
      else if (entry.isFile()) {
        const size = (await ifThere(stat(join(root, name))))?.size;
        if (size !== undefined) found.push({ name, bytes: size });
      }
    }
  }
  return found;
}

/** A folder and those that it is in, as far as nothing else is in them. */
async function removeEmpty(root: string, name: string): Promise<void> {
  for (let at = name; at !== '.'; at = dirname(at)) {
    try {
      await rmdir(join(root, at));
    } catch {
      return;
    }
  }
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temp = join(dirname(path), `${TEMP_PREFIX}${randomBytes(6).toString('hex')}`);
  try {
    const file = await open(temp, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temp, path);
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

async function asRemote<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Fault('remote', `The folder ${folder} can't be used (${code ?? message}).`, {
      hint: 'Check that it is mounted and that you can write to it. Nothing is lost: the next sync continues.',
      cause: error,
    });
  }
}
