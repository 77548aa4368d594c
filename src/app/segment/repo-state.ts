import type { Tombstone } from '../../core/model/manifest.ts';
import { parseStored } from '../../core/model/parse-stored.ts';
import { fields, figure, list, oneOf, record, text } from '../../core/model/shape.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import { openSegment } from '../../core/remote/open-segment.ts';
import type { RemoteKeys } from '../../core/remote/remote-key.ts';
import { segmentId } from '../../core/remote/seal-segment.ts';
import { type Lane, parseSegmentName, type SegmentName } from '../../core/remote/segment-name.ts';
import { BoundedCache } from '../../core/text/bounded-cache.ts';
import { PerOwner } from '../../core/text/per-owner.ts';
import { heardKey, recordKeysIn } from './line-keys.ts';
import { damagedState, type OpenRemote } from './remote-record.ts';
import { piecesIn, readSegmentLines, type SegmentLine } from './segment-lines.ts';

/** How far a file was sealed, and the hash of all its bytes up to there as they left. */
export type StreamEnd = { bytes: number; sha256: string };
export type LaneEnd = { seq: number; id: string };

/** What is known of a repository in a remote. It follows from the segments beside it. */
export type RepoState = {
  version: 2;
  /** Who wrote the own segments. */
  device: string;
  own: Partial<Record<Lane, LaneEnd>>;
  /** What the store has of records, by key: sealed here or received. */
  keys: Set<string>;
  /** By folder, session and file. */
  sealed: Map<string, StreamEnd>;
  received: Map<string, number>;
  /** Of those received, what no segment of another device holds any more: it is for this machine to send. */
  orphaned: Set<string>;
  /** Own segments that hold pieces of a session, by its folder and id: names without the remote's folders. */
  places: Map<string, string[]>;
  /** What the streams of others are called here, by device, their folder and session: folder and session. */
  streams: Map<string, string>;
  /** Machines whose segments were ever brought here: they are known also where none of these is kept. */
  devices: Map<string, { name: string; lastSeen: string; member?: string }>;
  /** Segments of others that are in the archive now. */
  applied: Set<string>;
  /** Segments that must not be used: replaced by others, or refused. */
  dropped: Set<string>;
  /** Devices that nobody speaks for, of which nothing is left to send. */
  taken: Set<string>;
  /** Originals that were searched in the store for what was purged, by the id of their segment: what was purged then. */
  searched: Map<string, string>;
  /** Where the originals of others are, by device and session, as far as talk said so that is not kept here any more. */
  parts: Map<string, number[]>;
  /** How each session looked when all of it was sealed. */
  sessions: Map<string, string>;
  /** How the records of the folders looked when all of them was sealed. */
  looked: string;
};

const STORED = fields(
  {
    version: oneOf(2),
    device: text,
    own: record(fields({ seq: figure, id: text })),
    keys: list(text),
    sealed: record(fields({ bytes: figure, sha256: text })),
    received: record(figure),
    places: record(list(text)),
    streams: record(text),
    devices: record(fields({ name: text, lastSeen: text }, { member: text })),
    applied: list(text),
    dropped: list(text),
    looked: text,
    sessions: record(text),
  },
  { taken: list(text), orphaned: list(text), searched: record(text), parts: record(list(figure)) },
);

export function repoFolder({ record: { name } }: OpenRemote, repo: string): string {
  return `${name}/repos/${repo}`;
}

export function ownSegmentFile(remote: OpenRemote, { repo, lane, seq, id }: SegmentName): string {
  return `${repoFolder(remote, repo)}/own/${lane}/${String(seq).padStart(8, '0')}-${id}`;
}

export function replicaFile(remote: OpenRemote, { repo, device, lane, seq, id }: SegmentName): string {
  return `${repoFolder(remote, repo)}/replica/${device}/${lane}/${String(seq).padStart(8, '0')}-${id}`;
}

/** Segments that are here: the own ones, or those of others. */
export async function localSegments(
  remote: OpenRemote,
  repo: string,
  whose: 'own' | 'replica',
): Promise<SegmentName[]> {
  const names = await remote.remotes.files.list(`${repoFolder(remote, repo)}/${whose}`);
  const device = whose === 'own' ? `${remote.device.device}/` : '';
  return names.flatMap((name) => parseSegmentName(`r/${repo}/${device}${name}`) ?? []);
}

