import { Fault } from '../../core/model/fault.ts';
import { type ProjectId, type SessionId, toSessionId } from '../../core/model/ids.ts';
import { nearest } from '../nearest.ts';
import type { World } from '../world.ts';
import { findProject } from './project.ts';
import { allSessions, type SessionRow } from './sessions.ts';

export type FoundSession = { projectId: ProjectId; sessionId: SessionId; row: SessionRow };

const SHORTEST_ID = 8;

/** The session that an id or its unique prefix means, in any project unless one is named; there its own folder comes first. */
export async function findSession(world: World, text: string, project?: string): Promise<FoundSession> {
  toSessionId(text);
  const rows = await allSessions(world, project);
  if (project === undefined) return pickSession(rows, text);
  const folder = await findProject(world, project);
  const own = rows.filter((row) => row.projectId === folder);
  const wanted = text.toLowerCase();
  const isThere = own.some(({ sessionId }) => sessionId.toLowerCase().startsWith(wanted));
  return pickSession(isThere ? own : rows, text);
}

/** The one of these that an id or its unique prefix means. */
export function pickSession(rows: SessionRow[], text: string): FoundSession {
  const wanted = toSessionId(text);
  const exact = rows.filter((row) => row.sessionId === wanted);
  const anyCase = (text: string) => text.toLowerCase();
  const ways = [
    (row: SessionRow) => row.sessionId.startsWith(wanted),
    (row: SessionRow) => anyCase(row.sessionId) === anyCase(wanted),
    (row: SessionRow) => anyCase(row.sessionId).startsWith(anyCase(wanted)),
  ];
  const found = exact.length > 0 ? exact : ways.map((fits) => rows.filter(fits)).find((it) => it.length > 0);
  const [row] = found ?? [];
  if (!row) throw notFound(text, rows);
  if (found && found.length > 1) throw ambiguous(text, found);
  return { projectId: row.projectId, sessionId: row.sessionId, row };
}

/** For each id its shortest prefix that no other id has, but never a very short one. */
export function shortIds(ids: Iterable<string>): Map<string, string> {
  const sorted = [...new Set(ids)].sort();
  const short = new Map<string, string>();
  sorted.forEach((id, index) => {
    const shared = Math.max(sharedLength(id, sorted[index - 1]), sharedLength(id, sorted[index + 1]));
    short.set(id, id.slice(0, Math.max(SHORTEST_ID, shared + 1)));
  });
  return short;
}

function sharedLength(a: string, b = ''): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

function notFound(text: string, rows: SessionRow[]): Fault {
  const ids = rows.map((row) => row.sessionId);
  const near = nearest(text, new Set([...ids, ...ids.map((id) => id.slice(0, text.length))]));
  const hint =
    near.length > 0
      ? `Did you mean ${near.join(' or ')}?`
      : '`keepsake sessions` lists them; `keepsake sync` finds new ones.';
  return new Fault('not-found', `No session ${JSON.stringify(text)}.`, { hint });
}

function ambiguous(text: string, found: SessionRow[]): Fault {
  const shown = found.slice(0, 10);
  const list = shown.map((row) => `  ${row.sessionId}  --project=${row.projectId}`).join('\n');
  const rest = found.length > shown.length ? `\n  and ${found.length - shown.length} more` : '';
  return new Fault('ambiguous', `${JSON.stringify(text)} matches ${found.length} sessions.`, {
    hint: `Choose one:\n${list}${rest}`,
    choices: found.map(({ projectId, projectName, sessionId }) => ({
      projectId,
      sessionId,
      name: projectName,
    })),
  });
}
