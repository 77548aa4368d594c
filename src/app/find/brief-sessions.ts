import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import { shortestVersions } from '../../core/stats/shortest-versions.ts';
import { type Page, type PageRequest, page } from '../page.ts';
import type { World } from '../world.ts';
import { allSessions, type SessionRow } from './sessions.ts';

/** What a list of many sessions shows of each. */
export type BriefSession = {
  sessionId: SessionId;
  projectId: ProjectId;
  title: string;
  /** Whose it is, where not this user's. */
  by?: string;
  branch: string;
  agent: string;
  first: string;
  last: string;
  tokens: number;
  messages: number;
  /** False: archived but unregistered. */
  registered: boolean;
  keepits: number;
  pinned: number;
  versions: number;
  /** Tokens that have a version, and those of the shortest version of each part. */
  covered: number;
  shortest: number;
};

export type NamedSession = BriefSession & { projectName: string };
type BriefPage<T> = Page<T> & { total: number };

const SHORT_ID = 8;

/** Every session of a project in a few words, newest first: a whole record is some kilobytes. */
export async function briefSessions(
  world: World,
  project: string,
  request: PageRequest = {},
): Promise<BriefPage<BriefSession>> {
  const rows = await allSessions(world, project);
  const { items, next } = page(rows, keyOf, request);
  return { items: items.map(briefOf), next, total: rows.length };
}

/** Sessions of all projects that hold every word in title, branch, id or project, newest first. */
export async function namedSessions(
  world: World,
  words: string,
  request: PageRequest = {},
): Promise<BriefPage<NamedSession>> {
  const rows = rowsWith(words, await allSessions(world));
  const { items, next } = page(rows, keyOf, request);
  return {
    items: items.map((row) => ({ ...briefOf(row), projectName: row.projectName })),
    next,
    total: rows.length,
  };
}

function rowsWith(words: string, rows: SessionRow[]): SessionRow[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (wanted.length === 0) return rows;
  return rows.filter((row) => {
    const { metadata, sessionId, projectName } = row;
    const named = `${sessionTitle(row) ?? ''} ${metadata.gitBranch ?? ''}`;
    const text = `${named} ${sessionId} ${projectName}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

function keyOf(row: SessionRow): string {
  return `${row.lastTimestamp}\u0000${row.sessionId}`;
}

function briefOf(row: SessionRow): BriefSession {
  const { metadata, keepitMarkers } = row;
  return {
    sessionId: row.sessionId,
    projectId: row.projectId,
    title: sessionTitle(row)?.trim() || row.sessionId.slice(0, SHORT_ID),
    ...(row.by === undefined ? {} : { by: row.by }),
    branch: metadata.gitBranch ?? '',
    agent: metadata.agent,
    first: row.firstTimestamp,
    last: row.lastTimestamp,
    tokens: row.originalTokens,
    messages: row.originalMessages,
    registered: row.registered,
    keepits: keepitMarkers.length,
    pinned: keepitMarkers.filter((it) => it.weight === 1 && !(row.by !== undefined && it.held)).length,
    versions: row.compressions.length,
    ...shortestVersions(row.compressions),
  };
}
