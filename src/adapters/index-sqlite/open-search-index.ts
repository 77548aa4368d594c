import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { Fault } from '../../core/model/fault.ts';
import type { IndexCursor, SearchIndex } from '../../ports/search-index.ts';
import { BESIDE, type Connection, connect, create, inodeOf } from './connection.ts';
import { readCounts } from './counts.ts';
import { emptyView } from './empty-view.ts';
import { makeSchema, SCHEMA_VERSION, schemaState } from './schema.ts';
import { isBusy, sqliteFault } from './sqlite-fault.ts';
import { SqliteView } from './sqlite-view.ts';
import { tidyIndex } from './tidy-index.ts';
import { removeSource, writeUpdates } from './write-updates.ts';

/** `waitMs`: how long a writer waits for another; 0 for a hook, which leaves at once. */
export type SearchIndexOptions = { waitMs?: number; piece?: number };

const LONGEST_PAUSE_MS = 25;
/** Readers only ever wait while another process opens or closes the WAL. */
const READ_WAIT_MS = 200;
/** An index that is made anew again and again while we look is somebody's mistake. */
const MOST_TRIES = 50;

/** An index of its own in the system's temporary folder, until it is destroyed. */
export function scratchSearchIndex(): SearchIndex {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-index-'));
  const index = openSearchIndex(join(folder, 'index.sqlite'));
  const destroy = async () => {
    await index.destroy();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...index, destroy };
}

/** The index in one SQLite file: an inverted index of our own, and columns that ranking reads whole. */
export function openSearchIndex(path: string, options: SearchIndexOptions = {}): SearchIndex {
  const waitMs = options.waitMs ?? 5000;
  const idle: Connection[] = [];
  let writer: Connection | undefined;
  let closed = false;

  function closeAll(): void {
    writer?.db.close();
    writer = undefined;
    for (const { db } of idle.splice(0)) db.close();
  }

  /** A connection that stands in a read transaction; undefined when there is nothing to read. */
  async function reader(): Promise<Connection | undefined> {
    if (closed) throw new Fault('internal', 'The search index was used after it was closed.');
    for (let tries = 0; ; tries++) {
      const connection = idle.pop() ?? (await connect(path, Math.max(waitMs, READ_WAIT_MS)));
      if (!connection) return undefined;
      let found: 'current' | 'older' | undefined;
      let failure: unknown;
      try {
        connection.db.exec('BEGIN');
        found = schemaState(connection.db, path);
      } catch (error) {
        failure = error;
      }
      // Somebody destroyed it, or made it anew: what was read is of a file that is gone.
      const moved = inodeOf(path) !== connection.inode;
      if (found === 'current' && !moved) return connection;
      connection.db.close();
      if (moved && tries < MOST_TRIES) continue;
      if (found === 'older') return undefined;
      throw failure;
    }
  }

  function release(connection: Connection): void {
    if (!connection.db.isOpen) return;
    if (closed) {
      connection.db.close();
      return;
    }
    connection.db.exec('ROLLBACK');
    idle.push(connection);
  }

  async function read<T>(work: (db: DatabaseSync) => T, otherwise: T): Promise<T> {
    try {
      const connection = await reader();
      if (!connection) return otherwise;
      try {
        return work(connection.db);
      } finally {
        release(connection);
      }
    } catch (error) {
      throw sqliteFault(error, path);
    }
  }

  /** The writer's lock, in a transaction of an index that stands; undefined when it may not be made and is not there. */
  async function begin(make: boolean): Promise<DatabaseSync | undefined> {
    if (closed) throw new Fault('internal', 'The search index was used after it was closed.');
    const until = performance.now() + waitMs;
    for (let tries = 0; ; tries++) {
      writer ??= await connect(path, 0);
      if (!writer) {
        if (!make) return undefined;
        if (tries > MOST_TRIES)
          throw new Fault('conflict', `The search index ${path} is taken away time and again.`);
        await create(path);
        continue;
      }
      const { db, inode } = writer;
      try {
        db.exec('BEGIN IMMEDIATE');
        if (inodeOf(path) === inode) return db;
        db.close();
        writer = undefined;
      } catch (error) {
        const left = until - performance.now();
        if (!isBusy(error) || left <= 0) throw error;
        const step = Math.min(LONGEST_PAUSE_MS, 1 + tries * 2);
        await pause(Math.min(left, step / 2 + Math.random() * step));
      }
    }
  }

  async function write(make: boolean, work: (db: DatabaseSync) => void): Promise<void> {
    try {
      const db = await begin(make);
      if (!db) return;
      try {
        if (schemaState(db, path) === 'older') makeSchema(db);
        work(db);
        db.exec('COMMIT');
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
    } catch (error) {
      throw sqliteFault(error, path);
    }
  }

  return {
    cursors: () =>
      read((db) => {
        const cursors = new Map<string, IndexCursor>();
        for (const row of db
          .prepare('SELECT project, kind, name, "to", engine, file FROM sources')
          .iterate()) {
          const { project, kind, name, to, engine, file } = row;
          cursors.set(`${project}/${kind}/${name}`, {
            to: Number(to),
            engine: Number(engine),
            file: String(file),
          });
        }
        return cursors;
      }, new Map<string, IndexCursor>()),
    marks: () =>
      read((db) => {
        const rows = db.prepare('SELECT key, value FROM marks').all();
        return new Map(rows.map(({ key, value }) => [String(key), String(value)]));
      }, new Map<string, string>()),
    async update(updates, marks = {}) {
      const left = Object.entries(marks);
      if (updates.length === 0 && left.length === 0) return;
      await write(true, (db) => {
        writeUpdates(db, path, updates, options.piece);
        const leave = db.prepare('INSERT OR REPLACE INTO marks VALUES (?, ?)');
        for (const [key, value] of left) leave.run(key, value);
      });
    },
    remove: (project, kind, name) => write(false, (db) => removeSource(db, path, project, kind, name)),
    async view() {
      try {
        const connection = await reader();
        if (!connection) return emptyView();
        try {
          return new SqliteView(connection.db, path, readCounts(connection.db, path), () =>
            release(connection),
          );
        } catch (error) {
          connection.db.close();
          throw error;
        }
      } catch (error) {
        throw sqliteFault(error, path);
      }
    },
    tidy: () => write(false, (db) => tidyIndex(db, path)),
    async destroy() {
      closeAll();
      // First out of the way, so that nobody opens the database while what lies beside it goes.
      const gone = `${path}.tmp-${randomBytes(8).toString('hex')}`;
      try {
        await rename(path, gone).catch((error) => {
          if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
        });
        for (const end of BESIDE) await rm(`${path}${end}`, { force: true });
        await rm(gone, { force: true });
      } catch (error) {
        throw sqliteFault(error, path);
      }
    },
    async state() {
      const bytes = ['', ...BESIDE].reduce(
        (sum, end) => sum + (statSync(`${path}${end}`, { throwIfNoEntry: false })?.size ?? 0),
        0,
      );
      try {
        const lines = await read((db) => {
          const counts = readCounts(db, path);
          return counts.lines - counts.removed;
        }, 0);
        return { usable: true, version: SCHEMA_VERSION, lines, bytes };
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        return { usable: false, version: SCHEMA_VERSION, lines: 0, bytes, reason: error.message };
      }
    },
    async close() {
      closed = true;
      closeAll();
    },
  };
}
