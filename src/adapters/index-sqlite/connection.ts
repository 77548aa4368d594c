import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Postings } from '../../ports/search-index.ts';
import { inodeOf } from './inode-of.ts';

export type Connection = { db: DatabaseSync; inode: number; known: KnownIndex };

/** What was read on a connection, for the next view of the same state. */
export type KnownIndex = {
  /** SQLite's number of the state: another one when someone wrote. */
  version: number;
  columns: Map<string, Uint8Array | Uint16Array | Uint32Array>;
  statements: Map<string, StatementSync>;
  postings: Map<string, Postings>;
  /** Of all terms in `postings`. */
  held: number;
};

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
    // Deleted between the check and the opening.
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
  return { db, inode, known: nothingKnown() };
}

function nothingKnown(): KnownIndex {
  return { version: -1, columns: new Map(), statements: new Map(), postings: new Map(), held: 0 };
}

/** Within a read transaction: what is known about the state that it reads. */
export function knownNow({ db, known }: Connection): KnownIndex {
  const version = Number(db.prepare('PRAGMA data_version').get()?.data_version);
  if (known.version !== version) {
    known.version = version;
    known.columns.clear();
    known.postings.clear();
    known.held = 0;
  }
  return known;
}
