import { PurgeMask } from '../../core/model/purge-mask.ts';
import { sessionOfEdit } from '../../core/model/session-of-edit.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import type { Lane } from '../../core/remote/segment-name.ts';
import { openProjects } from '../find/projects.ts';
import { findSession } from '../find/session.ts';
import { allRepositories } from '../repository/repositories.ts';
import { anyProject } from '../segment/any-project.ts';
import { append } from '../segment/append-segment.ts';
import { heardKey, markKey } from '../segment/line-keys.ts';
import { sharedByTag } from '../segment/list-store.ts';
import { leftFrom, markHere, noteSent, privateAmong, readPrivacy } from '../segment/private-sessions.ts';
import {
  abandonedDevices,
  isAbandoned,
  listRemotes,
  type OpenRemote,
  openRemote,
  remotesOf,
} from '../segment/remote-record.ts';
import {
  loadRepoState,
  localSegments,
  type RepoState,
  readLocal,
  replicaFile,
  saveRepoState,
  streamOfKey,
} from '../segment/repo-state.ts';
import type { SegmentLine } from '../segment/segment-lines.ts';
import { type Cleaned, sessionsNamedIn, withoutPurged } from '../segment/without-purged.ts';
import type { World } from '../world.ts';
import { cleanOwn, dropReplica } from './carry-out.ts';

export type MadePrivate = {
  sessionId: string;
  isPrivate: boolean;
  /** Remotes that have it: the next syncs take it down there, and on machines that only received it. */
  sentTo: string[];
  /** Remotes that have it, of a project that this machine doesn't share: nothing of this is said there. */
  notShared: string[];
};

/** Keeps a session, with all of its streams, on this user's machines for good; with `undo` it may leave again. */
export async function setPrivate(
  world: World,
  { session, project, undo = false }: { session: string; project?: string; undo?: boolean },
): Promise<MadePrivate> {
  const { sessionId } = await findSession(world, session, project);
  return (await remotesOf(world)).exclusive(async () => {
    await markHere(world, sessionId, !undo);
    const sentTo: string[] = [];
    const notShared: string[] = [];
    const all = await allRepositories(world);
    for (const record of await listRemotes(world)) {
      const remote = await openRemote(world, record);
      const names = await remote.remotes.files.list(`${record.name}/repos`);
      const isSent = async (repo: string) =>
        isThere(await loadRepoState(remote, repo), streamBase(sessionId));
      const shared = sharedByTag(remote, all);
      const found = new Set<boolean>();
      for (const repo of new Set(names.map((name) => name.split('/')[0]!)))
        if (await isSent(repo)) found.add(shared.has(repo));
      if (found.has(true)) sentTo.push(record.name);
      if (found.has(false)) notShared.push(record.name);
    }
    return { sessionId, isPrivate: !undo, sentTo, notShared };
  });
}

/** Whether this machine sent one of its streams, or brought one. */
function isThere(state: RepoState, session: string): boolean {
  const brought = [...state.streams.values()].map((stream) => streamOfKey(stream).session);
  return [...leftFrom(state), ...brought].some((id) => streamBase(id) === session);
}

/**
 * Private sessions that left before: out of the own segments, also where these only quote them, and said so to the other devices. Those
 * of this user do the same.
 */
