import { isUuid, type ProjectId } from '../../core/model/ids.ts';
import type { L1Line } from '../../core/model/l1.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { DeltaMaker } from '../../core/rolling/delta.ts';
import type { EntryParts } from '../../core/rolling/entry.ts';
import type { MemoryIndex } from '../../core/rolling/index-file.ts';
import { linePieces, linesFrom } from '../layers/lines.ts';
import type { World } from '../world.ts';
import type { Delta, RollingState, SessionCursor } from './state.ts';

/** A line of L1 ends with its place in the original, in fewer bytes than this. */
const LINE_END = 64;

export type DeltaRequest = {
  project: ProjectId;
  sessions: SessionRecord[];
  state: RollingState;
  index: MemoryIndex;
};

/** What memory.md lacks: entries for each session that grew, the oldest session first. Reads only what grew. */
export async function extractDelta(world: World, request: DeltaRequest): Promise<Delta> {
  const { project, state, index } = request;
  const delta: Delta = { entries: [], sessions: {}, lastTs: index.lastMemoryUpdateTs ?? '' };
  for (const record of inOrder(request.sessions)) {
    const cursor = state.sessions[record.sessionId];
    // memory.md is this user's: sessions of others add nothing to it.
    if (!record.registered || record.by !== undefined || cursor?.bytes === record.l1.bytes) continue;
    const since = state.begun ? null : index.lastMemoryUpdateTs;
    const { entries, last } = await newIn(world, project, record, { cursor, since });
    // The record may be older than what another process has taken in by now.
    if (!last || last.src < (cursor?.src ?? 0)) continue;
    delta.entries.push(...entries);
    delta.sessions[record.sessionId] = { src: last.src, bytes: record.l1.bytes };
    if (last.ts > delta.lastTs) delta.lastTs = last.ts;
  }
  return delta;
}

/** How an entry names its session. */
export function sessionMark(sessionId: string): string {
  return isUuid(sessionId) ? sessionId.slice(0, 8) : sessionId;
}

type Fresh = { entries: EntryParts[]; last: L1Line | undefined };

/** Piece by piece: all of a long session at once would fill the memory. */
async function newIn(
  world: World,
  project: ProjectId,
  { sessionId, l1 }: SessionRecord,
  { cursor, since }: { cursor: SessionCursor | undefined; since: string | null },
): Promise<Fresh> {
  const session = sessionMark(sessionId);
  const { local } = world.clock;
  let last: L1Line | undefined;
  const from = await goesOnFrom(world, project, l1, cursor);
  if (from !== undefined) {
    const { lines } = await linesFrom(world, project, l1, from);
    const maker = new DeltaMaker({ session, local, before: l1.lines - lines.length });
    maker.add(lines);
    return { entries: maker.end(), last: lines.at(-1) };
  }
  const isKnown = (line: L1Line) =>
    cursor !== undefined ? line.src <= cursor.src : since !== null && line.ts !== '' && line.ts <= since;
  const maker = new DeltaMaker({ session, local, before: 0 });
  for await (const { lines } of linePieces(world, project, l1, 0)) {
    const known = lines.findLastIndex(isKnown) + 1;
    // Lines that memory has: those up to the place reached, or, where that is not known, up to the last update.
    if (known > 0) maker.skip(known);
    maker.add(lines.slice(known));
    last = lines.at(-1) ?? last;
  }
  return { entries: maker.end(), last };
}

/** The byte at which what is new begins; undefined where the refined file is not the one that was taken in. */
async function goesOnFrom(
  world: World,
  project: ProjectId,
  { file, bytes }: SessionRecord['l1'],
  cursor: SessionCursor | undefined,
): Promise<number | undefined> {
  if (cursor === undefined || cursor.bytes === 0 || cursor.bytes > bytes) return undefined;
  const from = Math.max(0, cursor.bytes - LINE_END);
  const end = await world.archive.files.readAt(project, file, from, cursor.bytes - from);
  return end.toString('latin1').endsWith(`"src":${cursor.src}}\n`) ? cursor.bytes : undefined;
}

function inOrder(records: SessionRecord[]): SessionRecord[] {
  const key = (record: SessionRecord) => `${record.lastTimestamp} ${record.sessionId}`;
  return [...records].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
