import { type L1Line, readL1Line } from '../../core/model/l1.ts';
import type { World } from '../world.ts';
import { damagedL1 } from './read-l1.ts';
import type { SessionRef } from './session-ref.ts';

/** A line of L1, where it begins in its file, and its number from 1. */
export type PlacedLine = { line: L1Line; from: number; at: number };

/** Bytes of a file of L1, the last one exclusive; `first` is the number of their first line. */
type L1Stretch = { file: string; bytes: readonly [from: number, to: number]; first: number };

/** The lines of L1 between two bytes of its file. */
export async function readLinesOf(
  world: World,
  ref: SessionRef,
  { file, bytes: [from, to], first }: L1Stretch,
): Promise<PlacedLine[]> {
  if (file === '' || to <= from) return [];
  const bytes = await world.archive.files.readAt(ref.project, file, from, to - from);
  const placed: PlacedLine[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    const at = first + placed.length;
    const line = readL1Line(bytes.toString('utf8', start, end));
    if (!line) throw damagedL1(file, `line ${at}`);
    placed.push({ line, from: from + start, at });
    start = end + 1;
  }
  return placed;
}
