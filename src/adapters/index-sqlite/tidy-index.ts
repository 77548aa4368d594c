import type { DatabaseSync } from 'node:sqlite';
import { compactLines } from './compact-lines.ts';
import { type Counts, readCounts, writeCounts } from './counts.ts';
import { mergeSegments } from './merge-segments.ts';

/** Each look-up asks every segment. */
const MOST_SEGMENTS = 16;
/** Compacted when more than one line in five is nobody's. */
const REMOVED_SHARE = 5;

/** The file is made shorter when more than one page in four is free. */
const FREE_SHARE = 4;

type Segment = { id: number; postings: number };

/** Looked at before the writer's lock is asked for. */
export function wantsTidying(db: DatabaseSync, path: string): boolean {
  return wantsCompacting(readCounts(db, path)) || segmentsOf(db).length > MOST_SEGMENTS;
}

/** Within one transaction. */
export function tidyIndex(db: DatabaseSync, path: string): void {
  const counts = readCounts(db, path);
  const segments = segmentsOf(db);
  const { lines } = counts;
  if (wantsCompacting(counts)) {
    const moved = compactLines(db, path, counts);
    mergeSegments(db, path, segments, counts.segments++, lines, moved);
  } else if (segments.length > MOST_SEGMENTS) {
    mergeSegments(db, path, newestAlike(segments), counts.segments++, lines);
  } else return;
  writeCounts(db, counts);
  giveBack(db);
}

function wantsCompacting({ removed, lines }: Counts): boolean {
  return removed * REMOVED_SHARE > lines;
}

function segmentsOf(db: DatabaseSync): Segment[] {
  return db.prepare('SELECT id, postings FROM segments ORDER BY id').all() as Segment[];
}

function giveBack(db: DatabaseSync): void {
  const number = (name: string) => Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
  if (number('freelist_count') * FREE_SHARE > number('page_count')) db.exec('PRAGMA incremental_vacuum');
}

/** The newest segments back to one that is more than twice as big as all after it: a posting moves a few times only. */
function newestAlike(segments: Segment[]): Segment[] {
  let from = segments.length - 2;
  let total = segments[from]!.postings + segments[from + 1]!.postings;
  while (from > 0 && segments[from - 1]!.postings <= 2 * total) total += segments[--from]!.postings;
  return segments.slice(from);
}
