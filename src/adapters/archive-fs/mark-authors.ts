import type { HistoryEvent } from '../../core/model/history.ts';
import type { Manifest } from '../../core/model/manifest.ts';

/** Who made a bundle that was imported before bundles had authors. */
const UNNAMED = 'unknown';
const IMPORTED = 'Imported: ';

/**
 * Records of the time before they had authors: all of them are this user's but what the history says was imported. The last
 * word on a session counts.
 */
export function markAuthors(manifest: Manifest, history: readonly HistoryEvent[]): Manifest {
  const sessions = new Map<string, string | undefined>();
  const edits = new Map<string, string | undefined>();
  for (const { action, sessionId, note, details, at } of history) {
    const isImported = note?.startsWith(IMPORTED) === true;
    const by = details && 'by' in details ? (details.by ?? undefined) : UNNAMED;
    if (by !== undefined && typeof by !== 'string') continue;
    if (action === 'keepit') {
      if (isImported) edits.set(`${sessionId} ${details?.markerId} ${details?.action} ${at}`, by);
    } else if (action === 'fact' || action === 'concept') {
      if (isImported) edits.set(note!.slice(IMPORTED.length), by);
    } else if (sessionId !== undefined && (action === 'import' || (details && 'by' in details)))
      sessions.set(sessionId, by);
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
