import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { inodeOf } from './inode-of.ts';

export type Connection = { db: DatabaseSync; inode: number };

/** The WAL is cut to this once it is written back. */
const LONGEST_WAL = 16 * 1024 * 1024;

/** Opens what is there and never makes a file; undefined when nothing is there. */
export async function connect(path: string, timeout: number): Promise<Connection | undefined> {
  // Loaded only here: it costs start-up time that other commands need not pay.
  const { DatabaseSync } = await import('node:sqlite');
  const inode = inodeOf(path);
  if (inode === undefined) return undefined;
  const url = pathToFileURL(path);
  url.searchParams.set('mode', 'rw');
  let db: DatabaseSync;
  try {
    db = new DatabaseSync(url, { timeout });
  } catch (error) {
    // Taken away between the look and the opening.
    if (inodeOf(path) === undefined) return undefined;
    throw error;
  }
  try {
    db.exec(
      `PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${LONGEST_WAL}; PRAGMA trusted_schema = OFF`,
    );
  } catch (error) {
    db.close();
    throw error;
  }
  return { db, inode };
}
