import type { Tombstone } from '../../core/model/manifest.ts';
import { PurgeMask } from '../../core/model/purge-mask.ts';
import { openProjects } from '../find/projects.ts';
import { textsOf } from '../find/purged-marks.ts';
import { originalName } from '../find/session-ref.ts';
import { rowsOf, type SessionRow } from '../find/sessions.ts';
import type { OpenRemote } from '../segment/remote-record.ts';
import {
  forgetReceived,
  localSegments,
  type RepoState,
  readLocal,
  replicaFile,
  streamKey,
} from '../segment/repo-state.ts';
import type { SegmentLine } from '../segment/segment-lines.ts';
import { piecesIn } from '../segment/segment-lines.ts';
import type { World } from '../world.ts';
import { dropQuotes, dropSession } from './drop-session.ts';
import type { SentBy } from './whole-stream.ts';

/**
 * Purges of a colleague: what that colleague sent goes here, too, and comes again without it. It reaches nothing that
 * this user or anyone else said.
 */
export async function forgetOthers(
  remote: OpenRemote,
  by: SentBy,
  author: string,
  lines: readonly SegmentLine[],
): Promise<number> {
  const stones = lines.flatMap((line) => (line.t === 'tombstone' ? [line.tombstone] : []));
  if (stones.length === 0) return 0;
  const theirs = (await openProjects(remote.world)).flatMap(rowsOf).filter((row) => row.by === author);
  let dropped = 0;
  for (const row of theirs) {
    if (!(await isPurged(remote.world, row, stones))) continue;
    await dropSession(remote.world, { project: row.projectId, session: row.sessionId }, 'purged');
    await expectAgain(remote, by, row);
    dropped++;
  }
  const purged = new Map<string, string>();
  for (const { kind, id, at } of stones)
    if (kind === 'session' && at > (purged.get(id) ?? '')) purged.set(id, at);
  await dropQuotes(remote.world, author, purged);
  return dropped;
}

async function isPurged(world: World, row: SessionRow, stones: readonly Tombstone[]): Promise<boolean> {
  const isIts = ({ kind, id, at }: Tombstone) =>
    kind === 'session' &&
    (row.sessionId === id || row.sessionId.startsWith(`${id}@`)) &&
    row.registeredAt <= at;
  if (stones.some(isIts)) return true;
  const texts = textsOf([...stones]);
  if (texts.length === 0) return false;
  const path = world.archive.originals.path(row.projectId, originalName(row.sessionId));
  const pieces: Uint8Array[] = [];
  for await (const piece of world.sessionFiles.read(path)) pieces.push(piece);
  return new PurgeMask(texts).find(Buffer.concat(pieces), true).length > 0;
}

/** What its author sent of the session is looked at again: it was sealed without what is purged. */
async function expectAgain(
  remote: OpenRemote,
  { repo, device, state }: { repo: string; device: string; state: RepoState },
  row: SessionRow,
): Promise<void> {
  const stream = streamKey({ project: row.projectId, session: row.sessionId }, '');
  forgetReceived(state, stream);
  for (const name of await localSegments(remote, repo, 'replica')) {
    if (name.device !== device) continue;
    const lines = (await readLocal(remote, replicaFile(remote, name), name)) ?? [];
    const [base] = row.sessionId.split('@');
    if (piecesIn(lines).some(({ session }) => session.split('@')[0] === base)) state.applied.delete(name.id);
  }
}
