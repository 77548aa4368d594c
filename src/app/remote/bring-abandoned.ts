import type { Tombstone } from '../../core/model/manifest.ts';
import { PurgeMask } from '../../core/model/purge-mask.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import { openSegment } from '../../core/remote/open-segment.ts';
import { type SegmentName, segmentName } from '../../core/remote/segment-name.ts';
import { openProjects } from '../find/projects.ts';
import { textsOf } from '../find/purged-marks.ts';
import { isAbandoned, type OpenRemote } from '../segment/remote-record.ts';
import { type RepoState, readLocal, replicaFile } from '../segment/repo-state.ts';
import { readSegmentLines, type SegmentLine } from '../segment/segment-lines.ts';
import { stampHash } from '../segment/stamp-hash.ts';
import { withoutPurged } from '../segment/without-purged.ts';
import { stoneId } from './carry-out.ts';
import { type Fetched, fetchSegments } from './fetch-segments.ts';
import type { AuthorOf } from './remote-authors.ts';

type Abandoned = {
  repo: string;
  state: RepoState;
  listed: readonly SegmentName[];
  /** Records of this user that come in with this sync. */
  lines: readonly SegmentLine[];
  authorOf: AuthorOf;
};

/**
 * A light machine leaves originals in the store, and perhaps no other machine has those of a device that nobody speaks for. They are
 * looked through for what was purged: a purged session goes, of any other the whole original comes here, to be sealed without it.
 */
export async function bringAbandoned(
  remote: OpenRemote,
  { repo, state, listed, lines, authorOf }: Abandoned,
): Promise<Fetched | undefined> {
  if (!remote.record.light) return undefined;
  const retired = new Set(lines.flatMap((line) => (line.t === 'retire' ? [line.device] : [])));
  const isTheirs = ({ device, lane, id }: SegmentName) =>
    lane === 'bytes' &&
    device !== remote.device.device &&
    (retired.has(device) || isAbandoned(remote, state, device)) &&
    authorOf(device) === undefined &&
    !state.dropped.has(id);
  const byDevice = Map.groupBy(listed.filter(isTheirs), ({ device }) => device);
  if (byDevice.size === 0) return undefined;
  const purged = await purgedBy(remote, lines);
  if (purged.look.length === 0) return undefined;
  const wanted: SegmentName[] = [];
  for (const [device, names] of byDevice) {
    const look = stampHash([...purged.look, ...names.map(({ id }) => id).sort()]);
    if (state.searched.get(device) === look) continue;
    const found = await search(remote, names, purged);
    // First all is to be readable: an original comes in whole. What is damaged for good is taken down when it is fetched.
    if (found.damaged.length > 0) wanted.push(...found.damaged);
    else if (found.needed.length > 0) wanted.push(...found.needed);
    else state.searched.set(device, look);
    for (const { id } of found.gone) state.dropped.add(id);
  }
  return wanted.length === 0 ? undefined : fetchSegments(remote, { repo, state, listed: wanted });
}

type PurgedWords = { look: string[]; gone: Set<string>; mask: PurgeMask; here: Set<string> };

async function purgedBy({ world }: OpenRemote, lines: readonly SegmentLine[]): Promise<PurgedWords> {
  const projects = await openProjects(world);
  const stones: Tombstone[] = [
    ...projects.flatMap(({ tombstones }) => tombstones),
    ...lines.flatMap((line) => (line.t === 'tombstone' ? [line.tombstone] : [])),
  ];
  return {
    look: [...new Set(stones.map(stoneId))].sort(),
    gone: new Set(stones.flatMap(({ kind, id }) => (kind === 'session' ? [id] : []))),
    mask: new PurgeMask(textsOf(stones)),
    here: new Set(projects.flatMap(({ sessions }) => Object.keys(sessions).map(streamBase))),
  };
}

type Found = {
  /** With a purged session alone. */
  gone: SegmentName[];
  /** With something else that was purged, behind all others of its sessions. */
  needed: SegmentName[];
  damaged: SegmentName[];
};

async function search(
  remote: OpenRemote,
  names: readonly SegmentName[],
  { gone, mask, here }: PurgedWords,
): Promise<Found> {
  const found: Found = { gone: [], needed: [], damaged: [] };
  const touched: SegmentName[] = [];
  const sound: { name: SegmentName; sessions: string[] }[] = [];
  const broken = new Set<string>();
  for (const name of names) {
    const lines = await linesOf(remote, name);
    if (!lines) {
      found.damaged.push(name);
      continue;
    }
    const sessions = sessionsIn(lines);
    const isTouched = withoutPurged(lines, gone, mask).isChanged;
    if (!isTouched) sound.push({ name, sessions });
    // Purged, and not registered again by its user: nothing of it is needed.
    else if (sessions.length > 0 && sessions.every((it) => gone.has(it) && !here.has(streamBase(it))))
      found.gone.push(name);
    else {
      touched.push(name);
      for (const session of sessions) broken.add(session);
    }
  }
  for (const { name, sessions } of sound) if (sessions.some((it) => broken.has(it))) found.needed.push(name);
  found.needed.push(...touched);
  return found;
}

/** As it is here, or in the store. */
async function linesOf(remote: OpenRemote, name: SegmentName): Promise<SegmentLine[] | undefined> {
  const kept = await readLocal(remote, replicaFile(remote, name), name);
  if (kept) return kept;
  const bytes = await remote.store.get(segmentName(name));
  const opened = bytes && openSegment(name, bytes, remote);
  return opened?.state === 'read' ? readSegmentLines(opened.lines) : undefined;
}

function sessionsIn(lines: readonly SegmentLine[]): string[] {
  return lines.flatMap((line) => {
    if (line.t === 'piece') return [line.session];
    return line.t === 'session' ? [line.record.sessionId] : [];
  });
}
