import { isUuid, type ProjectId } from '../core/model/ids.ts';
import type { L1Line } from '../core/model/l1.ts';
import type { SessionRecord } from '../core/model/session.ts';
import { deltaEntries } from '../core/rolling/delta.ts';
import type { MemoryIndex } from '../core/rolling/index-file.ts';
import type { Delta, RollingState, SessionCursor } from './memory-state.ts';
import { readL1 } from './read-l1.ts';
import type { World } from './world.ts';

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
    if (!record.registered || cursor?.bytes === record.l1.bytes) continue;
    const lines = await readL1(world, { ...record, projectId: project });
    const last = lines.at(-1);
    // The record may be older than what another process has taken in by now.
    if (!last || last.src < (cursor?.src ?? 0)) continue;
    const after = taken(lines, cursor, state.begun ? null : index.lastMemoryUpdateTs);
    const session = sessionMark(record.sessionId);
    delta.entries.push(...deltaEntries({ session, lines, after, local: world.clock.local }));
    delta.sessions[record.sessionId] = { src: last.src, bytes: record.l1.bytes };
    if (last.ts > delta.lastTs) delta.lastTs = last.ts;
  }
  return delta;
}

/** How an entry names its session. */
export function sessionMark(sessionId: string): string {
  return isUuid(sessionId) ? sessionId.slice(0, 8) : sessionId;
}

/** Lines that memory has: those up to the place reached, or, where that is not known, those up to the last update. */
function taken(lines: L1Line[], cursor: SessionCursor | undefined, since: string | null): number {
  if (cursor !== undefined) return lines.findLastIndex((line) => line.src <= cursor.src) + 1;
  return since === null ? 0 : lines.findLastIndex((line) => line.ts !== '' && line.ts <= since) + 1;
}

function inOrder(records: SessionRecord[]): SessionRecord[] {
  const key = (record: SessionRecord) => `${record.lastTimestamp} ${record.sessionId}`;
  return [...records].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
