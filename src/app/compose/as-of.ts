import type { Manifest } from '../../core/model/manifest.ts';
import { isBy } from '../recall/topic.ts';

/** A project as it was then: what was said until then, overlays until then, uses until then. No versions. */
export function manifestAsOf(manifest: Manifest, asOf: string): Manifest {
  const sessions: Manifest['sessions'] = Object.create(null);
  const endOfIt = asOf.length === 10 ? `${asOf}T23:59:59.999Z` : asOf;
  for (const [id, record] of Object.entries(manifest.sessions)) {
    if (record.firstTimestamp !== '' && !isBy(record.firstTimestamp, asOf)) continue;
    const last = record.lastTimestamp > endOfIt ? endOfIt : record.lastTimestamp;
    sessions[id] = {
      ...record,
      lastTimestamp: last,
      lastAccessed: isBy(record.lastAccessed, asOf) ? record.lastAccessed : last,
      keepitMarkers: record.keepitMarkers.filter((marker) => isBy(marker.createdAt, asOf)),
      compressions: [],
    };
  }
  const overlays = manifest.overlays.filter((overlay) => isBy(overlay.at, asOf));
  return { ...manifest, sessions, overlays, parts: {} };
}
