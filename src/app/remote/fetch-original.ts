import { Fault } from '../../core/model/fault.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import { repoTag } from '../../core/remote/remote-key.ts';
import { SEGMENT_FORMAT } from '../../core/remote/segment-header.ts';
import { type SegmentName, segmentPlace } from '../../core/remote/segment-name.ts';
import { openProjects } from '../find/projects.ts';
import { findSession } from '../find/session.ts';
import { repositoryOf } from '../repository/repositories.ts';
import { listedSegments } from '../segment/list-store.ts';
import { readPrivate } from '../segment/private-sessions.ts';
import {
  isAbandoned,
  listRemotes,
  type OpenRemote,
  openRemote,
  quietFile,
  remotesOf,
} from '../segment/remote-record.ts';
import {
  loadRepoState,
  localSegments,
  type RepoState,
  readLocal,
  replicaFile,
  saveRepoState,
} from '../segment/repo-state.ts';
import { type FoundPurged, reachOf, searchPurged } from '../segment/search-purged.ts';
import type { SegmentLine } from '../segment/segment-lines.ts';
import { comeBack, stoneId } from '../segment/sent-again.ts';
import { stampHash } from '../segment/stamp-hash.ts';
import { isLight } from '../segment/talk-file.ts';
import type { World } from '../world.ts';
import { applySegments } from './apply-segments.ts';
import { type Fetched, fetchSegments } from './fetch-segments.ts';
import { type AuthorOf, authorsOf } from './remote-authors.ts';

export type FetchedOriginal = { sessionId: string; remote: string; bytes: number };

/** Brings the original of a session that is here as talk alone, from the first remote that has it. */
export async function fetchSession(
  world: World,
  { session, project }: { session: string; project?: string },
): Promise<FetchedOriginal> {
  return (await remotesOf(world)).exclusive(async () => {
    const { sessionId, projectId, row } = await findSession(world, session, project);
    if (!isLight(row))
      throw new Fault('conflict', `The original of ${sessionId} is already on this machine.`, {
        hint: `\`keepsake show ${sessionId.slice(0, 8)}\` shows it.`,
      });
    const { key } = await repositoryOf(world, projectId);
    for (const record of await listRemotes(world)) {
      const remote = await openRemote(world, record);
      const repo = repoTag(remote.keys, key);
      const state = await loadRepoState(remote, repo);
      const listed = (await listedSegments(remote, `r/${repo}/`)).get(repo) ?? [];
      const bytes = await fetchOriginal(remote, { repo, state, listed }, { session: sessionId });
      await saveRepoState(remote, repo, state);
      // What could not be fetched may come back under the same names.
      await remote.remotes.files.remove(quietFile(record));
      const now = (await findSession(world, sessionId, projectId)).row;
      if (!isLight(now)) return { sessionId, remote: record.name, bytes };
    }
    throw new Fault('not-found', `No remote has the original of ${sessionId}.`, {
      hint: 'The machine where the session ran may share only its messages. Run `keepsake remote share --level all` there.',
    });
  });
}

type Repo = { repo: string; state: RepoState; listed: readonly SegmentName[] };

/** The bytes that came; `from` is the device whose original is wanted. */
export async function fetchOriginal(
  remote: OpenRemote,
  { repo, state, listed }: Repo,
  { session: held, from }: { session: string; from?: string },
): Promise<number> {
  const session = streamBase(held);
  const authorOf = await authorsOf(remote, repo, state);
  const isWanted = (device: string) =>
    from === undefined ? held === session || device.startsWith(held.slice(-8)) : device === from;
  let bytes = 0;
  for (const { device, seqs } of await storedAt(remote, repo, session)) {
    if (!isWanted(device)) continue;
    const theirs = listed.filter((name) => name.device === device && name.lane === 'bytes');
    const named = theirs.filter(({ seq }) => seqs.has(seq));
    // Sealed again since: then it is somewhere else in the same lane.
    for (const names of [named, theirs]) {
      const fetched = await fetchSegments(remote, { repo, state, listed: names, session });
      bytes += fetched.bytes;
      await applySegments(remote, { repo, state, authorOf, isSessions: true });
      if (fetched.count > 0) break;
    }
  }
  return bytes;
}

/** Which machines said something in a session, and where their originals are. */
async function storedAt(
  remote: OpenRemote,
  repo: string,
  session: string,
): Promise<{ device: string; seqs: Set<number> }[]> {
  return [...(await storedParts(remote, repo))].flatMap(([device, sessions]) => {
    const seqs = sessions.get(session);
    return seqs ? [{ device, seqs }] : [];
  });
}

