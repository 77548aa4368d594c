import type { DatabaseSync } from 'node:sqlite';
import { compactLines } from './compact-lines.ts';
import { type Counts, readCounts, writeCounts } from './counts.ts';
import { mergeSegments, type PostingSegment } from './merge-segments.ts';

/** Each lookup reads every segment. */
const MOST_SEGMENTS = 16;
const MERGED_AT_ONCE = 8;
/** Compacted when more than one line in five is nobody's. */
const REMOVED_SHARE = 5;
/** The file is made shorter when more than one page in four is free. */
const FREE_SHARE = 4;

/** Looked at before the writer's lock is asked for. */
export function wantsTidying(db: DatabaseSync, path: string): boolean {
  return segmentsOf(db).length > MOST_SEGMENTS || wantsCompacting(readCounts(db, path));
}

/** One step, within one transaction: others may write between two. */
export function tidyIndex(db: DatabaseSync, path: string): void {
  const counts = readCounts(db, path);
  const segments = segmentsOf(db);
  const { lines: lineCount } = counts;
  if (segments.length > MOST_SEGMENTS) {
    mergeSegments(db, path, smallestNeighbors(segments), { into: counts.segments++, lineCount });
  } else if (wantsCompacting(counts)) {
    const moved = compactLines(db, path, counts);
    mergeSegments(db, path, segments, { into: counts.segments++, lineCount, moved });
  }
  writeCounts(db, counts);
  giveBack(db);
}

function wantsCompacting({ removed, lines }: Counts): boolean {
  return removed * REMOVED_SHARE > lines;
}

function segmentsOf(db: DatabaseSync): PostingSegment[] {
  return db.prepare('SELECT place, id, postings FROM segments ORDER BY place').all() as PostingSegment[];
}

function giveBack(db: DatabaseSync): void {
  const number = (name: string) => Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
  if (number('freelist_count') * FREE_SHARE > number('page_count')) db.exec('PRAGMA incremental_vacuum');
}

/** Small ones with small ones, so that a posting moves a few times only, however the index grows. */
function smallestNeighbors(segments: PostingSegment[]): PostingSegment[] {
  const size = (from: number) =>
    segments.slice(from, from + MERGED_AT_ONCE).reduce((sum, { postings }) => sum + postings, 0);
  let best = 0;
  for (let from = 1; from + MERGED_AT_ONCE <= segments.length; from++) {
    if (size(from) < size(best)) best = from;
  }
  return segments.slice(best, best + MERGED_AT_ONCE);
}
