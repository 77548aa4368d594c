import { type Answer, callApi } from '../api/call-api.ts';
import type { Session } from '../api/records.ts';

/** What the list shows of a session. */
export type BriefSession = Answer<'get /api/memory/projects/{projectId}/timeline'>['items'][number];

/** As many as a high screen shows: thousands take their time. */
const FIRST = 60;

/** All sessions of a project, newest first; those that were taken out of memory, too. */
export async function loadSessions(projectId: string, signal: AbortSignal): Promise<BriefSession[]> {
  const { items } = await callApi('get /api/memory/projects/{projectId}/timeline', {
    params: { projectId },
    signal,
  });
  return items;
}

/** The newest sessions, before all of them are there, and how many there are in all. */
export async function loadFirstSessions(
  projectId: string,
  signal: AbortSignal,
): Promise<{ items: BriefSession[]; total: number }> {
  return callApi('get /api/memory/projects/{projectId}/timeline', {
    params: { projectId },
    query: { limit: FIRST },
    signal,
  });
}

/** A session's name: its title, or the beginning of its id. */
export function titleOf(row: Pick<Session, 'sessionId' | 'metadata' | 'name'>): string {
  return (row.name ?? row.metadata.title)?.trim() || row.sessionId.slice(0, 8);
}
