import type { Scratch } from '../../ports/bundles.ts';
import { bundlesOf } from '../bundle/reader.ts';
import { originalName } from '../find/session-ref.ts';
import type { OpenRemote } from '../segment/remote-record.ts';
import { type RepoState, streamKey } from '../segment/repo-state.ts';
import { sessionFile } from '../segment/session-file.ts';
import { TALK } from '../segment/session-pieces.ts';
import { ownMessages, talkMessages } from '../segment/talk-file.ts';
import type { World } from '../world.ts';
import type { HeldStream, HeldStreams } from './held-streams.ts';
import {
  type Arriving,
  type ArrivingProject,
  type Collecting,
  cover,
  type SentBy,
  type Stream,
  streamSource,
  wholeStream,
} from './whole-stream.ts';

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
    // The talk may say more than the original that came along: on a light machine, or where the end of that is lost.
    const bytesIn = (line: typeof of.line) => line?.record.originalBytes ?? 0;
    const isAhead = remote.record.light || bytesIn(of.talkLine) > bytesIn(of.line);
    const talk = isWhole && isAhead ? of.files.get(TALK) : undefined;
    for (const { segment } of talk?.stretches ?? []) collecting.later.add(segment.id);
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

/** What was said in a session, where its original did not come. */
async function talkStream(
  remote: OpenRemote,
  { by: { repo, device, state, author: from }, folder, held, main, session, of }: Arriving,
  { scratches, incomplete, behind, isLast }: Collecting,
): Promise<Stream | undefined> {
  const [talk, line] = [of.files.get(TALK), of.talkLine];
  if (!talk || !line) return undefined;
  const author = from?.name;
  const light = held.streams(session).filter((it) => it.isLight);
  const wanted = { repo, device, folder, session, name: TALK };
  const scratch = await sessionFile(remote, wanted, talk.stretches, light);
  const again = () => {
    for (const { segment } of talk.stretches) incomplete.add(segment.id);
  };
  if (!scratch) {
    again();
    return undefined;
  }
  scratches.push(scratch);
  await cover(remote, scratch);
  const theirs = await talkMessages(remote.world, scratch.path);
  const whole = await wholeMessages(remote.world, held, session);
  const covers = (stream: HeldStream, messages: Messages) =>
    isWithin(theirs, messages) && held.coversAll(stream, author, theirs.size === messages.size);
  if (whole.some(({ stream, messages }) => covers(stream, messages))) return undefined;
  const grown = whole.find(
    ({ stream, messages }) => held.isFor(stream, author) && isWithin(messages, theirs),
  );
  if (grown && remote.record.light && of.isStored) {
    // Its original is worked with here: it is fetched as far as it goes now, and asked for again until it came.
    behind.push({ session: grown.stream.session, device });
    again();
    if (!isLast) return undefined;
  }
  const source = streamSource(device, folder, session);
  const known = await lightMatch(remote.world, { held, light, state, source, author }, { scratch, theirs });
  if (known === 'held') return undefined;
  const place = known?.stream ?? { project: main, session: held.freeId(session, device) };
  state.streams.set(source, streamKey(place, ''));
  const bytes = (await bundlesOf(remote.world).size(scratch.path)) ?? 0;
  return {
    project: place.project,
    session: place.session,
    of,
    files: [{ file: talk.file, scratch }],
    received: [{ key: streamKey(place, TALK), bytes }],
    ...(known?.isNewer ? { newer: known.stream } : {}),
  };
}

type Messages = ReadonlySet<string>;

/** What is said in the streams of a session whose originals are here. */
async function wholeMessages(
  world: World,
  held: HeldStreams,
  session: string,
): Promise<{ stream: HeldStream; messages: Messages }[]> {
  const found: { stream: HeldStream; messages: Messages }[] = [];
  for (const stream of held.streams(session)) {
    const [manifest, record] = [held.manifests.get(stream.project), held.record(stream)];
    if (!stream.isLight && manifest && record)
      found.push({ stream, messages: await ownMessages(world, manifest, record) });
  }
  return found;
}

type HeldTalk = {
  held: HeldStreams;
  light: readonly HeldStream[];
  state: RepoState;
  source: string;
  author: string | undefined;
};

/**
 * The talk here that continues this one, or that this one is a newer form of: it got a title, a text was purged, or it was
 * refined by other rules. `held`: all of it is here.
 */
async function lightMatch(
  world: World,
  { held, light, state, source, author }: HeldTalk,
  { scratch, theirs }: { scratch: Scratch; theirs: Messages },
): Promise<{ stream: HeldStream; isNewer: boolean } | 'held' | undefined> {
  const same = await held.matching(light, scratch.path, author);
  if (same) return { stream: same, isNewer: false };
  let isHeld = false;
  for (const stream of light) {
    const { project, session, coming } = stream;
    const mine = await talkMessages(
      world,
      coming ?? world.archive.originals.path(project, originalName(session)),
    );
    const sources = [...state.streams].filter(([, to]) => to === streamKey(stream, ''));
    const isAuthors = held.isFor(stream, author);
    const isFrom = isAuthors && sources.some(([from]) => from === source);
    const isMore = isAuthors && isWithin(mine, theirs) && (isFrom || mine.size < theirs.size);
    // Of a single device its last word counts, also where that is shorter.
    if (isMore || (isFrom && sources.length === 1)) return { stream, isNewer: true };
    isHeld ||= isWithin(theirs, mine) && held.coversAll(stream, author, theirs.size === mine.size);
  }
  return isHeld ? 'held' : undefined;
}

function isWithin(some: Messages, all: Messages): boolean {
  return [...some].every((it) => all.has(it));
}
