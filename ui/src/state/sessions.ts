import { type Answer, callApi } from '../api/call-api.ts';
import type { Session } from '../api/records.ts';

/** What the list shows of a session. */
export type BriefSession = Answer<'get /api/memory/projects/{projectId}/timeline'>['items'][number];

/** All sessions of a project, newest first; those that were taken out of memory, too. */
export async function loadSessions(projectId: string, signal: AbortSignal): Promise<BriefSession[]> {
  const { items } = await callApi('get /api/memory/projects/{projectId}/timeline', {
    params: { projectId },
    signal,
  });
  return items;
}

/** A session's name: its title, or the beginning of its id. */
export function titleOf(row: Pick<Session, 'sessionId' | 'metadata' | 'name'>): string {
  return (row.name ?? row.metadata.title)?.trim() || row.sessionId.slice(0, 8);
}
