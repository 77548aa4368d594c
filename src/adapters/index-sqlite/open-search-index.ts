import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SQLOutputValue } from 'node:sqlite';
import { Fault } from '../../core/model/fault.ts';
import type { IndexCursor, IndexView, SearchIndex } from '../../ports/search-index.ts';
import { knownNow } from './connection.ts';
import { liveLines, readCounts } from './counts.ts';
import { emptyView } from './empty-view.ts';
import { IndexConnections } from './index-connections.ts';
import { BESIDE, destroyIndex } from './make-index.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { sqliteFault } from './sqlite-fault.ts';
import { SqliteView } from './sqlite-view.ts';
import { tidyIndex, wantsTidying } from './tidy-index.ts';
import { removeSource, writeUpdates } from './write-updates.ts';

/** `waitMs`: how long a writer waits for another; 0 for a hook, which leaves at once. */
export type SearchIndexOptions = { waitMs?: number; piece?: number };

const WAIT_MS = 5000;

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

function cursorOf({ to, engine, file, title, branch, by }: Record<string, SQLOutputValue>): IndexCursor {
  return {
    to: Number(to),
    engine: Number(engine),
    file: String(file),
    title: String(title),
    branch: String(branch),
    by: String(by),
  };
}

/** The index in one SQLite file: an inverted index of our own, and columns that ranking reads whole. */
export function openSearchIndex(path: string, options: SearchIndexOptions = {}): SearchIndex {
  const waitMs = options.waitMs ?? WAIT_MS;
  const connections = new IndexConnections(path, waitMs);

  return {
    cursors: () =>
      connections.read((db) => {
        const rows = db
          .prepare('SELECT project, kind, name, "to", engine, file, title, branch, "by" FROM sources')
          .all();
        return new Map(rows.map((row) => [`${row.project}/${row.kind}/${row.name}`, cursorOf(row)]));
      }, new Map<string, IndexCursor>()),
    cursor: (project, kind, name) =>
      connections.read((db) => {
        const row = db
          .prepare(
            'SELECT "to", engine, file, title, branch, "by" FROM sources WHERE project = ? AND kind = ? AND name = ?',
          )
          .get(project, kind, name);
        return row && cursorOf(row);
      }, undefined),
    marks: () =>
      connections.read((db) => {
        const rows = db.prepare('SELECT key, value FROM marks').all();
        return new Map(rows.map(({ key, value }) => [String(key), String(value)]));
      }, new Map<string, string>()),
    async update(updates, marks = {}) {
      const left = Object.entries(marks);
      if (updates.length === 0 && left.length === 0) return;
      await connections.write(true, (db) => {
        writeUpdates(db, path, updates, options.piece);
        const leave = db.prepare('INSERT OR REPLACE INTO marks VALUES (?, ?)');
        for (const [key, value] of left) leave.run(key, value);
      });
    },
    remove: (project, kind, name) =>
      connections.write(false, (db) => removeSource(db, path, { project, kind, name })),
    view: () =>
      connections.lend<IndexView>((connection, release) => {
        const { db } = connection;
        return new SqliteView(
          db,
          path,
          { counts: readCounts(db, path), known: knownNow(connection) },
          release,
        );
      }, emptyView),
    async tidy() {
      while (await connections.read((db) => wantsTidying(db, path), false)) {
        await connections.write(false, (db) => tidyIndex(db, path));
      }
    },
    async destroy() {
      await connections
        .withoutAny(() => destroyIndex(path, waitMs))
        .catch((error) => {
          throw sqliteFault(error, path);
        });
    },
    async state() {
      const size = (end: string) => statSync(`${path}${end}`, { throwIfNoEntry: false })?.size ?? 0;
      const bytes = ['', ...BESIDE].reduce((sum, end) => sum + size(end), 0);
      try {
        const lines = await connections.read((db) => liveLines(readCounts(db, path)), 0);
        return { usable: true, version: SCHEMA_VERSION, lines, bytes };
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        return { usable: false, version: SCHEMA_VERSION, lines: 0, bytes, reason: error.message };
      }
    },
    close: () => connections.close(),
  };
}
