import type { BundleLine } from '../../core/bundle/bundle-line.ts';
import { isSessionId, type ProjectId, type SessionId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { Scratch } from '../../ports/bundles.ts';
import { isSameStart } from '../bundle/import-sessions.ts';
import { bundlesOf } from '../bundle/reader.ts';
import { targetOf } from '../bundle/target.ts';
import { originalName } from '../find/session-ref.ts';
import { projectsOf } from '../repository/repositories.ts';
import type { AssembledProject, AssembledSession } from '../segment/assemble.ts';
import type { OpenRemote } from '../segment/remote-record.ts';
import { type RepoState, streamKey } from '../segment/repo-state.ts';
import { sessionFile } from '../segment/session-file.ts';
import { TALK } from '../segment/session-pieces.ts';
import { isLight, isOwnTalk } from '../segment/talk-file.ts';

/** Where segments come from, and what is known of their repository. */
export type SentBy = { repo: string; device: string; state: RepoState };

/** A session as it comes in: what it is called here, and its files. */
export type Stream = {
  /** The folder's project that it goes to. */
  project: ProjectId;
  session: SessionId;
  of: AssembledSession;
  files: { file: Extract<BundleLine, { t: 'file' }>['file']; scratch: Scratch }[];
  received: { key: string; bytes: number }[];
  /** Only its talk was here before: its original comes now. */
  light?: { project: ProjectId; session: SessionId };
};

type Collecting = { scratches: Scratch[]; incomplete: Set<string>; behind: SessionId[] };

/** The sessions of a folder that are whole, each with its files put together. */
export async function streamsOf(
  remote: OpenRemote,
  by: SentBy,
  { project, sessions }: AssembledProject,
  collecting: Collecting,
): Promise<Map<SessionId, Stream>> {
  const folders = await foldersFor(remote, project);
  const manifests = new Map<ProjectId, Manifest | undefined>();
  for (const folder of folders) manifests.set(folder, (await remote.world.archive.open(folder))?.manifest);
  const streams = new Map<SessionId, Stream>();
  for (const [session, of] of sessions) {
    const isWhole = of.line !== undefined || [...of.files.keys()].some((name) => name !== TALK);
    const target = await folderWith(remote, folders, { session, device: by.device });
    const arriving: Arriving = { by, target, manifest: manifests.get(target), session, of };
    const stream = isWhole
      ? await wholeStream(remote, arriving, collecting)
      : await talkStream(remote, arriving, collecting);
    if (stream) streams.set(session, stream);
  }
  return streams;
}

/** Folders that a session sent for this one can be in: the one it goes to, then the others of its repository. */
type Folders = readonly [ProjectId, ...ProjectId[]];

export async function foldersFor({ world }: OpenRemote, line: AssembledProject['project']): Promise<Folders> {
  const { project } = await targetOf(world, line);
  return [project, ...(await projectsOf(world, project)).filter((it) => it !== project)];
}

/** The folder that has the session; one that none has goes to the folder that it was sent for. */
export async function folderWith(
  { world }: OpenRemote,
  folders: Folders,
  { session, device }: { session: SessionId; device: string },
): Promise<ProjectId> {
  const names = [session, secondStream(session, device)].map(originalName);
  for (const folder of folders)
    for (const name of names)
      if ((await world.archive.originals.size(folder, name)) !== undefined) return folder;
  return folders[0];
}

type Arriving = {
  by: SentBy;
  target: ProjectId;
  manifest: Manifest | undefined;
  session: SessionId;
  of: AssembledSession;
};

async function wholeStream(
  remote: OpenRemote,
  { by: { repo, device }, target, manifest, session, of }: Arriving,
  { scratches, incomplete }: Collecting,
): Promise<Stream | undefined> {
  const { world } = remote;
  const stream: Stream = { project: target, session, of, files: [], received: [] };
  const here = await heldAs(remote, target, session, device);
  const known = manifest?.sessions[here];
  const wasLight = known !== undefined && isLight(known);
  let isWhole = of.line !== undefined;
  for (const [name, { file, stretches }] of of.files) {
    if (name === TALK) continue;
    const held = wasLight ? undefined : { project: target, session: here };
    const scratch = await sessionFile(remote, { repo, device, session, name }, stretches, held);
    if (!scratch) {
      isWhole = false;
      continue;
    }
    scratches.push(scratch);
    stream.files.push({ file, scratch });
    if (file.kind !== 'original') continue;
    stream.session = wasLight ? here : await nameHere(remote, target, { session, device }, scratch.path);
    if (wasLight) stream.light = { project: target, session: here };
  }
  const exists = (await world.archive.originals.size(target, originalName(stream.session))) !== undefined;
  if (!isWhole || (stream.files.length === 0 && (!exists || wasLight))) {
    for (const { stretches } of of.files.values())
      for (const { segment } of stretches) incomplete.add(segment.id);
    return undefined;
  }
  for (const { file, scratch } of stream.files) {
    const bytes = (await bundlesOf(world).size(scratch.path)) ?? 0;
    const name = file.kind === 'beside' ? file.path.join('/') : 'original';
    stream.received.push({ key: streamKey(stream.session, name), bytes });
  }
  return stream;
}

/** What was said in a session, where its original did not come. */
async function talkStream(
  remote: OpenRemote,
  { by: { repo, device, state }, target, manifest, session, of }: Arriving,
  { scratches, incomplete, behind }: Collecting,
): Promise<Stream | undefined> {
  const [talk, line] = [of.files.get(TALK), of.talkLine];
  if (!talk || !line) return undefined;
  const here = await heldAs(remote, target, session, device);
  const known = manifest?.sessions[here];
  const isWhole = known !== undefined && !isLight(known);
  if (isWhole && state.received.has(streamKey(here, 'original'))) {
    behind.push(here);
    return undefined;
  }
  const place = isWhole ? undefined : { project: target, session: here };
  const scratch = await sessionFile(remote, { repo, device, session, name: TALK }, talk.stretches, place);
  if (!scratch) {
    for (const { segment } of talk.stretches) incomplete.add(segment.id);
    return undefined;
  }
  scratches.push(scratch);
  if (isWhole && (await isOwnTalk(remote.world, manifest!, known, scratch.path))) return undefined;
  const name = isWhole
    ? secondStream(session, device)
    : await nameHere(remote, target, { session, device }, scratch.path);
  const bytes = (await bundlesOf(remote.world).size(scratch.path)) ?? 0;
  const received = [{ key: streamKey(name, TALK), bytes }];
  return { project: target, session: name, of, files: [{ file: talk.file, scratch }], received };
}

/** What a second stream of one session is called: it went on elsewhere in another way. */
function secondStream(session: SessionId, device: string): SessionId {
  const name = `${session.slice(0, 100)}@${device.slice(0, 8)}`;
  return isSessionId(name) ? name : session;
}

/** Under which name this device's stream is here, if it is. */
export async function heldAs(
  { world }: OpenRemote,
  project: ProjectId,
  session: SessionId,
  device: string,
): Promise<SessionId> {
  const second = secondStream(session, device);
  const isApart = (await world.archive.originals.size(project, originalName(second))) !== undefined;
  return isApart ? second : session;
}

async function nameHere(
  remote: OpenRemote,
  project: ProjectId,
  { session, device }: { session: SessionId; device: string },
  path: string,
): Promise<SessionId> {
  const held = await heldAs(remote, project, session, device);
  if (held !== session) return held;
  const { originals } = remote.world.archive;
  if ((await originals.size(project, originalName(session))) === undefined) return session;
  const isSame = await isSameStart(remote.world, project, originalName(session), path);
  return isSame ? session : secondStream(session, device);
}