/** Where originals are, by device and session: the numbers of their segments, as far as the talk says so. */
async function storedParts(remote: OpenRemote, repo: string): Promise<Map<string, Map<string, Set<number>>>> {
  const found = new Map<string, Map<string, Set<number>>>();
  for (const name of await localSegments(remote, repo, 'replica')) {
    if (name.lane !== 'talk') continue;
    const sessions = found.get(name.device) ?? new Map<string, Set<number>>();
    found.set(name.device, sessions);
    for (const line of (await readLocal(remote, replicaFile(remote, name), name)) ?? []) {
      if (line.t !== 'piece' && line.t !== 'stored') continue;
      const seqs = sessions.get(line.session) ?? new Set();
      sessions.set(line.session, seqs);
      if (line.t === 'stored') for (const seq of line.seqs) seqs.add(seq);
    }
  }
  return found;
}

type Abandoned = Repo & {
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
  const projects = await openProjects(remote.world);
  // Of a private session, too, nothing may stay.
  const secret = [...(await readPrivate(remote.world))].map((id) => ({
    kind: 'session' as const,
    id,
    at: '',
  }));
  const stones = [
    ...projects.flatMap(({ tombstones }) => tombstones),
    ...lines.flatMap((line) => (line.t === 'tombstone' ? [line.tombstone] : [])),
    ...secret,
  ];
  if (stones.length === 0) return undefined;
  // A later version may read more.
  const look = stampHash([`${SEGMENT_FORMAT}`, ...new Set(stones.map(stoneId).sort())]);
  const purged = reachOf(stones, projects);
  const ofSessions = Map.groupBy(
    stones.filter(({ kind, id }) => kind === 'session' && !purged.here.has(streamBase(id))),
    ({ id }) => id,
  );
  const gone = [...ofSessions].map(([session, its]) => ({ session, theirs: session, stones: its }));
  const there = new Set(listed.map(({ id }) => id));
  for (const id of state.searched.keys()) if (!there.has(id)) state.searched.delete(id);
  const isStale = await isPartial(remote, { repo, state, listed });
  for (const key of isStale ? [] : state.parts.keys()) {
    const [device = ''] = key.split('/');
    if (isAbandoned(remote, state, device) && !byDevice.has(device)) state.parts.delete(key);
  }
  const wanted: SegmentName[] = [];
  const notes: string[] = [];
  const parts = await storedParts(remote, repo);
  for (const [device, names] of byDevice) {
    const stored = parts.get(device) ?? new Map<string, Set<number>>();
    for (const [key, seqs] of state.parts) {
      const [whose, session = ''] = key.split('/');
      if (whose === device) stored.set(session, new Set([...(stored.get(session) ?? []), ...seqs]));
    }
    const sentBack = async (read: readonly SegmentLine[][]) =>
      (await comeBack(remote, { repo, state, device }, gone, read)).back;
    const found = await searchPurged(remote, names, purged, {
      marks: state.searched,
      look,
      stored,
      isStale,
      sentBack,
    });
    notes.push(...notesOf(found, state.devices.get(device)?.name ?? device.slice(0, 8)));
    // What is damaged for good is taken down when it is fetched.
    wanted.push(...found.damaged, ...found.needed);
    for (const name of found.gone) {
      state.dropped.add(name.id);
      await remote.remotes.files.remove(replicaFile(remote, name));
    }
  }
  const fetched = await fetchSegments(remote, { repo, state, listed: wanted });
  return { ...fetched, notes: [...notes, ...fetched.notes] };
}

/** Whether a store does not list what it had: it is stale or was rolled back, and what else is missing need not be lost. */
async function isPartial(remote: OpenRemote, { repo, state, listed }: Repo): Promise<boolean> {
  const places = new Set(listed.map(segmentPlace));
  const own = await localSegments(remote, repo, 'own');
  // Where others can't be put again, such a list would stay as it is.
  const replicas = remote.store.isOwnOnly ? [] : await localSegments(remote, repo, 'replica');
  return [...own, ...replicas].some((name) => !state.dropped.has(name.id) && !places.has(segmentPlace(name)));
}

/** A sync that reported something is followed by another one. */
function notesOf({ newer, waiting }: FoundPurged, machine: string): string[] {
  const notes: string[] = [];
  if (newer.length > 0)
    notes.push(
      `${newer.length} segments of the revoked machine ${machine} have a newer format, so Keepsake could not search them for purged text. Update Keepsake on this machine, then sync again.`,
    );
  if (waiting.length > 0)
    notes.push(
      `${waiting.length} segments of the revoked machine ${machine} contain purged text, but parts of those sessions are missing on the remote. The next sync looks again, then deletes them.`,
    );
  return notes;
}
