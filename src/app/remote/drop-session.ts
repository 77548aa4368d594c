import type { Change } from '../../core/model/change.ts';
import { isProjectId, isSessionId, type ProjectId, type SessionId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { sessionOfEdit } from '../../core/model/session-of-edit.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import type { SegmentName } from '../../core/remote/segment-name.ts';
import { bundlesOf } from '../bundle/reader.ts';
import { openProjects } from '../find/projects.ts';
import { originalName } from '../find/session-ref.ts';
import { dropLayers, updateLayers } from '../layers/update.ts';
import { removeSessionFiles } from '../purge/sweep.ts';
import { forgetInMemory } from '../rolling/forget.ts';
import { leftFrom, readPrivacy } from '../segment/private-sessions.ts';
import type { OpenRemote } from '../segment/remote-record.ts';
import {
  forgetReceived,
  localSegments,
  type RepoState,
  readLocal,
  replicaFile,
  streamKey,
  streamOfKey,
} from '../segment/repo-state.ts';
import type { SegmentLine } from '../segment/segment-lines.ts';
import { piecesIn } from '../segment/segment-lines.ts';
import { sealedAt } from '../segment/sent-again.ts';
import { TALK } from '../segment/session-pieces.ts';
import { isLight } from '../segment/talk-file.ts';
import type { World } from '../world.ts';
import { type HeldStream, HeldStreams, isSameStream } from './held-streams.ts';
import type { RemoteAuthor } from './remote-authors.ts';
import type { SentBy } from './whole-stream.ts';

/** Why a session is removed, for the history. */
const WHY = {
  withdrawn: 'Marked private on the machine it came from.',
  purged: 'Purged by the person it came from.',
  room: 'Only its messages were here; its original replaces them.',
  twice: 'Another copy of this session contains all of it.',
};

/** Later than any time: clocks of two machines are not compared. */
const EVER = '\uffff';

/** Takes a session out without a tombstone: where it came from it is still, and it may come again. */
export async function dropSession(
  world: World,
  { project, session }: Pick<HeldStream, 'project' | 'session'>,
  why: keyof typeof WHY,
): Promise<void> {
  const record = (await world.archive.open(project))?.manifest.sessions[session];
  if (!record) return;
  await removeSessionFiles(world, project, session, record.l1.file === '' ? [] : [record.l1.file]);
  await forgetInMemory(world, project, session);
  await world.archive.change(
    project,
    [
      { at: ['sessions', session], drop: true },
      { at: ['parts', session], drop: true },
    ],
    [{ at: world.clock.now(), action: 'unregister', sessionId: session, note: WHY[why] }],
  );
  await forgetOlder(world, project);
}

/** Its words are in older copies of the record, and in what was made from it. */
async function forgetOlder(world: World, project: ProjectId): Promise<void> {
  await world.archive.fold(project, { forget: true });
  await dropLayers(world, project);
  await updateLayers(world, project);
  await world.index.destroy();
}

/**
 * What someone said of sessions that go, up to when: keepits and facts quote them, also where the sessions never came. `author`:
 * undefined for this user.
 */
export async function dropQuotes(
  world: World,
  author: string | undefined,
  sessions: ReadonlyMap<string, string>,
): Promise<void> {
  const isGone = (session: string, by: string | undefined, at: string) =>
    by === author && at <= (sessions.get(session) ?? sessions.get(streamBase(session)) ?? '');
  const changes = ({ overlays, factEdits = [] }: Manifest): Change[] => [
    ...overlays
      .filter((it) => isGone(it.sessionId, it.author, it.at))
      .map(({ overlayId }) => ({ at: ['overlays'], without: { overlayId } })),
    ...factEdits
      .filter((it) => isGone(sessionOfEdit(it), it.author, it.at))
      .map(({ editId }) => ({ at: ['factEdits'], without: { editId } })),
  ];
  for (const manifest of await openProjects(world)) {
    if (changes(manifest).length === 0) continue;
    const project = manifest.projectId;
    await world.archive.changeFrom(project, changes);
    await forgetOlder(world, project);
  }
}

/** A session that is private where it came from goes here, too; one that was held here as well stays. */
export async function dropWithdrawn(
  remote: OpenRemote,
  { repo, device, state, author }: SentBy & { author: RemoteAuthor | undefined },
  lines: readonly SegmentLine[],
): Promise<void> {
  const withdrawn = new Map<string, string>();
  for (const line of lines)
    if (line.t === 'withdraw' && line.at > (withdrawn.get(line.session) ?? ''))
      withdrawn.set(line.session, line.at);
  if (withdrawn.size === 0) return;
  const again = await sentSince(remote, { repo, device, state }, withdrawn);
  const { marks } = await readPrivacy(remote.world);
  const markOf = (session: string) => (author === undefined ? marks.get(streamBase(session)) : undefined);
  const left = leftFrom(state);
  for (const session of withdrawn.keys()) if (markOf(session)?.isPrivate === false) again.add(session);
  for (const [source, stream] of state.streams) {
    const [from, , session = ''] = source.split('/');
    if (from !== device || !isSessionId(session) || !withdrawn.has(session) || again.has(session)) continue;
    // It is private since its user said so here: this copy stays.
    if (markOf(session)?.isHere) continue;
    const { project, session: here } = streamOfKey(stream);
    const isSent = left.has(here) || markOf(session)?.isSent === true;
    const isReceived = [...state.received.keys()].some((key) => key.startsWith(stream));
    if (
      isReceived &&
      isProjectId(project) &&
      isSessionId(here) &&
      !isSent &&
      !(await goesOn(remote, state, stream))
    )
      await dropSession(remote.world, { project, session: here }, 'withdrawn');
    forgetReceived(state, stream);
    state.streams.delete(source);
  }
  const manifests = await openProjects(remote.world);
  const here = new Set(manifests.flatMap(({ sessions }) => Object.keys(sessions).map(streamBase)));
  const isKept = (session: string) => author === undefined && here.has(streamBase(session));
  const gone = [...withdrawn.keys()].filter((session) => !again.has(session) && !isKept(session));
  await dropQuotes(remote.world, author?.name, new Map(gone.map((session) => [session, EVER])));
}

/** Whether more was said in it on this machine than came: then it is this machine's, too. */
async function goesOn({ world }: OpenRemote, { received }: RepoState, stream: string): Promise<boolean> {
  const { project, session } = streamOfKey(stream);
  if (!isProjectId(project) || !isSessionId(session)) return false;
  const record = (await world.archive.open(project))?.manifest.sessions[session];
  if (!record || isLight(record)) return false;
  const size = (await world.archive.originals.size(project, originalName(session))) ?? 0;
  return size > (received.get(streamKey({ project, session }, 'original')) ?? 0);
}

/** Sessions that their user let leave again. */
async function sentSince(
  remote: OpenRemote,
  { repo, device, state }: SentBy,
  withdrawn: ReadonlyMap<string, string>,
): Promise<Set<string>> {
  const again = new Set<string>();
  for (const name of await localSegments(remote, repo, 'replica')) {
    if (name.device !== device || name.lane === 'log' || state.dropped.has(name.id)) continue;
    const lines = (await readLocal(remote, replicaFile(remote, name), name)) ?? [];
    for (const line of lines)
      if (line.t === 'session' && sealedAt(lines) > (withdrawn.get(line.record.sessionId) ?? EVER))
        again.add(line.record.sessionId);
  }
  return again;
}

/**
 * For an original whose talk is here. What was said in the session is looked at again: the original need not hold what others said,
 * and on a light machine not even all of its own, where a part of it could not be fetched.
 */
export async function makeRoom(
  remote: OpenRemote,
  { repo, device, state }: { repo: string; device?: string; state: RepoState },
  light: Pick<HeldStream, 'project' | 'session'>,
): Promise<void> {
  await dropSession(remote.world, light, 'room');
  forgetReceived(state, streamKey(light, ''));
  for (const name of await talkSegments(remote, repo, light.session))
    if (name.device !== device || remote.record.light) state.applied.delete(name.id);
}

/** Segments of others that are here, with something that was said in a session. */
async function talkSegments(remote: OpenRemote, repo: string, session: SessionId): Promise<SegmentName[]> {
  const found: SegmentName[] = [];
  for (const name of await localSegments(remote, repo, 'replica')) {
    if (name.lane !== 'talk') continue;
    const lines = (await readLocal(remote, replicaFile(remote, name), name)) ?? [];
    if (piecesIn(lines).some((piece) => streamBase(piece.session) === streamBase(session))) found.push(name);
  }
  return found;
}

/**
 * A stream that came from elsewhere and that another one here begins with: the session was resumed on this machine, in
 * another folder. Nobody else has it twice.
 */
export async function dropPrefixes(
  remote: OpenRemote,
  { repo, state }: { repo: string; state: RepoState },
  folders: readonly ProjectId[],
): Promise<void> {
  const { world } = remote;
  const held = await HeldStreams.of(world, folders);
  await dropRecords(remote, { repo, state }, held);
  const sizeOf = async ({ project, session }: HeldStream) =>
    (await world.archive.originals.size(project, originalName(session))) ?? 0;
  for (const streams of held.several()) {
    let left = streams;
    for (const stream of streams) {
      const size = await sizeOf(stream);
      const received = state.received.get(streamKey(stream, stream.isLight ? TALK : 'original')) ?? 0;
      if ((held.record(stream)?.compressions.length ?? 0) > 0) continue;
      // What is known of received bytes may be lost with a kill, or with the machine's id.
      const isOwn = size > received;
      if (isOwn && (await hasSource(world, held.record(stream)?.originalFile))) continue;
      // The other stream holds its words, not the files of its subagents.
      if (isOwn && (await hasBeside(world, stream))) continue;
      const path = world.archive.originals.path(stream.project, originalName(stream.session));
      for (const other of left) {
        if (isSameStream(other, stream) || other.isLight !== stream.isLight) continue;
        // Someone else's session may begin with it, and go on as its author never did.
        if (!held.isFor(stream, held.record(other)?.by)) continue;
        if ((await sizeOf(other)) < size || !(await held.matching([other], path))) continue;
        await dropSession(world, stream, 'twice');
        left = left.filter((it) => !isSameStream(it, stream));
        break;
      }
    }
  }
}

/** Whether the agent's own file is here, which would bring the session again. */
async function hasSource(world: World, file: string | undefined): Promise<boolean> {
  if (file === undefined) return true;
  const { claudeProjects, agents } = world.places;
  const roots = [...claudeProjects, ...Object.values(agents ?? {}).flat()];
  return roots.some((root) => file.startsWith(root)) && (await bundlesOf(world).size(file)) !== undefined;
}

async function hasBeside(world: World, { project, session }: Pick<HeldStream, 'project' | 'session'>) {
  const names = await world.archive.originals.list(project, session);
  return names.some((name) => name !== originalName(session));
}

/** A kill came after the copy was removed: where another stream of the session holds all of it, the record is all that is left. */
async function dropRecords(
  remote: OpenRemote,
  of: { repo: string; state: RepoState },
  held: HeldStreams,
): Promise<void> {
  const { world } = remote;
  for (const [project, manifest] of held.manifests)
    for (const record of Object.values(manifest?.sessions ?? {})) {
      const { sessionId: session, compressions } = record;
      const streams = held.streams(session);
      if (streams.length === 0 || streams.some((stream) => isSameStream(stream, { project, session })))
        continue;
      if (compressions.length > 0 || (await hasBeside(world, { project, session }))) continue;
      // Talk that made room for what is here now: all talk of the session is looked at again, where there is any.
      if (isLight(record)) {
        const isComing = (await talkSegments(remote, of.repo, session)).length > 0;
        if (isComing) await makeRoom(remote, of, { project, session });
      } else if (await holdsAll(world, streams, record))
        await dropSession(world, { project, session }, 'twice');
    }
}

/** By length and hash; what can't be proven is left to `verify`. */
async function holdsAll(
  world: World,
  streams: readonly HeldStream[],
  { originalBytes, originalHash }: SessionRecord,
): Promise<boolean> {
  const { originals } = world.archive;
  for (const { project, session } of streams) {
    const name = originalName(session);
    if (((await originals.size(project, name)) ?? 0) < originalBytes) continue;
    if ((await originals.hash(project, name, [], originalBytes)).hash === originalHash) return true;
  }
  return false;
}
