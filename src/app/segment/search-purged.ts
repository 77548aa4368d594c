import type { Manifest, Tombstone } from '../../core/model/manifest.ts';
import { PurgeMask } from '../../core/model/purge-mask.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import { openSegment } from '../../core/remote/open-segment.ts';
import { type SegmentName, segmentName } from '../../core/remote/segment-name.ts';
import { textsOf } from '../find/purged-marks.ts';
import type { OpenRemote } from './remote-record.ts';
import { readLocal, replicaFile } from './repo-state.ts';
import { readSegmentLines, type SegmentLine } from './segment-lines.ts';
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

/** What was found at earlier looks, by the id of a segment. `stored`: where the talk says that the originals of sessions are. */
export type SearchedBefore = {
  marks: Map<string, string>;
  look: string;
  stored: ReadonlyMap<string, ReadonlySet<number>>;
};

/** Looks through the originals of one device, here or in the store; each is looked at once, until something else is purged. */
export async function searchPurged(
  remote: OpenRemote,
  names: readonly SegmentName[],
  { gone, mask, here }: PurgeReach,
  { marks, look, stored }: SearchedBefore,
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
  const isSecond = (name: SegmentName) => markOf(name) === waits;
  // What could not be read then may be there now.
  await take(names.filter((name) => isWaiting(name) && (!isSecond(name) || unread.length === 0)));
  if (read.some(({ isTouched }) => isTouched)) await take(names.filter((name) => markOf(name) === done));
  const bySession = Map.groupBy(
    read.flatMap(({ name, lines, isTouched }) =>
      sessionsIn(lines).map((session) => ({ session, name, lines, isTouched })),
    ),
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
    else if (sessions.length > 0 && sessions.every((it) => gone.has(it) && !here.has(streamBase(it))))
      found.gone.push(name);
    else if (sessions.every((it) => broken.has(it))) touched.push(name);
    // A list may have been partial: only where the rest is missing a second time it is lost.
    else if (unread.length === 0 && isSecond(name)) found.gone.push(name);
    else {
      marks.set(name.id, `${look} waits ${stampHash(unread.toSorted())}`);
      if (unread.length === 0) found.waiting.push(name);
    }
  }
  found.needed.push(...touched);
  return found;
}

type ReadSegment = { name: SegmentName; lines: SegmentLine[]; isTouched: boolean };

/** Whether its files can be put together from their beginning as far as they came, and its record is there. */
function isSoundBeginning(session: string, parts: readonly { lines: SegmentLine[] }[]): boolean {
  const lines = parts.flatMap((it) => it.lines);
  if (!lines.some((line) => line.t === 'session' && line.record.sessionId === session)) return false;
  const pieces = lines.flatMap((line) => (line.t === 'piece' && line.session === session ? [line] : []));
  for (const stretches of Map.groupBy(pieces, ({ file }) => file).values()) {
    let reached = 0;
    for (const { at, end } of stretches.toSorted((a, b) => a.at - b.at)) {
      if (at > reached) return false;
      reached = Math.max(reached, end);
    }
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
