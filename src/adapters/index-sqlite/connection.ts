import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { makeSchema } from './schema.ts';

export type Connection = { db: DatabaseSync; inode: number };

/** What SQLite puts beside a database in WAL mode. */
export const BESIDE = ['-wal', '-shm'] as const;

/** Undefined where nothing is. */
export function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** Opens what is there and never makes a file; undefined when nothing is there. */
export async function connect(path: string, timeout: number): Promise<Connection | undefined> {
  // Loaded only here: it costs start-up time that other commands need not pay.
  const { DatabaseSync } = await import('node:sqlite');
  const inode = inodeOf(path);
  if (inode === undefined) return undefined;
  const url = pathToFileURL(path);
  url.searchParams.set('mode', 'rw');
  const db = new DatabaseSync(url, { timeout });
  try {
    db.exec('PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216; PRAGMA trusted_schema = OFF');
  } catch (error) {
    db.close();
    throw error;
  }
  return { db, inode };
}

/** Made whole under another name and then linked: nobody ever sees half an index. */
export async function create(path: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temp = `${path}.tmp-${randomBytes(8).toString('hex')}`;
  try {
    // Made by us, for SQLite would leave it readable by all.
    await (await open(temp, 'wx', 0o600)).close();
    const db = new DatabaseSync(temp);
    try {
      // Room that a merge frees can be given back without writing the whole file anew.
      db.exec(
        'PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE',
      );
      makeSchema(db);
      db.exec('COMMIT');
    } finally {
      db.close();
    }
    // A WAL that a destroyed index left behind would be played into this one.
    if (inodeOf(path) === undefined) for (const end of BESIDE) await rm(`${path}${end}`, { force: true });
    await putInPlace(temp, path);
  } finally {
    for (const end of ['', ...BESIDE]) await rm(`${temp}${end}`, { force: true });
  }
}

/** Another process may have made one meanwhile, which stays. */
async function putInPlace(temp: string, path: string): Promise<void> {
  try {
    await link(temp, path);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EEXIST') return;
    // Some disks know no links.
    if (inodeOf(path) === undefined) await rename(temp, path);
  }
}
