import type { DatabaseSync } from 'node:sqlite';
import { corruptIndex } from './sqlite-fault.ts';

/** How many numbers of each kind are assigned; `removed` lines have no source any more. */
export type Counts = {
  lines: number;
  exchanges: number;
  sources: number;
  removed: number;
  segments: number;
};

/** Numbers are held in 32 bits, and a step between two lines in 31. */
const MOST = 2 ** 31;

export function readCounts(db: DatabaseSync, path: string): Counts {
  const row = db
    .prepare('SELECT lines, exchanges, sources, removed, segments FROM counts WHERE one = 1')
    .get();
  if (
    !row ||
    !Object.values(row).every(
      (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < MOST,
    )
  ) {
    throw corruptIndex(path);
  }
  return row as Counts;
}

export function writeCounts(db: DatabaseSync, counts: Counts): void {
  db.prepare('UPDATE counts SET lines = ?, exchanges = ?, sources = ?, removed = ?, segments = ?').run(
    counts.lines,
    counts.exchanges,
    counts.sources,
    counts.removed,
    counts.segments,
  );
}

export function liveLines({ lines, removed }: Counts): number {
  return lines - removed;
}
