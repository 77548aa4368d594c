import type { KeepitMarker } from '../core/model/session.ts';
import { findSession } from './find-session.ts';
import type { SessionRow } from './sessions.ts';
import type { World } from './world.ts';

export type SessionDetails = SessionRow & {
  /** The own copy in the archive. */
  archivedFile: string;
  /** Null when it holds nothing that is refined. */
  l1Path: string | null;
};

/** All that is recorded of one session. */
export async function showSession(world: World, id: string, project?: string): Promise<SessionDetails> {
  const { projectId, sessionId, row } = await findSession(world, id, project);
  return {
    ...row,
    archivedFile: world.archive.originals.path(projectId, `${sessionId}.jsonl`),
    l1Path: row.l1.file === '' ? null : world.archive.files.path(projectId, row.l1.file),
  };
}

/** The markers of one session, heaviest first, then as they stand in the text. */
export async function showKeepits(world: World, id: string, project?: string): Promise<KeepitMarker[]> {
  const { row } = await findSession(world, id, project);
  return [...row.keepitMarkers].sort((a, b) => b.weight - a.weight || a.src - b.src);
}