export async function withdrawPrivate(remote: OpenRemote, repo: string, state: RepoState): Promise<number> {
  const { sessions: secret, marks } = await readPrivacy(remote.world);
  if ((await dropAbandoned(remote, { repo, state, lanes: lanesToLookAt(remote, state) }, secret)) > 0)
    await saveRepoState(remote, repo, state);
  const saysOf = (session: string, at: string) => {
    const own = markKey(session, at);
    return { isSaid: state.keys.has(own), isHeard: state.keys.has(heardKey(own)) };
  };
  const left = privateAmong(secret, leftFrom(state));
  const fresh = [...marks.values()].filter(({ session, at }) => !saysOf(session, at).isSaid);
  const unsaid = fresh.filter(
    ({ session, at, isPrivate }) => isPrivate && (saysOf(session, at).isHeard || isThere(state, session)),
  );
  const released = fresh.filter(({ session, isPrivate }) => {
    const own = markKey(session, '');
    return !isPrivate && [...state.keys].some((key) => key.startsWith(own) || key.startsWith(heardKey(own)));
  });
  if (left.length + unsaid.length + released.length === 0) return 0;
  const withdrawn = new Set([...left, ...unsaid.map(({ session }) => session)]);
  if (left.length > 0) await noteSent(remote.world, left);
  if (withdrawn.size > 0) await takeOut(remote, { repo, state }, withdrawn);
  const at = remote.world.clock.now();
  const markOf = (session: string) => marks.get(streamBase(session))?.at;
  const said = [
    ...[...withdrawn].map((session) => ({ t: 'withdraw', session, at, mark: markOf(session) })),
    ...released.map(({ session, at: mark }) => ({ t: 'release', session, mark })),
  ].map((line) => JSON.stringify(line));
  const project = await anyProject(remote, repo);
  if (project !== undefined) await append(remote, { repo, lane: 'log', state }, [project, ...said]);
  await saveRepoState(remote, repo, state);
  return new Set(left.map(streamBase)).size;
}

async function takeOut(
  remote: OpenRemote,
  { repo, state }: { repo: string; state: RepoState },
  sessions: ReadonlySet<string>,
): Promise<void> {
  const bases = new Set([...sessions].map(streamBase));
  const here = (await openProjects(remote.world)).flatMap((manifest) => Object.keys(manifest.sessions));
  const gone = new Set([...sessions, ...privateAmong(bases, here)]);
  const clean = (lines: readonly SegmentLine[]) => withoutPrivate(lines, gone);
  await cleanOwn(remote, { repo, state, gone }, clean);
  await dropAbandoned(remote, { repo, state, lanes: ALL_LANES }, gone);
  await expectQuotes(remote.world, state, gone);
}

/** A stream that came from elsewhere is called otherwise, and may be gone here by now. */
export function withoutPrivate(lines: readonly SegmentLine[], gone: ReadonlySet<string>): Cleaned {
  const bases = new Set([...gone].map(streamBase));
  const named = privateAmong(bases, sessionsNamedIn(lines));
  return withoutPurged(lines, new Set([...gone, ...named]), new PurgeMask([]));
}

const ALL_LANES: readonly Lane[] = ['log', 'talk', 'bytes'];

/** Where a machine is not coming back since the last sync, all that it sent. A light machine fetches originals to take them down. */
function lanesToLookAt(remote: OpenRemote, state: RepoState): readonly Lane[] {
  if (abandonedDevices(remote, state).some((id) => !state.taken.has(id))) return ALL_LANES;
  return remote.record.light ? ['bytes'] : [];
}

/** Of a machine that never comes back it is for this one to do. */
async function dropAbandoned(
  remote: OpenRemote,
  { repo, state, lanes }: { repo: string; state: RepoState; lanes: readonly Lane[] },
  gone: ReadonlySet<string>,
): Promise<number> {
  let dropped = 0;
  for (const name of gone.size === 0 || lanes.length === 0
    ? []
    : await localSegments(remote, repo, 'replica')) {
    if (!lanes.includes(name.lane) || !isAbandoned(remote, state, name.device)) continue;
    const lines = await readLocal(remote, replicaFile(remote, name), name);
    if (!lines || !withoutPrivate(lines, gone).isChanged) continue;
    await dropReplica(remote, state, name, lines);
    dropped++;
  }
  return dropped;
}

/** What is said of them goes everywhere with them: where they may leave again, it is sent again, whoever sent it before. */
async function expectQuotes(world: World, { keys }: RepoState, sessions: ReadonlySet<string>): Promise<void> {
  for (const { overlays, factEdits = [] } of await openProjects(world)) {
    for (const { sessionId, overlayId } of overlays)
      if (sessions.has(sessionId)) keys.delete(`o:${overlayId}`);
    for (const edit of factEdits) if (sessions.has(sessionOfEdit(edit))) keys.delete(`f:${edit.editId}`);
  }
}
