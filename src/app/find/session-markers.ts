import {
  detectedMarkers,
  type EffectiveMarker,
  effectiveMarkers,
  withSurvival,
} from '../../core/keepit/overlays.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { Overlay } from '../../core/model/overlay.ts';
import type { SessionRecord } from '../../core/model/session.ts';

/** The overlays of a project by session, each in its order. */
export function overlaysBySession(manifest: Pick<Manifest, 'overlays'>): Map<string, Overlay[]> {
  const sessions = new Map<string, Overlay[]>();
  for (const overlay of manifest.overlays) {
    const known = sessions.get(overlay.sessionId);
    if (known) known.push(overlay);
    else sessions.set(overlay.sessionId, [overlay]);
  }
  return sessions;
}

/** The markers of a session as they count now: overlays applied, survival filled in, in the order of the text. */
export function markersNow(
  session: Pick<SessionRecord, 'keepitMarkers' | 'compressions' | 'by'>,
  overlays: readonly Overlay[] = [],
): EffectiveMarker[] {
  if (session.keepitMarkers.length === 0 && overlays.length === 0) return [];
  return withSurvival(effectiveMarkers(detectedMarkers(session), overlays), session.compressions);
}
