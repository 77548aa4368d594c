import { createHash } from 'node:crypto';
import type { Manifest, Tombstone } from '../../core/model/manifest.ts';
import { PurgeMask } from '../../core/model/purge-mask.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import { openSegment } from '../../core/remote/open-segment.ts';
import { type SegmentName, segmentName } from '../../core/remote/segment-name.ts';
import { textsOf } from '../find/purged-marks.ts';
import { pieceBytes, type Stretch } from './assemble.ts';
import type { OpenRemote } from './remote-record.ts';
import { readLocal, replicaFile, type StreamPlace, streamKey } from './repo-state.ts';
import { piecesIn, readSegmentLines, type SegmentLine } from './segment-lines.ts';
import { stampHash } from './stamp-hash.ts';
import { withoutPurged } from './without-purged.ts';

/** What purges reach. `here`: sessions that the archive holds, however they are called there. */
export type PurgeReach = { gone: Set<string>; mask: PurgeMask; here: Set<string> };

export function reachOf(stones: readonly Tombstone[], projects: readonly Manifest[]): PurgeReach {
  return {
    gone: new Set(stones.flatMap(({ kind, id }) => (kind === 'session' ? [id] : []))),
    mask: new PurgeMask(textsOf([...stones])),
    here: new Set(projects.flatMap(({ sessions }) => Object.keys(sessions).map(streamBase))),
  };
}

export type FoundPurged = {
  /** With a purged session alone, or with a purged text in an original that can't be put together any more. */
  gone: SegmentName[];
  /** With something else that was purged, behind all others of its sessions. */
  needed: SegmentName[];
  /** Or not there, although it is in the list. */
  damaged: SegmentName[];
  /** Of a format that only a later version reads: nobody knows what is in it. */
  newer: SegmentName[];
  /** With something that was purged, and a part of the session missing: the next look says whether it is lost. */
  waiting: SegmentName[];
};

/** What earlier searches found, by the id of a segment. `stored`: where the talk says that the originals of sessions are. */
export type SearchedBefore = {
  marks: Map<string, string>;
  look: string;
  stored: ReadonlyMap<string, ReadonlySet<number>>;
  /** The list lacks what was there: what else is missing may come again. */
  isStale: boolean;
  /** Of purged sessions, those that their device sent again after their purges, also by what was read of it now. */
  sentBack: (read: readonly SegmentLine[][]) => Promise<ReadonlySet<string>>;
};

/** Looks through the originals of one device, here or in the store; each is searched once, until something else is purged. */
export async function searchPurged(
  remote: OpenRemote,
  names: readonly SegmentName[],
  { gone, mask, here }: PurgeReach,
  { marks, look, stored, isStale, sentBack }: SearchedBefore,
): Promise<FoundPurged> {
  const found: FoundPurged = { gone: [], needed: [], damaged: [], newer: [], waiting: [] };
  const [done, newer] = [look, `${look} newer`];
  const markOf = ({ id }: SegmentName) => marks.get(id) ?? '';
  const read: ReadSegment[] = [];
  const unread: string[] = names.filter((name) => markOf(name) === newer).map(({ id }) => id);
  const take = async (some: readonly SegmentName[]) => {
    for (const name of some) {
      const { state, lines } = await linesOf(remote, name);
      if (lines) read.push({ name, lines, isTouched: withoutPurged(lines, gone, mask).isChanged });
      else unread.push(name.id);
      if (state === 'newer') {
        marks.set(name.id, newer);
        found.newer.push(name);
      } else if (!lines) found.damaged.push(name);
    }
  };
  const isWaiting = (name: SegmentName) => markOf(name).startsWith(`${look} waits`);
  await take(names.filter((name) => markOf(name) !== done && markOf(name) !== newer && !isWaiting(name)));
  const waits = `${look} waits ${stampHash(unread.toSorted())}`;
  const isSecond = (name: SegmentName) => !isStale && markOf(name) === waits;
  // What could not be read then may be there now.
  await take(names.filter((name) => isWaiting(name) && (!isSecond(name) || unread.length === 0)));
  const isAnyTouched = read.some(({ isTouched }) => isTouched);
  if (isAnyTouched) await take(names.filter((name) => markOf(name) === done));
  const back = isAnyTouched ? await sentBack(read.map(({ lines }) => lines)) : new Set<string>();
  const isWanted = (session: string) => here.has(streamBase(session)) || back.has(session);
  const bySession = Map.groupBy(
    read.flatMap((part) => sessionsIn(part.lines).map((session) => ({ session, ...part }))),
    ({ session }) => session,
  );
  const came = new Set(read.map(({ name }) => name.seq));
  const broken = new Set(
    [...bySession].flatMap(([session, parts]) => {
      if (!parts.some(({ isTouched }) => isTouched) || !isSoundBeginning(session, parts)) return [];
      const isWhole = [...(stored.get(session) ?? [])].every((seq) => came.has(seq));
      // What is missing for good is lost: the rest of the session is not.
      const isLost = unread.length === 0 && parts.some(({ name }) => isSecond(name));
      return isWhole || isLost ? [session] : [];
    }),
  );
  const touched: SegmentName[] = [];
  for (const { name, lines, isTouched } of read) {
    const sessions = sessionsIn(lines);
    if (!isTouched) {
      if (sessions.some((it) => broken.has(it))) found.needed.push(name);
      marks.set(name.id, done);
    } // Purged, and not registered again by its user: nothing of it is needed.
    else if (sessions.length > 0 && sessions.every((it) => gone.has(it) && !isWanted(it)))
      found.gone.push(name);
    else if (sessions.every((it) => broken.has(it))) touched.push(name);
    // A list may have been partial: only where the rest is missing a second time it is lost.
    else if (unread.length === 0 && isSecond(name)) found.gone.push(name);
    else {
      if (!isStale) marks.set(name.id, `${look} waits ${stampHash(unread.toSorted())}`);
      if (unread.length === 0) found.waiting.push(name);
    }
  }
  found.needed.push(...touched);
  return found;
}

