import type { Overlay } from '../model/overlay.ts';
import type { KeepitMarker } from '../model/session.ts';
import { type EffectiveMarker, effectiveMarkers } from './overlays.ts';

/** Markers that the user confirmed or gave no less weight, and that are no longer found: their words stay kept. */
export function lostSettled(
  before: readonly KeepitMarker[],
  now: readonly KeepitMarker[],
  overlays: readonly Overlay[],
): EffectiveMarker[] {
  const found = new Set(now.map(({ markerId }) => markerId));
  const settled = new Set(
    overlays.filter(({ action }) => action === 'confirm' || action === 'weight').map((it) => it.markerId),
  );
  return effectiveMarkers(before, overlays).filter(
    ({ markerId, added, weight, writtenWeight }) =>
      !added && settled.has(markerId) && !found.has(markerId) && weight >= (writtenWeight ?? weight),
  );
}

/** Markers that the user confirmed or weighed, and that would be held back only now: the user has said what they are. */
export function heldThoughSettled(
  before: readonly KeepitMarker[],
  now: readonly KeepitMarker[],
  overlays: readonly Overlay[],
): KeepitMarker[] {
  const counted = new Set(
    effectiveMarkers(before, overlays)
      .filter(({ held }) => !held)
      .map(({ markerId }) => markerId),
  );
  const settled = new Set(
    overlays
      .filter(({ action, author }) => author === undefined && (action === 'confirm' || action === 'weight'))
      .map(({ markerId }) => markerId),
  );
  return effectiveMarkers(now, overlays).filter(
    ({ markerId, held }) => held && counted.has(markerId) && settled.has(markerId),
  );
}
