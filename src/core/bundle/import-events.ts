import type { ConceptEdit } from '../model/concept.ts';
import type { FactEdit } from '../model/fact.ts';
import type { HistoryEvent } from '../model/history.ts';
import { isSessionId } from '../model/ids.ts';
import type { Tombstone } from '../model/manifest.ts';
import type { Overlay } from '../model/overlay.ts';

/** As those who made them wrote them: a lost manifest is rebuilt from the history. */
export function overlayEvent(overlay: Overlay): HistoryEvent {
  const { action, markerId, sessionId, at, author, hlc, device, via } = overlay;
  const details = {
    action,
    markerId,
    ...('weight' in overlay ? { weight: overlay.weight } : {}),
    ...(action === 'add' ? { messageUuid: overlay.messageUuid, position: overlay.position } : {}),
    ...(hlc === undefined ? {} : { hlc, device }),
    ...(via === undefined ? {} : { via }),
    by: author ?? null,
  };
  return { at, action: 'keepit', sessionId, note: `Imported: ${action} ${markerId}`, details };
}

export function factEvent(edit: FactEdit): HistoryEvent {
  // Of the session whose words it holds: purged meanwhile, it is in no event, either.
  const from = 'from' in edit ? edit.from : undefined;
  return {
    at: edit.at,
    action: 'fact',
    ...(from !== undefined && isSessionId(from) ? { sessionId: from } : {}),
    note: `Imported: ${edit.editId}`,
    details: { edit, by: edit.author ?? null },
  };
}

export function conceptEvent(edit: ConceptEdit): HistoryEvent {
  return {
    at: edit.at,
    action: 'concept',
    note: `Imported: ${edit.editId}`,
    details: { edit, by: edit.author ?? null },
  };
}

export function purgeEvent(tombstone: Tombstone): HistoryEvent {
  const { id, at, kind } = tombstone;
  const of = kind === 'session' && isSessionId(id) ? { sessionId: id } : { details: { tombstone } };
  return { at, action: 'purge', ...of, note: 'Imported: purged on another machine.' };
}
