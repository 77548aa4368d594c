import { callApi } from '../api/call-api.ts';
import type { SessionRow } from '../api/records.ts';

/** What the list shows of a session. */
export type BriefSession = {
  sessionId: string;
  projectId: string;
  title: string;
  branch: string;
  agent: string;
  first: string;
  last: string;
  tokens: number;
  messages: number;
  /** False: archived, but taken out of memory. */
  registered: boolean;
  keepits: number;
  pinned: number;
  versions: number;
};

const PAGE = 1000;

/** All sessions of a project, newest first, page by page; each page is handed out as it comes. */
export async function loadSessions(
  projectId: string,
  signal: AbortSignal,
  onPage: (sessions: BriefSession[], total: number) => void,
): Promise<void> {
  const all: BriefSession[] = [];
  let after: string | undefined;
  do {
    const page = await callApi('get /api/memory/projects/{projectId}/sessions', {
      params: { projectId },
      // A first page that is there at once, then large ones.
      query: { limit: all.length === 0 ? 100 : PAGE, after, unregistered: true },
      signal,
    });
    for (const row of page.items) all.push(briefOf(row));
    onPage([...all], page.total);
    after = page.next ?? undefined;
  } while (after !== undefined && !signal.aborted);
}

function briefOf(row: SessionRow): BriefSession {
  return {
    sessionId: row.sessionId,
    projectId: row.projectId,
    title: titleOf(row),
    branch: row.metadata.gitBranch ?? '',
    agent: row.metadata.agent,
    first: row.firstTimestamp,
    last: row.lastTimestamp,
    tokens: row.originalTokens,
    messages: row.originalMessages,
    registered: row.registered,
    keepits: row.keepitMarkers.length,
    pinned: row.keepitMarkers.filter((it) => it.weight === 1).length,
    versions: row.compressions.length,
  };
}

/** A session's name: its title, or the beginning of its id. */
export function titleOf(row: Pick<SessionRow, 'sessionId' | 'metadata'>): string {
  return row.metadata.title?.trim() || row.sessionId.slice(0, 8);
}
