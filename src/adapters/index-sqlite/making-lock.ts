import { open, rm } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inodeOf } from './inode-of.ts';
import { millisNow } from './millis-now.ts';
import { isBusy } from './sqlite-fault.ts';

const PAUSE_MS = 10;
const CANT_OPEN = 14;

/**
 * Runs `work` while no other process makes or destroys the index: a WAL must never meet a database that is not its own.
 * The kernel frees the lock when its holder dies; its file is there only meanwhile.
 */
export async function whileMaking<T>(path: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const lockPath = `${path}.lock`;
  const until = millisNow() + waitMs;
  for (;;) {
    const db = await tryLock(lockPath, millisNow() >= until);
    if (!db) {
      await pause(Math.random() * PAUSE_MS);
      continue;
    }
    try {
      return await work();
    } finally {
      // Deleted before the lock is released: waiting processes see that it is gone, and start over.
      await rm(lockPath, { force: true }).catch(() => {});
      db.close();
    }
  }
}

async function tryLock(lockPath: string, isLast: boolean): Promise<DatabaseSync | undefined> {
  const { DatabaseSync } = await import('node:sqlite');
  // `wx` does not open a file that is there: closing it again would drop this process's own lock.
  const made = await open(lockPath, 'wx', 0o600).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await made?.close();
  const inode = inodeOf(lockPath);
  const url = pathToFileURL(lockPath);
  url.searchParams.set('mode', 'rw');
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(url, { timeout: 0 });
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    if (inode !== undefined && inodeOf(lockPath) === inode) return db;
  } catch (error) {
    if (isLast || !(isBusy(error) || isGone(error))) {
      db?.close();
      throw error;
    }
  }
  db?.close();
  return undefined;
}

function isGone(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' && (errcode & 0xff) === CANT_OPEN;
}
