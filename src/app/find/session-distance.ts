import type { Manifest } from '../../core/model/manifest.ts';
import type { SessionRecord } from '../../core/model/session.ts';

type Used = Pick<SessionRecord, 'lastTimestamp' | 'lastAccessed'>;

/** The later of the last message and the last use, which only a saved composition or a resume moves. */
function usedAt({ lastTimestamp, lastAccessed }: Used): string {
  return lastAccessed > lastTimestamp ? lastAccessed : lastTimestamp;
}

/** How many sessions ago each session of a project was: 1 is the most recent. Of those used at once the later one. */
export function sessionDistances(manifest: Pick<Manifest, 'sessions'>): Map<string, number> {
  // Nothing was said in an empty one: it is nobody's yesterday.
  const sessions = Object.values(manifest.sessions).filter(
    (session) => session.registered && session.originalMessages > 0,
  );
  sessions.sort(
    (a, b) =>
      compare(usedAt(b), usedAt(a)) ||
      compare(b.lastTimestamp, a.lastTimestamp) ||
      compare(a.sessionId, b.sessionId),
  );
  return new Map(sessions.map((session, index) => [session.sessionId, index + 1]));
}

/** One session's; where it was unregistered, the one that it would have. */
export function sessionDistance(manifest: Pick<Manifest, 'sessions'>, sessionId: string): number {
  const own = manifest.sessions[sessionId];
  if (!own) return Object.keys(manifest.sessions).length + 1;
  const sessions = { ...manifest.sessions, [sessionId]: { ...own, registered: true } };
  const distances = sessionDistances({ sessions });
  return distances.get(sessionId) ?? distances.size + 1;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
