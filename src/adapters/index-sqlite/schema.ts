import type { DatabaseSync } from 'node:sqlite';
import { Fault } from '../../core/model/fault.ts';
import { corruptIndex } from './sqlite-fault.ts';

/** "Keep" in ASCII: a file without it is not ours. */
const APPLICATION_ID = 0x4b656570;
/** Another number makes every older index be rebuilt: after a change to the tables, or to the terms of a text. */
export const SCHEMA_VERSION = 5;

/** Postings lie segment by segment, so that an update appends and a merge reads what it merges and nothing else; `place` is the order of their lines. */
const TABLES = `
CREATE TABLE counts (one INTEGER PRIMARY KEY, lines INTEGER, exchanges INTEGER, sources INTEGER, removed INTEGER, segments INTEGER);
INSERT INTO counts VALUES (1, 0, 0, 0, 0, 0);
CREATE TABLE marks (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE segments (place INTEGER PRIMARY KEY, id INTEGER, postings INTEGER);
CREATE TABLE postings (segment INTEGER, term TEXT, count INTEGER, data BLOB, PRIMARY KEY (segment, term)) WITHOUT ROWID;
CREATE TABLE columns (name TEXT, block INTEGER, data BLOB, PRIMARY KEY (name, block)) WITHOUT ROWID;
CREATE TABLE places (line INTEGER PRIMARY KEY, at INTEGER, bytes INTEGER, src INTEGER, ts INTEGER);
CREATE TABLE sources (id INTEGER PRIMARY KEY, project TEXT, kind TEXT, name TEXT, agent TEXT, file TEXT, branch TEXT,
  title TEXT, first TEXT, last TEXT, "to" INTEGER, engine INTEGER, exchange INTEGER, "by" TEXT, UNIQUE (project, kind, name));
CREATE TABLE runs (source INTEGER, first INTEGER, count INTEGER, PRIMARY KEY (source, first)) WITHOUT ROWID;
CREATE TABLE files (key TEXT, source INTEGER, times INTEGER, PRIMARY KEY (key, source)) WITHOUT ROWID;
CREATE INDEX files_of_source ON files (source);
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** Whether this version can read the index; an older index is rebuilt. */
export function schemaState(db: DatabaseSync, path: string): 'current' | 'older' {
  const id = db.prepare('PRAGMA application_id').get()?.application_id;
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  if (id !== APPLICATION_ID) throw corruptIndex(path);
  if (version > SCHEMA_VERSION) {
    throw new Fault('newer-version', `The search index ${path} was written by a newer version of Keepsake.`, {
      hint: 'Update Keepsake, or delete the index; Keepsake rebuilds it from the archive.',
    });
  }
  return version === SCHEMA_VERSION ? 'current' : 'older';
}

/** Within a transaction: what an older version made goes, and empty tables are made. */
export function makeSchema(db: DatabaseSync): void {
  const old = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  for (const { name } of old) db.exec(`DROP TABLE "${String(name).replaceAll('"', '""')}"`);
  db.exec(TABLES);
}