type ReadSegment = { name: SegmentName; lines: SegmentLine[]; isTouched: boolean };

/** Whether its files can be put together from their beginning as far as they came, and its record is there. */
function isSoundBeginning(session: string, parts: readonly ReadSegment[]): boolean {
  const isRecord = (line: SegmentLine) => line.t === 'session' && line.record.sessionId === session;
  if (!parts.some(({ lines }) => lines.some(isRecord))) return false;
  const pieces = parts.flatMap(({ name, lines }) =>
    piecesIn(lines).flatMap((piece) => (piece.session === session ? [{ ...piece, name, lines }] : [])),
  );
  const files = Map.groupBy(pieces, ({ project, file }) => streamKey({ project, session }, file));
  return [...files.values()].every(fitsTogether);
}

type ReadPiece = StreamPlace &
  Omit<Stretch, 'segment'> & { file: string; name: SegmentName; lines: SegmentLine[] };

/** Two copies of one disk may have sent parts of a file: where one of them had purged a text in it, these do not fit. */
function fitsTogether(pieces: readonly ReadPiece[]): boolean {
  const hash = createHash('sha256');
  let reached = 0;
  for (const piece of pieces.toSorted((a, b) => a.at - b.at || a.name.seq - b.name.seq)) {
    const { at, end, sha256, session, file, lines } = piece;
    if (end <= reached) continue;
    if (at !== reached) return false;
    for (const bytes of pieceBytes(lines, { session, name: file }, piece)) hash.update(bytes);
    if (hash.copy().digest('hex') !== sha256) return false;
    reached = end;
  }
  return true;
}

type Found = { state: 'read' | 'absent' | 'newer' | 'damaged'; lines?: SegmentLine[] | undefined };

/** As it is here, or in the store. */
async function linesOf(remote: OpenRemote, name: SegmentName): Promise<Found> {
  const kept = await readLocal(remote, replicaFile(remote, name), name);
  if (kept) return { state: 'read', lines: kept };
  const bytes = await remote.store.get(segmentName(name));
  if (!bytes) return { state: 'absent' };
  const opened = openSegment(name, bytes, remote);
  if (opened.state === 'newer') return { state: 'newer' };
  const lines = opened.state === 'read' ? readSegmentLines(opened.lines) : undefined;
  return lines ? { state: 'read', lines } : { state: 'damaged' };
}

function sessionsIn(lines: readonly SegmentLine[]): string[] {
  return lines.flatMap((line) => {
    if (line.t === 'piece') return [line.session];
    return line.t === 'session' ? [line.record.sessionId] : [];
  });
}
