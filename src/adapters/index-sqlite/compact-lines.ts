import type { DatabaseSync } from 'node:sqlite';
import { ROLE, ROLES } from '../../core/model/search.ts';
import { readColumn, replaceColumn } from './columns.ts';
import type { Counts } from './counts.ts';
import { GONE } from './merge-segments.ts';
import { corruptIndex } from './sqlite-fault.ts';

/** Renumbers lines, exchanges and sources without the removed ones; returns each line's new number. */
export function compactLines(db: DatabaseSync, path: string, counts: Counts): Uint32Array {
  const bytes = (name: 'length' | 'role' | 'flags' | 'exchange') => readColumn(db, name, counts.lines, path);
  const role = new Uint8Array(bytes('role'));
  const flags = new Uint8Array(bytes('flags'));
  const length = new Uint16Array(bytes('length'));
  const exchange = new Uint32Array(bytes('exchange'));
  const source = new Uint32Array(readColumn(db, 'source', counts.exchanges, path));

  const sources = new Map<number, number>();
  for (const { id } of db.prepare('SELECT id FROM sources ORDER BY id').all()) {
    sources.set(Number(id), sources.size);
  }
  const lines = new Uint32Array(counts.lines).fill(GONE);
  const exchanges = new Uint32Array(counts.exchanges).fill(GONE);
  for (let line = 0; line < lines.length; line++)
    if (role[line] !== ROLE.removed) exchanges[exchange[line]!] = 0;
  let exchangeCount = 0;
  for (let old = 0; old < exchanges.length; old++) {
    if (exchanges[old] === GONE) continue;
    const owner = sources.get(source[old]!);
    if (owner === undefined) throw corruptIndex(path);
    exchanges[old] = exchangeCount;
    source[exchangeCount++] = owner;
  }
  let lineCount = 0;
  for (let old = 0; old < lines.length; old++) {
    if (role[old] === ROLE.removed) continue;
    lines[old] = lineCount;
    role[lineCount] = role[old]!;
    flags[lineCount] = flags[old]!;
    length[lineCount] = length[old]!;
    exchange[lineCount++] = exchanges[exchange[old]!]!;
  }
  for (const [name, column, count] of [
    ['role', role, lineCount],
    ['flags', flags, lineCount],
    ['length', length, lineCount],
    ['exchange', exchange, lineCount],
    ['source', source, exchangeCount],
  ] as const) {
    const kept = column.subarray(0, count);
    replaceColumn(db, name, new Uint8Array(kept.buffer, 0, kept.byteLength));
  }
  for (const name of ['roleLines', 'roleTerms'] as const) {
    const old = new Uint32Array(readColumn(db, name, ROLES * counts.sources, path));
    const kept = new Uint32Array(ROLES * sources.size);
    for (const [from, to] of sources) kept.set(old.subarray(ROLES * from, ROLES * (from + 1)), ROLES * to);
    replaceColumn(db, name, new Uint8Array(kept.buffer));
  }
  movePlaces(db, lines);
  moveSources(db, sources, exchanges);
  rewriteRuns(db, exchange, source, lineCount);
  counts.lines = lineCount;
  counts.exchanges = exchangeCount;
  counts.sources = sources.size;
  counts.removed = 0;
  return lines;
}

/** Front to end: a place moves down only, to where nothing is left. */
function movePlaces(db: DatabaseSync, lines: Uint32Array): void {
  const move = db.prepare('UPDATE places SET line = ? WHERE line = ?');
  for (let old = 0; old < lines.length; old++) {
    if (lines[old] !== GONE && lines[old] !== old) move.run(lines[old]!, old);
  }
}

function moveSources(db: DatabaseSync, sources: Map<number, number>, exchanges: Uint32Array): void {
  const open = db.prepare('SELECT exchange FROM sources WHERE id = ?');
  const move = db.prepare('UPDATE sources SET id = ?, exchange = ? WHERE id = ?');
  const moveFiles = db.prepare('UPDATE files SET source = ? WHERE source = ?');
  for (const [old, id] of sources) {
    const exchange = exchanges[Number(open.get(old)?.exchange)] ?? GONE;
    move.run(id, exchange === GONE ? -1 : exchange, old);
    if (id !== old) moveFiles.run(id, old);
  }
}

function rewriteRuns(db: DatabaseSync, exchange: Uint32Array, source: Uint32Array, lineCount: number): void {
  db.exec('DELETE FROM runs');
  const insert = db.prepare('INSERT INTO runs VALUES (?, ?, ?)');
  let first = 0;
  for (let line = 1; line <= lineCount; line++) {
    const owner = source[exchange[first]!]!;
    if (line < lineCount && source[exchange[line]!] === owner) continue;
    insert.run(owner, first, line - first);
    first = line;
  }
}
