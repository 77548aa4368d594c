import type { DatabaseSync } from 'node:sqlite';
import { compactLines } from './compact-lines.ts';
import { readCounts, writeCounts } from './counts.ts';
import { mergeSegments } from './merge-segments.ts';

/** Each look-up asks every segment. */
const MOST_SEGMENTS = 16;
/** Compacted when more than one line in five is nobody's. */
const REMOVED_SHARE = 5;

/** The file is made shorter when more than one page in four is free. */
const FREE_SHARE = 4;

/** Within one transaction. */
export function tidyIndex(db: DatabaseSync, path: string): void {
  if (mergeOrCompact(db, path)) giveBack(db);
}

/** Whether there was something to do. */
function mergeOrCompact(db: DatabaseSync, path: string): boolean {
  const counts = readCounts(db, path);
  const segments = db.prepare('SELECT id, postings FROM segments ORDER BY id').all() as {
    id: number;
    postings: number;
  }[];
  if (counts.removed * REMOVED_SHARE > counts.lines) {
    const lines = compactLines(db, path, counts);
    mergeSegments(
      db,
      path,
      segments.map(({ id }) => id),
      counts.segments++,
      lines,
    );
    writeCounts(db, counts);
    return true;
  }
  if (segments.length <= MOST_SEGMENTS) return false;
  mergeSegments(db, path, newestAlike(segments), counts.segments++);
  writeCounts(db, counts);
  return true;
}

function giveBack(db: DatabaseSync): void {
  const number = (name: string) => Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
  if (number('freelist_count') * FREE_SHARE > number('page_count')) db.exec('PRAGMA incremental_vacuum');
}

/** The newest segments back to one that is more than twice as big as all after it: a posting moves a few times only. */
function newestAlike(segments: { id: number; postings: number }[]): number[] {
  let from = segments.length - 2;
  let total = segments[from]!.postings + segments[from + 1]!.postings;
  while (from > 0 && segments[from - 1]!.postings <= 2 * total) total += segments[--from]!.postings;
  return segments.slice(from).map(({ id }) => id);
}
