import type { Overlay } from '../model/overlay.ts';
import { inRecordOrder } from '../model/record-order.ts';
import type { KeepitMarker, SessionRecord } from '../model/session.ts';
import type { VersionRecord } from '../model/version.ts';

/** A marker as it is after all that the user did to it. */
export type EffectiveMarker = KeepitMarker & {
  /** Marked afterwards: the message itself has no such marker. */
  added?: true;
  /** The weight that is in the message, where another one counts now. */
  writtenWeight?: number;
  /** What was held back and then confirmed. */
  confirmed?: true;
};

/** The markers that a session's text holds. In a session of someone else each waits for this user's confirmation. */
export function detectedMarkers({
  keepitMarkers,
  by,
}: Pick<SessionRecord, 'keepitMarkers' | 'by'>): KeepitMarker[] {
  return by === undefined ? keepitMarkers : keepitMarkers.map((marker) => ({ ...marker, held: true }));
}

type MarkerState = { marker: EffectiveMarker; removed: boolean };

/**
 * A session's markers after its overlays, in the order of the text. Overlays apply in the order of their stamps, the last word
 * counts; a new weight brings a removed marker back. What names a marker that is not there does nothing.
 */
export function effectiveMarkers(detected: readonly KeepitMarker[], overlays: readonly Overlay[]) {
  return overlaidMarkers(detected, overlays, false);
}

/** Those that were removed, as they were before: they can be brought back. */
export function removedMarkers(detected: readonly KeepitMarker[], overlays: readonly Overlay[]) {
  return overlaidMarkers(detected, overlays, true);
}

/** Fills in which versions a marker survived in, and which summarized it. */
export function withSurvival<M extends KeepitMarker>(
  markers: readonly M[],
  versionRecords: readonly Pick<VersionRecord, 'versionId' | 'survived' | 'summarized'>[],
): M[] {
  const survived = versionsBy(versionRecords, 'survived');
  const summarized = versionsBy(versionRecords, 'summarized');
  return markers.map((marker) => ({
    ...marker,
    survivedIn: survived.get(marker.markerId) ?? [],
    summarizedIn: summarized.get(marker.markerId) ?? [],
  }));
}

function overlaidMarkers(
  detected: readonly KeepitMarker[],
  overlays: readonly Overlay[],
  removed: boolean,
): EffectiveMarker[] {
  const markers = new Map<string, MarkerState>();
  for (const marker of detected) markers.set(marker.markerId, { marker, removed: false });
  for (const overlay of ownOverlays(overlays)) {
    const known = markers.get(overlay.markerId);
    const next = overlay.action === 'add' ? addTo(known, overlay) : known && applied(known, overlay);
    if (next) markers.set(overlay.markerId, next);
  }
  return [...markers.values()]
    .filter((it) => it.removed === removed)
    .map((it) => it.marker)
    .sort(inOrder);
}

/** What others did to the keepits of a session changes nothing here. */
function ownOverlays(overlays: readonly Overlay[]): Overlay[] {
  if (overlays.length === 0) return [];
  const own = overlays.filter(({ author }) => author === undefined);
  return inRecordOrder(own, ({ overlayId }) => overlayId);
}

function applied(
  { marker, removed }: MarkerState,
  overlay: Exclude<Overlay, { action: 'add' }>,
): MarkerState {
  switch (overlay.action) {
    case 'weight':
      return { marker: reweighed(marker, overlay.weight), removed: false };
    case 'remove':
      return { marker, removed: true };
    case 'confirm':
      return { marker: marker.held ? { ...marker, held: false, confirmed: true } : marker, removed };
  }
}

function reweighed(marker: EffectiveMarker, weight: number): EffectiveMarker {
  const { writtenWeight, ...rest } = marker;
  const written = writtenWeight ?? marker.weight;
  if (marker.added || weight === written) return { ...rest, weight };
  return { ...rest, weight, writtenWeight: written };
}

/** One that is in the message stays that: adding it again only says that it counts, and how much. */
function addTo(known: MarkerState | undefined, overlay: Extract<Overlay, { action: 'add' }>): MarkerState {
  if (known && !known.marker.added)
    return { marker: reweighed(known.marker, overlay.weight), removed: false };
  const { markerId, messageUuid, weight, content, position, context, origin, src, at, saidAt } = overlay;
  const marker: EffectiveMarker = {
    markerId,
    messageUuid,
    weight,
    content,
    position,
    context,
    createdAt: saidAt || at,
    survivedIn: [],
    summarizedIn: [],
    origin,
    held: false,
    src,
    added: true,
  };
  return { marker, removed: false };
}

function inOrder(a: KeepitMarker, b: KeepitMarker): number {
  return (
    a.src - b.src ||
    a.position.start - b.position.start ||
    a.position.end - b.position.end ||
    (a.markerId < b.markerId ? -1 : a.markerId > b.markerId ? 1 : 0)
  );
}

function versionsBy(
  versionRecords: readonly Pick<VersionRecord, 'versionId' | 'survived' | 'summarized'>[],
  list: 'survived' | 'summarized',
): Map<string, string[]> {
  const versions = new Map<string, string[]>();
  for (const version of versionRecords) {
    for (const id of version[list]) {
      const known = versions.get(id);
      if (known) known.push(version.versionId);
      else versions.set(id, [version.versionId]);
    }
  }
  return versions;
}
