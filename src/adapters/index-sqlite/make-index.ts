import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { platformOf } from '../../core/model/platform.ts';
import { inodeOf } from './inode-of.ts';
import { whileMaking } from './making-lock.ts';
import { makeSchema } from './schema.ts';

/** What SQLite puts beside a database in WAL mode. */
export const BESIDE = ['-wal', '-shm'] as const;

/** Made whole under another name: nobody ever sees half an index. One that is there already stays. */
export async function makeIndex(path: string, waitMs: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await whileMaking(path, waitMs, async () => {
    if (inodeOf(path) !== undefined) return;
    // What a killed destroyer left would be played into the new one.
    for (const end of BESIDE) await rm(`${path}${end}`, { force: true });
    const temp = tempBeside(path);
    try {
      await makeFile(temp);
      await rename(temp, path);
    } finally {
      for (const end of ['', ...BESIDE]) await rm(`${temp}${end}`, { force: true });
    }
  });
}

export async function destroyIndex(path: string, waitMs: number): Promise<void> {
  const isThere = ['', ...BESIDE].some((end) => inodeOf(`${path}${end}`) !== undefined);
  if (!isThere && (await halfDestroyed(path)).length === 0) return;
  await whileMaking(path, waitMs, async () => {
    // First out of the way, so that nobody opens it while what lies beside it goes.
    if (inodeOf(path) !== undefined) await rename(path, tempBeside(path));
    for (const end of BESIDE) await rm(`${path}${end}`, { force: true });
    for (const gone of await halfDestroyed(path)) await rm(gone, { force: true });
    await keepNames(dirname(path));
  });
}

/** What is out of the way but not gone, by this process or by one that was killed: a purge wants none of it left. */
async function halfDestroyed(path: string): Promise<string[]> {
  const names = inodeOf(dirname(path)) === undefined ? [] : await readdir(dirname(path));
  const temp = new RegExp(`^\\.tmp-[0-9a-f]{16}-${basename(path)}`);
  return names.filter((name) => temp.test(name)).map((name) => join(dirname(path), name));
}

/** Without it a power failure could bring the index back, words and all. */
async function keepNames(folder: string): Promise<void> {
  // Windows opens no folders.
  if (!platformOf(process.platform).syncsFolders) return;
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

async function makeFile(path: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  // Made by us, for SQLite would leave it readable by all.
  await (await open(path, 'wx', 0o600)).close();
  const db = new DatabaseSync(path);
  try {
    // Space freed by a merge can then be returned without rewriting the whole file.
    db.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    db.exec('BEGIN IMMEDIATE');
    makeSchema(db);
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}

/** The archive sweeps files of this name when their maker was killed. */
function tempBeside(path: string): string {
  return join(dirname(path), `.tmp-${randomBytes(8).toString('hex')}-${basename(path)}`);
}
