import { statSync } from 'node:fs';
import { join } from 'node:path';
import { idInPath, type Peer } from './peer.ts';

const PROGRAM = join(import.meta.dirname, 'fts-program.ts');

/** What a developer writes in an hour: each session's text in one row of an FTS5 table, ranked by bm25(). */
export function sqliteFts(folder: string, place: string): Peer {
  const file = `${place}.sqlite`;
  const call = (...args: string[]) => ({ program: process.execPath, args: [PROGRAM, ...args] });
  return {
    name: 'SQLite FTS5',
    version: process.versions.sqlite,
    get: 'part of Node',
    index: call('index', file, folder),
    again: call('index', file, folder),
    search: (query) => call('search', file, query),
    sessionsIn: (output) => output.split('\n').filter(Boolean).map(idInPath),
    disk: () => statSync(file).size,
  };
}
