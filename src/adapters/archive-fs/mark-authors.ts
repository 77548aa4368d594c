import type { HistoryEvent } from '../../core/model/history.ts';
import type { Manifest } from '../../core/model/manifest.ts';

/** Who made a bundle that was imported before bundles had authors. */
const UNNAMED = 'unknown';
const IMPORTED = 'Imported: ';

/** Whose each session is that did not come from this user; undefined for one that was claimed. */
export function sessionAuthors(history: readonly HistoryEvent[]): Map<string, string | undefined> {
  const authors = new Map<string, string | undefined>();
  for (const { action, sessionId, details } of history) {
    if (sessionId === undefined || action === 'keepit') continue;
    if (action === 'import' || (details && 'by' in details)) authors.set(sessionId, byOf(details));
  }
  return authors;
}

/** Older versions did not ask. */
function byOf(details: HistoryEvent['details']): string | undefined {
  if (!details || !('by' in details)) return UNNAMED;
  return typeof details.by === 'string' ? details.by : undefined;
}

/**
 * Records of the time before they had authors: all of them are this user's but what the history says was imported. The last
 * word on a session counts.
 */
export function markAuthors(manifest: Manifest, history: readonly HistoryEvent[]): Manifest {
  const sessions = sessionAuthors(history);
  const edits = new Map<string, string | undefined>();
  for (const { action, sessionId, note, details, at } of history) {
    const isImported = note?.startsWith(IMPORTED) === true;
    const by = byOf(details);
    if (action === 'keepit') {
      if (isImported) edits.set(`${sessionId} ${details?.markerId} ${details?.action} ${at}`, by);
    } else if (action === 'fact' || action === 'concept') {
      if (isImported) edits.set(note!.slice(IMPORTED.length), by);
    }
  }
  if (sessions.size === 0 && edits.size === 0) return manifest;
  const records: Manifest['sessions'] = Object.assign(Object.create(null), manifest.sessions);
  for (const [id, by] of sessions) {
    const record = Object.hasOwn(records, id) ? records[id] : undefined;
    if (record && by !== undefined) records[id] = { ...record, by };
  }
  const signed = <E extends { author?: string | undefined }>(list: E[], idOf: (edit: E) => string): E[] =>
    list.map((edit) => {
      const author = edits.get(idOf(edit));
      return author === undefined || edit.author !== undefined ? edit : { ...edit, author };
    });
  const { overlays, factEdits, conceptEdits } = manifest;
  return {
    ...manifest,
    sessions: records,
    overlays: signed(overlays, (it) => `${it.sessionId} ${it.markerId} ${it.action} ${it.at}`),
    ...(factEdits ? { factEdits: signed(factEdits, ({ editId }) => editId) } : {}),
    ...(conceptEdits ? { conceptEdits: signed(conceptEdits, ({ editId }) => editId) } : {}),
  };
}