export async function loadRepoState(remote: OpenRemote, repo: string): Promise<RepoState> {
  const file = `${repoFolder(remote, repo)}/state.json`;
  const bytes = await remote.remotes.files.read(file);
  const { state: found, value } = bytes ? parseStored(bytes, STORED, ['version', 2]) : {};
  if (found === 'damaged') throw damagedState(remote.record, file);
  const isOurs = value?.device === remote.device.device;
  const state: RepoState =
    value && isOurs
      ? {
          ...value,
          version: 2,
          keys: new Set(value.keys),
          sealed: new Map(Object.entries(value.sealed)),
          received: new Map(Object.entries(value.received)),
          orphaned: new Set(value.orphaned),
          places: new Map(Object.entries(value.places)),
          streams: new Map(Object.entries(value.streams)),
          devices: new Map(Object.entries(value.devices)),
          applied: new Set(value.applied),
          dropped: new Set(value.dropped),
          taken: new Set(value.taken),
          searched: new Map(Object.entries(value.searched ?? {})),
          parts: new Map(Object.entries(value.parts ?? {})),
          sessions: new Map(Object.entries(value.sessions)),
        }
      : emptyState(remote);
  // Of the device that this machine was before: what must not be used stays so.
  if (value && !isOurs) {
    state.dropped = new Set(value.dropped);
    state.devices = new Map(Object.entries(value.devices));
  }
  await recover(remote, repo, state, !isOurs);
  return state;
}

function emptyState({ device }: OpenRemote): RepoState {
  return {
    version: 2,
    device: device.device,
    own: {},
    keys: new Set(),
    sealed: new Map(),
    received: new Map(),
    orphaned: new Set(),
    places: new Map(),
    streams: new Map(),
    devices: new Map(),
    applied: new Set(),
    dropped: new Set(),
    taken: new Set(),
    searched: new Map(),
    parts: new Map(),
    sessions: new Map(),
    looked: '',
  };
}

/** What was sealed and not noted: a kill came between. Of a lost state all segments are looked at. */
async function recover(remote: OpenRemote, repo: string, state: RepoState, isLost: boolean): Promise<void> {
  for (const name of await settledOwn(remote, repo)) {
    const end = state.own[name.lane];
    if (end && (name.seq < end.seq || (name.seq === end.seq && name.id === end.id))) continue;
    const lines = await readLocal(remote, ownSegmentFile(remote, name), name);
    if (lines) noteOwn(state, name, lines);
    for (const line of lines ?? []) if (line.t === 'tombstone') forgetPurged(state, line.tombstone);
  }
  if (!isLost) return;
  for (const name of await localSegments(remote, repo, 'replica')) {
    const lines = await readLocal(remote, replicaFile(remote, name), name);
    // They are applied again, which says whose they are.
    if (lines) noteKeys(state, lines, false);
  }
}

/** The own segments. A kill between writing a segment and removing the one that it replaces leaves both. */
async function settledOwn(remote: OpenRemote, repo: string): Promise<SegmentName[]> {
  const own = await localSegments(remote, repo, 'own');
  const byPlace = Map.groupBy(own, ({ lane, seq }) => `${lane}/${seq}`);
  for (const names of byPlace.values()) {
    if (names.length === 1) continue;
    for (const name of names) {
      const bytes = await remote.remotes.files.read(ownSegmentFile(remote, name));
      const opened = bytes && openSegment(name, bytes, remote);
      const replaced = opened?.state === 'read' ? opened.header.replaces : undefined;
      if (replaced !== undefined)
        await remote.remotes.files.remove(ownSegmentFile(remote, { ...name, id: replaced }));
    }
  }
  return byPlace.size === own.length ? own : localSegments(remote, repo, 'own');
}

/** Undefined if it is damaged: it is fetched or sealed again. */
export async function readLocal(
  remote: OpenRemote,
  file: string,
  name: SegmentName,
): Promise<SegmentLine[] | undefined> {
  const bytes = await remote.remotes.files.read(file);
  if (!bytes) return undefined;
  const known = readBefore.of(remote.keys, () => new BoundedCache(MOST_READ));
  const before = segmentId(bytes) === name.id ? known.get(name.id) : undefined;
  if (before) return before;
  const opened = openSegment(name, bytes, remote, true);
  const lines = opened.state === 'read' ? readSegmentLines(opened.lines) : undefined;
  return lines && bytes.length <= SMALL ? known.set(name.id, lines) : lines;
}

