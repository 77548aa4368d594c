import type { Manifest } from '../../core/model/manifest.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { ifReadable } from '../or-fault.ts';
import { projectsOf } from '../repository/repositories.ts';
import type { World } from '../world.ts';

type Used = Pick<SessionRecord, 'lastTimestamp' | 'lastAccessed'>;

/** The later of the last message and the last use, which only a saved composition or a resume moves. */
function usedAt({ lastTimestamp, lastAccessed }: Used): string {
  return lastAccessed > lastTimestamp ? lastAccessed : lastTimestamp;
}

/**
 * How many sessions ago each session was, in the whole project of a folder and in any of its folders; `own` is the current
 * manifest, if it is not the stored one.
 */
export async function projectDistances(
  world: World,
  own: Pick<Manifest, 'projectId' | 'sessions'>,
  asOf: (manifest: Manifest) => Pick<Manifest, 'sessions'> = (it) => it,
): Promise<Map<string, number>> {
  return sessionDistances({ sessions: await projectSessions(world, own, asOf) });
}

/** One session's; where it was unregistered, the one that it would have. */
export async function projectDistance(
  world: World,
  own: Pick<Manifest, 'projectId' | 'sessions'>,
  sessionId: string,
): Promise<number> {
  return sessionDistance({ sessions: await projectSessions(world, own, (it) => it) }, sessionId);
}

async function projectSessions(
  world: World,
  own: Pick<Manifest, 'projectId' | 'sessions'>,
  asOf: (manifest: Manifest) => Pick<Manifest, 'sessions'>,
): Promise<Manifest['sessions']> {
  const others = (await projectsOf(world, own.projectId)).filter((id) => id !== own.projectId);
  const all: Manifest['sessions'] = Object.create(null);
  for (const id of others) {
    const opened = await ifReadable(world.archive.open(id));
    if (opened) Object.assign(all, asOf(opened.manifest).sessions);
  }
  return Object.assign(all, own.sessions);
}

/**
 * How many sessions ago each session of a project was: 1 is the most recent, by its last message or its last use, whichever is
 * later. Using old sessions does not push yesterday's work back.
 */
export function sessionDistances(manifest: Pick<Manifest, 'sessions'>): Map<string, number> {
  // Nothing was said in an empty one: it is nobody's yesterday.
  const sessions = Object.values(manifest.sessions).filter(
    (session) => session.registered && session.originalMessages > 0,
  );
  const byUse = ranks(sessions, usedAt);
  const byTime = ranks(sessions, ({ lastTimestamp }) => lastTimestamp);
  // The nearest first; of two as near the one that was used last.
  const nearest = [...byUse].map(([id, rank]) => ({
    id,
    rank,
    distance: Math.min(rank, byTime.get(id) ?? rank),
  }));
  nearest.sort((a, b) => a.distance - b.distance || a.rank - b.rank);
  return new Map(nearest.map(({ id, distance }) => [id, distance]));
}

/** The latest is 1; of those at once the one that spoke last. */
function ranks(sessions: SessionRecord[], at: (session: SessionRecord) => string): Map<string, number> {
  const ordered = [...sessions].sort(
    (a, b) =>
      compare(at(b), at(a)) || compare(b.lastTimestamp, a.lastTimestamp) || compare(a.sessionId, b.sessionId),
  );
  return new Map(ordered.map(({ sessionId }, index) => [sessionId, index + 1]));
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
