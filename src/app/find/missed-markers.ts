import { asMarker } from '../../core/keepit/near-misses.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import type { World } from '../world.ts';
import type { SessionRef } from './session-ref.ts';
import { rowsOf, type SessionRow } from './sessions.ts';

/** A text that was meant as a marker and is none. */
export type MissedMarker = {
  projectId: ProjectId;
  sessionId: SessionId;
  text: string;
  /** Where its message is in the original. */
  src: number;
  /** What to write instead. */
  marker: string;
};

export function missedIn(rows: readonly SessionRow[]): MissedMarker[] {
  return rows.flatMap(({ projectId, sessionId, metadata }) =>
    (metadata.missed ?? []).map(({ text, src }) => ({
      projectId,
      sessionId,
      text,
      src,
      marker: asMarker(text),
    })),
  );
}

/** A sentence for each of them in these sessions. */
export async function missedMarkers(world: World, refs: readonly SessionRef[]): Promise<string[]> {
  const notes = new Set<string>();
  for (const [project, own] of Map.groupBy(refs, (ref) => ref.project)) {
    const opened = await world.archive.open(project);
    const named = new Set<string>(own.map(({ session }) => session));
    const rows = opened ? rowsOf(opened.manifest).filter(({ sessionId }) => named.has(sessionId)) : [];
    for (const { sessionId, text, marker } of missedIn(rows))
      notes.add(`Session ${sessionId.slice(0, 8)}: ${text} is not a keepit. Write it as ${marker}.`);
  }
  return [...notes];
}
