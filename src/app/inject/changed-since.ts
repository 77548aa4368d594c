import type { SessionRow } from '../find/sessions.ts';

/** How much of what a session changed was changed again by later ones; empty if nothing was. */
export function changedSince(rows: readonly SessionRow[]): (sessionId: string) => string {
  const lastChange = new Map<string, string>();
  for (const { lastTimestamp, metadata } of rows)
    for (const file of metadata.filesTouched)
      if ((lastChange.get(file) ?? '') < lastTimestamp) lastChange.set(file, lastTimestamp);
  const sessions = new Map(rows.map((row) => [row.sessionId as string, row]));
  return (sessionId) => {
    const row = sessions.get(sessionId);
    if (!row) return '';
    const again = new Set(row.metadata.filesTouched.filter((it) => lastChange.get(it)! > row.lastTimestamp));
    if (again.size === 0) return '';
    return again.size === 1 ? '1 file changed since' : `${again.size} files changed since`;
  };
}
