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
import type { HeldStream, HeldStreams } from './held-streams.ts';
import type { RemoteAuthor } from './remote-authors.ts';

/** Where segments come from, and what is known about their repository. */
export type SentBy = { repo: string; device: string; state: RepoState; author?: RemoteAuthor | undefined };

/** An incoming session: its id here, and its files. */
export type Stream = {
  /** The folder's project that it goes to. */
  project: ProjectId;
  session: SessionId;
  of: AssembledSession;
  files: { file: Extract<BundleLine, { t: 'file' }>['file']; scratch: Scratch }[];
  received: { key: string; bytes: number }[];
  /** Only its talk was here before: its original comes now. */
  light?: HeldStream;
  /** Talk that was here before, and that this is a newer form of. */
  newer?: HeldStream;
};

/** A session whose original is here, and of which another device's original contains more. */
export type BehindSession = { session: SessionId; device: string };

export type Collecting = {
  scratches: Scratch[];
  incomplete: Set<string>;
  behind: BehindSession[];
  /** Segments with talk that is compared with its original once that is here. */
  later: Set<string>;
  /** Nothing more is fetched: talk stays talk. */
  isLast: boolean;
};

/** `main`: where a session goes that is new here. */
export type ArrivingProject = AssembledProject & { held: HeldStreams; main: ProjectId };

export type Arriving = {
  by: SentBy;
  /** What the folder is called where it comes from. */
  folder: ProjectId;
  held: HeldStreams;
  main: ProjectId;
  session: SessionId;
  of: AssembledSession;
};

/** A session with its original. */
export async function wholeStream(
  remote: OpenRemote,
  { by: { repo, device, state, author: from }, folder, held, main, session, of }: Arriving,
  { scratches, incomplete }: Collecting,
): Promise<Stream | undefined> {
  const author = from?.name;
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
      const match = await held.matching(here, scratch.path, author);
      if (!match && (await held.isCopy(here, scratch.path, author))) return undefined;
      const light = match ? undefined : held.lightOf(session, device, author);
      const place = match ?? light ?? { project: main, session: held.freeId(session, device) };
      [stream.project, stream.session] = [place.project, place.session];
      if (light) stream.light = light;
      stream.files.push({ file: original.file, scratch });
    } else isWhole = false;
  } else {
    // Nothing of its original is new: it is the stream that this device's bytes went to.
    const known = state.streams.get(streamSource(device, folder, session));
    const match = here.find((it) => streamKey(it, '') === known && held.isFor(it, author));
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

/** Nothing of these comes in, so what was known of where their devices' bytes went stays as it was. */
export function forgetRefused(
  { streams }: RepoState,
  before: RepoState['streams'],
  refused: readonly Stream[],
): void {
  const places = new Set(refused.map((stream) => streamKey(stream, '')));
  for (const [source, stream] of streams) {
    const known = before.get(source);
    if (!places.has(stream) || known === stream) continue;
    if (known === undefined) streams.delete(source);
    else streams.set(source, known);
  }
}

/** What was purged here is not in what is here: only without it can both be compared. */
export async function cover({ world }: OpenRemote, { path }: Scratch): Promise<void> {
  const texts = textsOf((await openProjects(world)).flatMap(({ tombstones }) => tombstones));
  if (texts.length > 0) await world.archive.wipe(texts, { overwrite: true, only: [path] });
}
