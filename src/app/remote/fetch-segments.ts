import { openSegment } from '../../core/remote/open-segment.ts';
import { idsReplacedBy, type SegmentHeader } from '../../core/remote/segment-header.ts';
import { type SegmentName, segmentName, segmentPlace } from '../../core/remote/segment-name.ts';
import type { OpenRemote } from '../segment/remote-record.ts';
import { localSegments, ownSegmentFile, type RepoState, replicaFile } from '../segment/repo-state.ts';
import { readSegmentLines, type SegmentLine } from '../segment/segment-lines.ts';

export type Fetched = {
  count: number;
  bytes: number;
  /** Sentences about what was not taken. */
  notes: string[];
  /** Another machine writes under this device's id. */
  isCloned: boolean;
};

type Wanted = {
  repo: string;
  state: RepoState;
  listed: readonly SegmentName[];
  /** Only those that hold something of this session. */
  session?: string;
};

/** Brings segments of other devices here, each checked, and takes no word of them in. */
export async function fetchSegments(
  remote: OpenRemote,
  { repo, state, listed, session }: Wanted,
): Promise<Fetched> {
  const fetched: Fetched = { count: 0, bytes: 0, notes: [], isCloned: false };
  const replicas = await localSegments(remote, repo, 'replica');
  const own = await localSegments(remote, repo, 'own');
  const held = new Set([...replicas, ...own].map(({ id }) => id));
  const byPlace = Map.groupBy(replicas, segmentPlace);
  const ownByPlace = Map.groupBy(own, segmentPlace);
  for (const name of listed) {
    if (held.has(name.id) || state.dropped.has(name.id)) continue;
    const isOwn = name.device === remote.device.device;
    // A sync that was cut off may have brought the new one and noted nothing.
    if (!isOwn && (await isReplacedBy(remote, byPlace, name, replicaFile))) {
      state.dropped.add(name.id);
      continue;
    }
    const bytes = await remote.store.get(segmentName(name));
    if (!bytes) {
      // Said, so that this sync does not count as one with nothing to do.
      fetched.notes.push(
        `${segmentName(name)} is listed but can't be fetched yet. The next sync tries again.`,
      );
      continue;
    }
    const opened = openSegment(name, bytes, remote);
    const lines = opened.state === 'read' ? readSegmentLines(opened.lines) : undefined;
    if (opened.state !== 'read' || !lines) {
      fetched.notes.push(await refuse(remote, { name, bytes, opened }, state));
      continue;
    }
    if (isOwn && (await isReplacedBy(remote, ownByPlace, name, ownSegmentFile))) continue;
    if (isOwn) {
      fetched.isCloned = true;
      continue;
    }
    if (session !== undefined && !lines.some((line) => line.t === 'piece' && line.session === session))
      continue;
    noteDevice(state, name.device, lines);
    await dropReplaced(remote, name, opened.header, state);
    await remote.remotes.files.write(replicaFile(remote, name), bytes);
    held.add(name.id);
    byPlace.set(segmentPlace(name), [...(byPlace.get(segmentPlace(name)) ?? []), name]);
    fetched.count++;
    fetched.bytes += bytes.length;
  }
  return fetched;
}

function noteDevice({ devices }: RepoState, id: string, lines: readonly SegmentLine[]): void {
  const before = devices.get(id)?.lastSeen ?? '';
  for (const line of lines)
    if (line.t === 'device' && line.at >= before) {
      const member = line.member === undefined ? {} : { member: line.member };
      devices.set(id, { name: line.name, lastSeen: line.at, ...member });
    }
}

type Refused = { name: SegmentName; bytes: Buffer; opened: ReturnType<typeof openSegment> };

/** Damaged ones are asked for again at the next sync, what can't be believed is not. */
async function refuse(
  remote: OpenRemote,
  { name, bytes, opened }: Refused,
  state: RepoState,
): Promise<string> {
  const { store, remotes } = remote;
  const whole = segmentName(name);
  const why = opened.state === 'read' ? 'it has invalid lines' : opened.why;
  if (opened.state === 'refused' || opened.state === 'read') state.dropped.add(name.id);
  if (opened.state !== 'damaged') return `${whole} was not read: ${why}.`;
  if (store.isOwnOnly) return `${whole} arrived damaged: ${why}. The next sync fetches it again.`;
  const right = await remotes.files.read(replicaFile(remote, name));
  if (right) await store.put(whole, right);
  // Its device sees the name in the list and would not look further. The same bytes twice: it is not the way here that harms it.
  else if ((await store.get(whole))?.equals(bytes)) await store.remove(whole);
  return `${whole} is damaged on the remote: ${why}. ${right ? 'It was uploaded again.' : 'Its device will upload it again.'}`;
}

/** A name that was taken down and came back: a store that was rolled back, or an answer that was lost. */
async function isReplacedBy(
  remote: OpenRemote,
  byPlace: ReadonlyMap<string, SegmentName[]>,
  name: SegmentName,
  fileOf: typeof replicaFile,
): Promise<boolean> {
  for (const here of byPlace.get(segmentPlace(name)) ?? []) {
    const bytes = await remote.remotes.files.read(fileOf(remote, here));
    const opened = bytes && openSegment(here, bytes, remote, true);
    if (opened?.state === 'read' && idsReplacedBy(opened.header).includes(name.id)) return true;
  }
  return false;
}

async function dropReplaced(
  remote: OpenRemote,
  name: SegmentName,
  header: SegmentHeader,
  state: RepoState,
): Promise<void> {
  for (const id of idsReplacedBy(header)) {
    state.dropped.add(id);
    state.applied.delete(id);
    await remote.remotes.files.remove(replicaFile(remote, { ...name, id }));
  }
}
