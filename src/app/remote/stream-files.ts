import type { BundleLine } from '../../core/bundle/bundle-line.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import type { Scratch } from '../../ports/bundles.ts';
import { bundlesOf } from '../bundle/reader.ts';
import { openProjects } from '../find/projects.ts';
import { textsOf } from '../find/purged-marks.ts';
import type { AssembledProject, AssembledSession } from '../segment/assemble.ts';
import type { OpenRemote } from '../segment/remote-record.ts';
import { type RepoState, streamKey } from '../segment/repo-state.ts';
import { sessionFile } from '../segment/session-file.ts';
import { TALK } from '../segment/session-pieces.ts';
import { isOwnTalk, startsWithTalk } from '../segment/talk-file.ts';
import type { HeldStream, HeldStreams } from './held-streams.ts';

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
  light?: HeldStream;
};

type Collecting = { scratches: Scratch[]; incomplete: Set<string>; behind: SessionId[] };

/** `main`: where a session goes that is new here. */
type ArrivingProject = AssembledProject & { held: HeldStreams; main: ProjectId };

/** The sessions of a folder that are whole, each with its files put together. */
export async function streamsOf(
  remote: OpenRemote,
  by: SentBy,
  { project, sessions, held, main }: ArrivingProject,
  collecting: Collecting,
): Promise<Stream[]> {
  const streams: Stream[] = [];
  for (const [session, of] of sessions) {
    const isWhole = of.line !== undefined || [...of.files.keys()].some((name) => name !== TALK);
    const arriving: Arriving = { by, folder: project.id, held, main, session, of };
    const stream = isWhole
      ? await wholeStream(remote, arriving, collecting)
      : await talkStream(remote, arriving, collecting);
    if (!stream) continue;
    streams.push(stream);
    const [coming] = stream.files.flatMap(({ file, scratch }) =>
      file.kind === 'original' ? scratch.path : [],
    );
    if (coming !== undefined)
      await held.expect({ project: stream.project, session: stream.session, isLight: !isWhole, coming });
  }
  return streams;
}

type Arriving = {
  by: SentBy;
  /** What the folder is called where it comes from. */
  folder: ProjectId;
  held: HeldStreams;
  main: ProjectId;
  session: SessionId;
  of: AssembledSession;
};

async function wholeStream(
  remote: OpenRemote,
  { by: { repo, device, state }, folder, held, main, session, of }: Arriving,
  { scratches, incomplete }: Collecting,
): Promise<Stream | undefined> {
  const here = held.streams(session).filter((it) => !it.isLight);
  const stream: Stream = { project: main, session, of, files: [], received: [] };
  const original = of.files.get('original');
  let isWhole = of.line !== undefined;
  if (original) {
    const wanted = { repo, device, folder, session, name: 'original' };
    const scratch = await sessionFile(remote, wanted, original.stretches, here);
    if (scratch) {
      scratches.push(scratch);
      await cover(remote, scratch);
      const match = await held.matching(here, scratch.path);
      const light = match ? undefined : held.lightOf(session, device);
      const place = match ?? light ?? { project: main, session: held.freeId(session, device) };
      [stream.project, stream.session] = [place.project, place.session];
      if (light) stream.light = light;
      stream.files.push({ file: original.file, scratch });
    } else isWhole = false;
  } else {
    // Nothing of its original is new: it is the stream that this device's bytes went to.
    const known = state.streams.get(streamSource(device, folder, session));
    const match = here.find((it) => streamKey(it, '') === known);
    if (match) [stream.project, stream.session] = [match.project, match.session];
    else isWhole = false;
  }
  for (const [name, { file, stretches }] of of.files) {
    if (name === TALK || name === 'original' || !isWhole) continue;
    const scratch = await sessionFile(remote, { repo, device, folder, session, name }, stretches, [stream]);
    if (scratch) {
      scratches.push(scratch);
      stream.files.push({ file, scratch });
    } else isWhole = false;
  }
  if (!isWhole) {
    for (const { stretches } of of.files.values())
      for (const { segment } of stretches) incomplete.add(segment.id);
    return undefined;
  }
  state.streams.set(streamSource(device, folder, session), streamKey(stream, ''));
  for (const { file, scratch } of stream.files) {
    const bytes = (await bundlesOf(remote.world).size(scratch.path)) ?? 0;
    const name = file.kind === 'beside' ? file.path.join('/') : 'original';
    stream.received.push({ key: streamKey(stream, name), bytes });
  }
  return stream;
}

/** How a device's stream is called where it comes from. */
export function streamSource(device: string, folder: string, session: string): string {
  return `${device}/${folder}/${session}`;
}

/** What was purged here is not in what is here: only without it can both be compared. */
async function cover({ world }: OpenRemote, { path }: Scratch): Promise<void> {
  const texts = textsOf((await openProjects(world)).flatMap(({ tombstones }) => tombstones));
  if (texts.length > 0) await world.archive.wipe(texts, { overwrite: true, only: [path] });
}

/** What was said in a session, where its original did not come. */
async function talkStream(
  remote: OpenRemote,
  { by: { repo, device, state }, folder, held, main, session, of }: Arriving,
  { scratches, incomplete, behind }: Collecting,
): Promise<Stream | undefined> {
  const [talk, line] = [of.files.get(TALK), of.talkLine];
  if (!talk || !line) return undefined;
  const [light, whole] = [true, false].map((isLight) =>
    held.streams(session).filter((it) => it.isLight === isLight),
  ) as [HeldStream[], HeldStream[]];
  const scratch = await sessionFile(
    remote,
    { repo, device, folder, session, name: TALK },
    talk.stretches,
    light,
  );
  if (!scratch) {
    for (const { segment } of talk.stretches) incomplete.add(segment.id);
    return undefined;
  }
  scratches.push(scratch);
  await cover(remote, scratch);
  for (const it of whole) {
    const [manifest, record] = [held.manifests.get(it.project), held.record(it)];
    if (!manifest || !record) continue;
    if (await isOwnTalk(remote.world, manifest, record, scratch.path)) return undefined;
    // It was fetched, and there is more of it now.
    const isFetched = remote.record.light && state.received.has(streamKey(it, 'original'));
    if (!isFetched || !(await startsWithTalk(remote.world, manifest, record, scratch.path))) continue;
    behind.push(it.session);
    return undefined;
  }
  const match = await held.matching(light, scratch.path);
  const place = match ?? { project: main, session: held.freeId(session, device) };
  state.streams.set(streamSource(device, folder, session), streamKey(place, ''));
  const bytes = (await bundlesOf(remote.world).size(scratch.path)) ?? 0;
  return {
    project: place.project,
    session: place.session,
    of,
    files: [{ file: talk.file, scratch }],
    received: [{ key: streamKey(place, TALK), bytes }],
  };
}
