import { heldThoughSettled, lostSettled } from '../../core/keepit/settled-markers.ts';
import type { Change } from '../../core/model/change.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { Overlay } from '../../core/model/overlay.ts';
import { overlayIdOf } from '../../core/model/overlay-id.ts';
import { isOutdated } from '../../core/model/refine-engine.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { exchangeFileName } from '../layers/statement-files.ts';
import type { World } from '../world.ts';

/**
 * Once another engine has read a session: keepits that the user settled stay although it does not find them any more, and a
 * refined file of another name goes. Gives `change` with what else the manifest shall say.
 */
export async function afterReread(
  world: World,
  manifest: Manifest | undefined,
  before: SessionRecord | undefined,
  change: Change,
): Promise<Change[]> {
  if (!manifest || !before || !isOutdated(before)) return [change];
  const { l1, keepitMarkers } = change.merge as Pick<SessionRecord, 'l1' | 'keepitMarkers'>;
  // It is named after its first line.
  if (before.l1.file !== '' && before.l1.file !== l1.file) {
    await world.archive.files.remove(manifest.projectId, before.l1.file);
    await world.archive.files.remove(manifest.projectId, exchangeFileName(before.l1.file));
  }
  const overlays = manifest.overlays.filter(({ sessionId }) => sessionId === before.sessionId);
  return [
    change,
    ...lostSettled(before.keepitMarkers, keepitMarkers, overlays).map(keptAs(before, overlays)),
    ...heldThoughSettled(before.keepitMarkers, keepitMarkers, overlays).map(confirmed(before, overlays)),
  ];
}

/** At the time of the user's own word for it, so that doing it twice gives one record. */
function confirmed(
  { sessionId }: SessionRecord,
  overlays: Overlay[],
): (marker: { markerId: string }) => Change {
  return ({ markerId }) => {
    const at = overlays.findLast((it) => it.markerId === markerId)!.at;
    const overlayId = overlayIdOf(sessionId, at, { markerId, action: 'confirm' });
    const append: Overlay = { overlayId, sessionId, markerId, at, action: 'confirm' };
    return { at: ['overlays'], append, unique: 'overlayId' };
  };
}

function keptAs(
  { sessionId }: SessionRecord,
  overlays: Overlay[],
): (marker: SessionRecord['keepitMarkers'][number]) => Change {
  return ({ markerId, messageUuid, weight, content, position, context, origin, src }) => {
    const at = overlays.findLast((it) => it.markerId === markerId)!.at;
    const overlayId = overlayIdOf(sessionId, at, { markerId, action: 'add', weight });
    const words = { messageUuid, weight, content, position, context, origin, src };
    const append: Overlay = { overlayId, sessionId, markerId, at, action: 'add', ...words };
    return { at: ['overlays'], append, unique: 'overlayId' };
  };
}
