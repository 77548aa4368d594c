import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import { originalName } from '../find/session-ref.ts';
import type { World } from '../world.ts';

/** What a replica knows of whose sessions it has, before the record says so. */
export type SessionAuthors = ReadonlyMap<SessionId, string>;

type Incoming = { session: string; author: string; bytes: readonly Buffer[] };

/**
 * The session here that one of both continues: a job that sent it before, or a machine that has a new key. Only of the same author:
 * nobody adds words to what a colleague said.
 */
export async function continuedSession(
  world: World,
  project: ProjectId,
  { session, author, bytes }: Incoming,
  authors: SessionAuthors,
): Promise<SessionId | undefined> {
  const records = (await world.archive.open(project))?.manifest.sessions ?? {};
  const known = new Map(Object.values(records).map((it) => [it.sessionId, it.by]));
  for (const [id, by] of [...known, ...authors])
    if (
      streamBase(id) === streamBase(session) &&
      by === author &&
      (await isSameStart(world, project, id, bytes))
    )
      return id;
  return undefined;
}

async function isSameStart(
  world: World,
  project: ProjectId,
  id: SessionId,
  bytes: readonly Buffer[],
): Promise<boolean> {
  const incoming = Buffer.concat(bytes);
  let at = 0;
  for await (const piece of world.sessionFiles.read(
    world.archive.originals.path(project, originalName(id)),
  )) {
    const common = Math.min(piece.length, incoming.length - at);
    if (!incoming.subarray(at, at + common).equals(piece.subarray(0, common))) return false;
    at += common;
    if (at === incoming.length) break;
  }
  return true;
}

/** The next few, each of another session: two of one are compared, so one is written before the other is looked at. */
export function nextApart<T extends { session: string }>(waiting: T[], most: number): T[] {
  const next: T[] = [];
  const sessions = new Set<string>();
  for (const it of [...waiting]) {
    if (next.length === most) break;
    if (sessions.has(it.session)) continue;
    sessions.add(it.session);
    next.push(...waiting.splice(waiting.indexOf(it), 1));
  }
  return next;
}
