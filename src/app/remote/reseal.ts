import { isSessionId } from '../../core/model/ids.ts';
import { openSegment } from '../../core/remote/open-segment.ts';
import { sealSegment } from '../../core/remote/seal-segment.ts';
import { idsReplacedBy, MOST_REPLACED } from '../../core/remote/segment-header.ts';
import type { Lane, SegmentName } from '../../core/remote/segment-name.ts';
import { openProjects } from '../find/projects.ts';
import { append, deviceLine, storedLines } from '../segment/append-segment.ts';
import { FileHashes } from '../segment/file-hashes.ts';
import type { OpenRemote } from '../segment/remote-record.ts';
import {
  localSegments,
  noteOwn,
  ownSegmentFile,
  type RepoState,
  readLocal,
  type StreamPlace,
  streamKey,
} from '../segment/repo-state.ts';
import { readSegmentLines, type SegmentLine } from '../segment/segment-lines.ts';
import { type LeavingSession, type Pieces, sessionPieces, TALK } from '../segment/session-pieces.ts';
import type { Cleaned } from '../segment/without-purged.ts';

/**
 * Seals all segments of a session again, from what the archive contains now; those that are not needed any more stay
 * empty in their places. The next push puts the new ones and takes the old ones down.
 */
export async function resealSession(
  remote: OpenRemote,
  repo: string,
  state: RepoState,
  { project, session, lane: only, ...leaving }: Resealed,
): Promise<void> {
  const stream = streamKey({ project, session }, '');
  const own = (await segmentsOf(remote, repo, state, stream)).filter(
    ({ lane }) => only === undefined || lane === only,
  );
  const from = only === TALK ? `${stream}${TALK}` : stream;
  for (const key of state.sealed.keys()) if (key.startsWith(from)) state.sealed.delete(key);
  const waiting = await currentPieces(remote, state, { project, session, ...leaving });
  for (const name of own) {
    const at = waiting.findIndex(({ lane }) => lane === name.lane);
    const [next] = at === -1 ? [] : waiting.splice(at, 1);
    await replaceSegment(remote, state, name, next?.lines ?? []);
  }
  for (const { lane, lines } of waiting) await append(remote, { repo, lane, state }, lines);
  state.sessions.delete(stream);
}

/** Own segments that hold something of a session. */
async function segmentsOf(
  remote: OpenRemote,
  repo: string,
  { places }: RepoState,
  stream: string,
): Promise<SegmentName[]> {
  const held = new Set(places.get(stream));
  return (await localSegments(remote, repo, 'own')).filter(({ lane, seq }) => held.has(`${lane}/${seq}`));
}

/** `lane`: only what a session has in this one; of talk alone its level says what that is. */
type Resealed = StreamPlace & Pick<LeavingSession, 'level' | 'most'> & { lane?: 'talk' };

type AsLeft = StreamPlace & { lanes: readonly Lane[]; clean: (lines: readonly SegmentLine[]) => Cleaned };

/** Seals again what was sent of a session, cleaned, whatever is here now: no additional byte is sent. False where some of it can't be read. */
export async function resealAsLeft(
  remote: OpenRemote,
  repo: string,
  state: RepoState,
  { project, session, lanes, clean }: AsLeft,
): Promise<boolean> {
  const stream = streamKey({ project, session }, '');
  const own = (await segmentsOf(remote, repo, state, stream)).filter(({ lane }) => lanes.includes(lane));
  const hashes = new FileHashes();
  const changed: { name: SegmentName; lines: SegmentLine[] }[] = [];
  for (const name of own.toSorted((a, b) => a.seq - b.seq)) {
    const was = await readLocal(remote, ownSegmentFile(remote, name), name);
    const lines = was && hashes.renew(clean(was).lines);
    if (!lines) return false;
    if (JSON.stringify(lines) !== JSON.stringify(was)) changed.push({ name, lines });
  }
  for (const { name, lines } of changed) await replaceSegment(remote, state, name, asSealed(lines));
  state.sessions.delete(stream);
  return true;
}

/** Lines as they are sealed: what every segment says of itself is put there again. */
export function asSealed(lines: readonly SegmentLine[]): string[] {
  return lines.filter(({ t }) => t !== 'device' && t !== 'stored').map((line) => JSON.stringify(line));
}

/** None of a session that is gone. */
async function currentPieces(
  { world }: OpenRemote,
  state: RepoState,
  { project, session, ...leaving }: Resealed,
): Promise<Pieces['segments']> {
  if (!isSessionId(session)) return [];
  for (const manifest of await openProjects(world)) {
    if (manifest.projectId !== project || !Object.hasOwn(manifest.sessions, session)) continue;
    return (await sessionPieces(world, { manifest, session, ...leaving }, { ...state, keys: new Set() }))
      .segments;
  }
  return [];
}

/** Earlier segments in this place: a machine that has one of them and missed later ones must not restore it. */
async function replacedBefore(remote: OpenRemote, was: SegmentName): Promise<string[]> {
  const bytes = await remote.remotes.files.read(ownSegmentFile(remote, was));
  const opened = bytes && openSegment(was, bytes, remote, true);
  return opened?.state === 'read' ? idsReplacedBy(opened.header).slice(0, MOST_REPLACED) : [];
}

/** The same place in its lane, with other lines. */
export async function replaceSegment(
  remote: OpenRemote,
  state: RepoState,
  was: SegmentName,
  content: readonly string[],
): Promise<void> {
  const { keys, device, packing, record } = remote;
  const { repo, lane, seq, id } = was;
  const lines = [deviceLine(remote), ...content, ...storedLines(lane, state, content)];
  // The chain names the segment that was there when the next one was sealed; readers follow `replaces`.
  const draft = {
    repo,
    lane,
    seq,
    prev: '',
    replaces: id,
    replaced: await replacedBefore(remote, was),
    lines,
  };
  const { name, bytes } = sealSegment(draft, { keys, device, packing, encrypt: record.encrypt });
  if (name.id === id) return;
  await remote.remotes.files.write(ownSegmentFile(remote, name), bytes);
  await remote.remotes.files.remove(ownSegmentFile(remote, was));
  noteOwn(state, name, readSegmentLines(lines) ?? []);
}
