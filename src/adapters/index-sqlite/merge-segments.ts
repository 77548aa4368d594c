import type { DatabaseSync } from 'node:sqlite';
import { decodePostings, PostingEncoder, type PostingRow } from './posting-codec.ts';
import { corruptIndex } from './sqlite-fault.ts';

/** Where a line that goes leads to. */
export const GONE = 0xffffffff;
/** Rows held back while the table is read: each write makes every cursor search for its place again. */
const HELD = 4096;

export type PostingSegment = { place: number; id: number; postings: number };
type Row = PostingRow & { term: string };
type Cursor = { row: Row | undefined; next(): void };

/** The lines of the index; `moved` holds each line's new number, and never changes their order. */
type Lines = { lineCount: number; moved?: Uint32Array };

/** Puts neighboring segments together into one with the id `into`, which takes the first one's place. */
export function mergeSegments(
  db: DatabaseSync,
  path: string,
  segments: PostingSegment[],
  { into, lineCount, moved }: Lines & { into: number },
): void {
  const cursors = segments.map(({ id }) => openCursor(db, path, id));
  const insert = db.prepare('INSERT INTO postings VALUES (?, ?, ?, ?)');
  const encoder = new PostingEncoder();
  let held: Row[] = [];
  let postings = 0;
  const write = () => {
    for (const { term, count, data } of held) insert.run(into, term, count, data);
    held = [];
  };
  for (let term = firstTerm(cursors); term !== undefined; term = firstTerm(cursors)) {
    encoder.reset();
    const rows = cursors.filter(({ row }) => row?.term === term);
    const found = decodePostings(
      rows.map(({ row }) => row!),
      lineCount,
    );
    if (!found) throw corruptIndex(path);
    for (let n = 0; n < found.lines.length; n++) {
      const line = moved ? moved[found.lines[n]!]! : found.lines[n]!;
      if (line !== GONE) encoder.add(line, found.counts[n]!);
    }
    for (const cursor of rows) cursor.next();
    postings += encoder.count;
    if (encoder.count > 0) held.push({ term, count: encoder.count, data: encoder.bytes().slice() });
    if (held.length >= HELD) write();
  }
  write();
  for (const { place, id } of segments) {
    db.prepare('DELETE FROM postings WHERE segment = ?').run(id);
    db.prepare('DELETE FROM segments WHERE place = ?').run(place);
  }
  const [first] = segments;
  if (first && postings > 0)
    db.prepare('INSERT INTO segments VALUES (?, ?, ?)').run(first.place, into, postings);
}

function openCursor(db: DatabaseSync, path: string, segment: number): Cursor {
  const rows = db
    .prepare('SELECT term, count, data FROM postings WHERE segment = ? ORDER BY term')
    .iterate(segment);
  const cursor: Cursor = {
    row: undefined,
    next() {
      const { value, done } = rows.next();
      cursor.row = done ? undefined : (value as Row);
      // Damage can change a value's type, and SQLite hands it out as it is.
      if (cursor.row && !isSound(cursor.row)) throw corruptIndex(path);
    },
  };
  cursor.next();
  return cursor;
}

function isSound({ term, count, data }: Row): boolean {
  return typeof term === 'string' && typeof count === 'number' && data instanceof Uint8Array;
}

function firstTerm(cursors: Cursor[]): string | undefined {
  let first: string | undefined;
  for (const { row } of cursors) {
    if (row && (first === undefined || isBefore(row.term, first))) first = row.term;
  }
  return first;
}

/** As SQLite orders text: by bytes of UTF-8, which is not the order of JavaScript's code units. */
export function isBefore(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  for (let n = 0; n < length; n++) {
    const x = a.charCodeAt(n);
    const y = b.charCodeAt(n);
    if (x !== y) return codePointRank(x) < codePointRank(y);
  }
  return a.length < b.length;
}

/** Surrogates represent code points above all others. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