/** Small segments are read several times in one sync. */
const readBefore = new PerOwner<RemoteKeys, BoundedCache<string, SegmentLine[]>>();
const MOST_READ = 256;
const SMALL = 16 * 1024;

export async function saveRepoState(remote: OpenRemote, repo: string, state: RepoState): Promise<void> {
  const stored = {
    ...state,
    keys: [...state.keys],
    sealed: Object.fromEntries(state.sealed),
    received: Object.fromEntries(state.received),
    orphaned: [...state.orphaned],
    places: Object.fromEntries(state.places),
    streams: Object.fromEntries(state.streams),
    devices: Object.fromEntries(state.devices),
    applied: [...state.applied],
    dropped: [...state.dropped],
    taken: [...state.taken],
    searched: Object.fromEntries(state.searched),
    parts: Object.fromEntries(state.parts),
    sessions: Object.fromEntries(state.sessions),
  };
  await remote.remotes.files.write(`${repoFolder(remote, repo)}/state.json`, `${JSON.stringify(stored)}\n`);
}

/** An own segment that is on the disk. */
export function noteOwn(state: RepoState, name: SegmentName, lines: readonly SegmentLine[]): void {
  const end = state.own[name.lane];
  if (!end || name.seq >= end.seq) state.own[name.lane] = { seq: name.seq, id: name.id };
  for (const key of recordKeysIn(lines)) state.keys.add(key);
  const place = `${name.lane}/${name.seq}`;
  for (const { project, session, file, end: bytes, sha256 } of piecesIn(lines)) {
    state.sealed.set(streamKey({ project, session }, file), { bytes, sha256 });
    const stream = streamKey({ project, session }, '');
    const places = state.places.get(stream) ?? [];
    if (!places.includes(place)) state.places.set(stream, [...places, place]);
  }
}

/**
 * What others say. That they carried out a purge, or took a private session out, says nothing of this machine; only this user's machines
 * retire one of this user's.
 */
export function noteKeys(state: RepoState, lines: readonly SegmentLine[], isMine: boolean): void {
  for (const key of recordKeysIn(lines)) {
    if (key.startsWith('v:')) state.keys.add(heardKey(key));
    else if (!key.startsWith('p:') && (isMine || !key.startsWith('r:'))) state.keys.add(key);
  }
}

/** For talk that is not kept: where it says that originals are. */
export function noteParts({ parts }: RepoState, device: string, lines: readonly SegmentLine[]): void {
  for (const line of lines) {
    if (line.t !== 'stored') continue;
    const key = `${device}/${line.session}`;
    parts.set(key, [...new Set([...(parts.get(key) ?? []), ...line.seqs])]);
  }
}

/** So many bytes of a file are in segments of another device. */
export function noteReceived({ received, orphaned }: RepoState, key: string, bytes: number): void {
  const before = received.get(key) ?? 0;
  if (bytes >= before) orphaned.delete(key);
  received.set(key, Math.max(bytes, before));
}

/** For a stream that is not here any more. */
export function forgetReceived({ received, orphaned }: RepoState, stream: string): void {
  for (const key of received.keys()) {
    if (!key.startsWith(stream)) continue;
    received.delete(key);
    orphaned.delete(key);
  }
}

/** Of a purged session nobody else has anything to send. */
export function forgetPurged(state: RepoState, { kind, id }: Tombstone): void {
  const isIts = ({ session }: StreamPlace) => session === id || streamBase(session) === id;
  const places = kind === 'session' ? [...state.received.keys()].map(streamOfKey) : [];
  for (const place of places.filter(isIts)) forgetReceived(state, streamKey(place, ''));
}

export type StreamPlace = { project: string; session: string };

/** Without a file: of all its files. */
export function streamKey({ project, session }: StreamPlace, file: string): string {
  return `${project}/${session}/${file}`;
}

export function streamOfKey(key: string): StreamPlace {
  const [project = '', session = ''] = key.split('/');
  return { project, session };
}
