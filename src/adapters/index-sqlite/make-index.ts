import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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
  if (['', ...BESIDE].every((end) => inodeOf(`${path}${end}`) === undefined)) return;
  await whileMaking(path, waitMs, async () => {
    // First out of the way, so that nobody opens it while what lies beside it goes.
    const gone = tempBeside(path);
    if (inodeOf(path) !== undefined) await rename(path, gone);
    for (const end of BESIDE) await rm(`${path}${end}`, { force: true });
    await rm(gone, { force: true });
  });
}

async function makeFile(path: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  // Made by us, for SQLite would leave it readable by all.
  await (await open(path, 'wx', 0o600)).close();
  const db = new DatabaseSync(path);
  try {
    // Room that a merge frees can then be given back without writing the whole file anew.
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
