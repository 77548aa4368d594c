import { detectedMarkers, effectiveMarkers } from '../../core/keepit/overlays.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { RetentionSession } from '../../core/retention/rules.ts';
import { overlaysBySession } from '../find/session-markers.ts';

/** Versions by `project/session` that a composition of any of these projects holds. */
export type UsedVersions = Map<string, Set<string>>;

export function usedVersions(manifests: Manifest[]): UsedVersions {
  const used: UsedVersions = new Map();
  for (const manifest of manifests) {
    for (const { components } of Object.values(manifest.compositions)) {
      for (const { projectId, sessionId, versionId } of components) {
        const key = `${projectId ?? manifest.projectId}/${sessionId}`;
        const known = used.get(key) ?? new Set();
        for (const id of versionId.split('+')) known.add(id);
        used.set(key, known);
      }
    }
  }
  return used;
}

const NONE: ReadonlySet<string> = new Set();

/** The registered sessions of a project, as the rules of aging see them. */
export function retentionSessions(
  manifest: Manifest,
  used: UsedVersions,
  pinnedWeight: number,
): Map<string, RetentionSession> {
  const overlays = overlaysBySession(manifest);
  const sessions = new Map<string, RetentionSession>();
  for (const record of Object.values(manifest.sessions)) {
    if (!record.registered) continue;
    const own = overlays.get(record.sessionId);
    const markers =
      own || record.keepitMarkers.length > 0 ? effectiveMarkers(detectedMarkers(record), own ?? []) : [];
    const pinned = markers.filter(({ weight }) => weight >= pinnedWeight);
    const { lastTimestamp, lastAccessed } = record;
    sessions.set(record.sessionId, {
      sessionId: record.sessionId,
      usedAt: lastAccessed > lastTimestamp ? lastAccessed : lastTimestamp,
      originalTokens: record.originalTokens,
      messages: record.originalMessages,
      parts: manifest.parts[record.sessionId] ?? [],
      versions: record.compressions,
      used: used.get(`${manifest.projectId}/${record.sessionId}`) ?? NONE,
      pinned: pinned.length === 0 ? NONE : new Set(pinned.map(({ markerId }) => markerId)),
    });
  }
  return sessions;
}

/** The latest moment that the archive's own clock wrote down. */
export function latestWritten(manifests: Manifest[]): string {
  let latest = '';
  const see = (time: string) => {
    if (time > latest) latest = time;
  };
  for (const manifest of manifests) {
    see(manifest.lastModified);
    for (const { registeredAt, compressions } of Object.values(manifest.sessions)) {
      see(registeredAt);
      for (const { createdAt } of compressions) see(createdAt);
    }
  }
  return latest;
}
