import { rewindsIn } from '../../core/layers/exchanges/exchanges.ts';
import type { Rewind } from '../../core/layers/exchanges/rewinds.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { type L1Line, readL1Line, startsExchange } from '../../core/model/l1.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { damagedL1 } from '../find/read-l1.ts';
import type { World } from '../world.ts';

/** Bytes of a refined session, or of its exchanges, that are looked at together. */
export const PIECE = 1024 * 1024;

type Refined = SessionRecord['l1'];
/** Lines of L1, and the byte at which each begins. */
export type ReadLines = { lines: L1Line[]; offsets: number[] };
/** Whole exchanges; the first of the lines has this number. */
type Stretch = ReadLines & { firstLine: number };

export async function* filePieces(
  world: World,
  project: ProjectId,
  name: string,
  [from, to]: readonly [from: number, to: number],
): AsyncGenerator<Buffer> {
  for (let at = from; at < to; ) {
    const piece = await world.archive.files.readAt(project, name, at, Math.min(PIECE, to - at));
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}

/** The lines of a refined session from a byte on, which begins a line. */
export async function linesFrom(
  world: World,
  project: ProjectId,
  l1: Refined,
  from: number,
): Promise<ReadLines> {
  const all: ReadLines = { lines: [], offsets: [] };
  for await (const { lines, offsets } of linePieces(world, project, l1, from)) {
    all.lines.push(...lines);
    all.offsets.push(...offsets);
  }
  return all;
}

/** A refined session in stretches of whole exchanges. */
export async function* stretchesOf(world: World, project: ProjectId, l1: Refined): AsyncGenerator<Stretch> {
  let held: Stretch = { lines: [], offsets: [], firstLine: 1 };
  for await (const read of linePieces(world, project, l1, 0)) {
    held.lines.push(...read.lines);
    held.offsets.push(...read.offsets);
    const cut = held.lines.findLastIndex(startsExchange);
    if (cut <= 0) continue;
    const { lines, offsets, firstLine } = held;
    held = { lines: lines.splice(cut), offsets: offsets.splice(cut), firstLine: firstLine + cut };
    yield { lines, offsets, firstLine };
  }
  if (held.lines.length > 0) yield held;
}

const REPLACES = Buffer.from('"replaces":');

/** Where in a refined session the user went back: needed before anything of it is read. Only such lines are parsed. */
export async function rewindsInFile(world: World, project: ProjectId, l1: Refined): Promise<Rewind[]> {
  const found: Rewind[] = [];
  for await (const { bytes } of wholeLines(world, project, l1, 0)) {
    for (let at = bytes.indexOf(REPLACES); at !== -1; ) {
      const end = bytes.indexOf(0x0a, at);
      const line = readL1Line(bytes.toString('utf8', bytes.lastIndexOf(0x0a, at) + 1, end));
      if (line) found.push(...rewindsIn([line]));
      at = bytes.indexOf(REPLACES, end);
    }
  }
  return found;
}

/** Lines of a refined session from a byte on, piece by piece. Fault `corrupt` at a damaged one. */
export async function* linePieces(
  world: World,
  project: ProjectId,
  l1: Refined,
  from: number,
): AsyncGenerator<ReadLines> {
  for await (const { bytes, start } of wholeLines(world, project, l1, from)) {
    const read: ReadLines = { lines: [], offsets: [] };
    let at = 0;
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, at)) {
      const line = readL1Line(bytes.toString('utf8', at, end));
      if (!line) throw damagedL1(l1.file, `at byte ${start + at}`);
      read.lines.push(line);
      read.offsets.push(start + at);
      at = end + 1;
    }
    yield read;
  }
}

/** Pieces that end with a line, and the byte at which each begins. */
async function* wholeLines(
  world: World,
  project: ProjectId,
  l1: Refined,
  from: number,
): AsyncGenerator<{ bytes: Buffer; start: number }> {
  let held: Buffer[] = [];
  let start = from;
  for await (const piece of filePieces(world, project, l1.file, [from, l1.bytes])) {
    const end = piece.lastIndexOf(0x0a) + 1;
    held.push(end === 0 ? piece : piece.subarray(0, end));
    if (end === 0) continue;
    const bytes = held.length === 1 ? held[0]! : Buffer.concat(held);
    yield { bytes, start };
    start += bytes.length;
    held = end < piece.length ? [piece.subarray(end)] : [];
  }
}
