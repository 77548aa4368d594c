import { createHash } from 'node:crypto';
import { BUNDLE_FORMAT, type BundleHeader, type BundleLine } from '../../core/bundle/bundle-line.ts';
import type { FieldEdit } from '../../core/model/field-edit.ts';
import { fieldKey, fieldState } from '../../core/model/field-state.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import type { SegmentName } from '../../core/remote/segment-name.ts';
import type { Scratch } from '../../ports/bundles.ts';
import { fileLines } from '../bundle/export-files.ts';
import { finishImport, importBundle } from '../bundle/import.ts';
import { bundlesOf } from '../bundle/reader.ts';
import { targetOf } from '../bundle/target.ts';
import { type AssembledProject, type AssembledSession, Assembly } from '../segment/assemble.ts';
import { noteMarks } from '../segment/private-sessions.ts';
import type { OpenRemote } from '../segment/remote-record.ts';
import {
  localSegments,
  noteKeys,
  noteReceived,
  type RepoState,
  readLocal,
  replicaFile,
} from '../segment/repo-state.ts';
import type { SegmentLine } from '../segment/segment-lines.ts';
import { comeBack, type PurgedBefore, reopenRecords } from '../segment/sent-again.ts';
import { dropWithdrawn, makeRoom } from './drop-session.ts';
import { HeldStreams } from './held-streams.ts';
import { clearTalk, dropCovered } from './light-streams.ts';
import { type AuthorOf, ownWordsOf, type RemoteAuthor } from './remote-authors.ts';
import { streamsOf } from './streams-of.ts';
import { type BehindSession, forgetRefused, type SentBy, type Stream } from './whole-stream.ts';

export type Applied = {
  segments: number;
  sessions: number;
  records: number;
  notes: string[];
  lines: SegmentLine[];
  behind: BehindSession[];
};

type Applying = {
  repo: string;
  state: RepoState;
  authorOf: AuthorOf;
  /** Nothing more is fetched after this: what is behind is shown as talk. */
  isLast?: boolean;
  /** Sessions alone: who asks carries no purge out. */
  isSessions?: boolean;
};

/** Adds segments of other devices that are not in the archive yet: this user's words, or those of others under their name. */
export async function applySegments(
  remote: OpenRemote,
  { repo, state, authorOf, isLast = false, isSessions = false }: Applying,
): Promise<Applied> {
  const applied: Applied = { segments: 0, sessions: 0, records: 0, notes: [], lines: [], behind: [] };
  let isLater = true;
  for (let round = 0; isLater && round < 2; round++) {
    isLater = false;
    const waiting = (await waitingSegments(remote, repo, state)).filter(
      ({ lane }) => lane !== 'log' || !isSessions,
    );
    // What comes in is compared with what is here: first all of that has to be.
    if (waiting.length > 0) await finishImport(remote.world);
    for (const [device, names] of Map.groupBy(waiting, (name) => name.device)) {
      const by = { repo, device, state, author: authorOf(device), isLast };
      isLater = (await applyDevice(remote, by, names, applied)) || isLater;
    }
  }
  return applied;
}

async function waitingSegments(remote: OpenRemote, repo: string, state: RepoState): Promise<SegmentName[]> {
  const all = await localSegments(remote, repo, 'replica');
  return all.filter(({ id }) => !state.applied.has(id) && !state.dropped.has(id));
}

/** Records of other devices that are not in the archive yet. */
export async function waitingLog(
  remote: OpenRemote,
  repo: string,
  state: RepoState,
): Promise<{ device: string; lines: SegmentLine[] }[]> {
  const found: { device: string; lines: SegmentLine[] }[] = [];
  for (const name of await waitingSegments(remote, repo, state)) {
    const lines = name.lane === 'log' ? await readLocal(remote, replicaFile(remote, name), name) : undefined;
    if (lines) found.push({ device: name.device, lines });
  }
  return found;
}

/** True where some of it is to be looked at again after this. */
async function applyDevice(
  remote: OpenRemote,
  of: SentBy & { author: RemoteAuthor | undefined; isLast: boolean },
  names: SegmentName[],
  applied: Applied,
): Promise<boolean> {
  const { state, author, isLast } = of;
  const assembly = new Assembly();
  const noted: SegmentLine[] = [];
  const taken: SegmentName[] = [];
  for (const name of names) {
    const lines = await readLocal(remote, replicaFile(remote, name), name);
    if (!lines) {
      // Damaged here: it comes again.
      await remote.remotes.files.remove(replicaFile(remote, name));
      continue;
    }
    taken.push(name);
    assembly.add(name, author === undefined ? lines : ownWordsOf(lines, author));
    noteKeys(state, lines, author === undefined);
    noted.push(...lines.filter(({ t }) => t !== 'data'));
  }
  const scratches: Scratch[] = [];
  const incomplete = new Set<string>();
  const later = new Set<string>();
  let isAgain = false;
  try {
    const ready: (() => AsyncGenerator<BundleLine>)[] = [];
    /** Sessions that another folder of their repository has: a bundle each, since a bundle has a folder once. */
    const apart: (() => AsyncGenerator<BundleLine>)[] = [];
    const mains = new Map<AssembledProject, ProjectId>();
    const comingBack = new Set<string>();
    for (const project of assembly.projects.values())
      mains.set(project, (await targetOf(remote.world, project.project)).project);
    const held = await HeldStreams.of(remote.world, [...mains.values()]);
    for (const [project, main] of mains) {
      const collecting = { scratches, incomplete, behind: applied.behind, later, isLast };
      const before = new Map(state.streams);
      const all = await streamsOf(remote, of, { ...project, held, main }, collecting);
      const purged = author ? [] : purgedBefore(all, held);
      const { back, unsure } = await comeBack(remote, of, purged);
      const isBack = ({ session }: PurgedBefore) => back.has(session);
      const refused = new Set(purged.flatMap(({ session }) => (back.has(session) ? [] : [session])));
      const streams = all.filter(({ session }) => !refused.has(session));
      forgetRefused(
        state,
        before,
        all.filter(({ session }) => refused.has(session)),
      );
      for (const { session, of: its } of all) if (unsure.has(session)) noteIncomplete(its, incomplete);
      for (const session of back) comingBack.add(session);
      isAgain = (await reopenRecords(remote, of, purged.filter(isBack))) || isAgain;
      // What was known only as talk makes room for its original.
      for (const { light, newer } of streams) {
        // Its talk is here: where it was purged before, it came back already.
        if (light) comingBack.add(light.session);
        if (light) await makeRoom(remote, of, light);
        if (newer) await clearTalk(remote.world, newer);
      }
      const byFolder = Map.groupBy(streams, (stream) => stream.project);
      const names = (folder: ProjectId) => held.manifests.get(folder)?.fieldEdits ?? [];
      ready.push(() => projectBundle(remote, project, byFolder.get(main) ?? [], names(main)));
      for (const [folder, others] of byFolder)
        if (folder !== main)
          apart.push(() => folderBundle(remote, { project, folder }, others, names(folder)));
      applied.sessions += streams.length;
      applied.records += project.records.length + project.texts.size;
      for (const { key, bytes } of streams.flatMap(({ received }) => received))
        noteReceived(state, key, bytes);
    }
    const importing = { applied, author, back: [...comingBack] };
    if (ready.length > 0) await importLines(remote, ready, importing);
    for (const folder of apart) await importLines(remote, [folder], importing);
    if (ready.length > 0) await dropCovered(remote.world, [...mains.values()], assembly);
  } finally {
    for (const scratch of scratches) await scratch.remove();
  }
  if (author === undefined) await noteMarks(remote.world, noted);
  await dropWithdrawn(remote, of, noted);
  for (const name of taken) if (!incomplete.has(name.id) && !later.has(name.id)) state.applied.add(name.id);
  applied.segments += taken.length;
  // A colleague's purges and machines are for their own archive; see forgetOthers.
  if (author === undefined) applied.lines.push(...noted);
  return isAgain || later.size > 0;
}

/** Of streams whose sessions were purged here, by which purges. */
function purgedBefore(streams: readonly Stream[], held: HeldStreams): PurgedBefore[] {
  return streams.flatMap(({ session, of }) => {
    const theirs = (of.line ?? of.talkLine)?.record.sessionId ?? session;
    const stones = held.purges(session);
    return stones.length > 0 ? [{ session, theirs, stones }] : [];
  });
}

/** They are looked at again. */
function noteIncomplete({ files }: AssembledSession, incomplete: Set<string>): void {
  for (const { stretches } of files.values()) for (const { segment } of stretches) incomplete.add(segment.id);
}

async function* projectBundle(
  remote: OpenRemote,
  { project, records, texts }: AssembledProject,
  streams: readonly Stream[],
  known: readonly FieldEdit[],
): AsyncGenerator<BundleLine> {
  const fields = [...(project.fields ?? []), ...namesOf(streams, known)];
  yield { ...project, fields };
  yield* sessionLines(remote, streams, fields);
  // A purge of a session is noted once it is carried out.
  for (const line of records) if (line.t !== 'tombstone' || line.tombstone.kind !== 'session') yield line;
  for (const { file, lines } of texts.values()) if (file.kind !== 'journal') yield* lines;
}

/** The same sessions for a folder of this machine. */
async function* folderBundle(
  remote: OpenRemote,
  { project: { project }, folder }: { project: AssembledProject; folder: ProjectId },
  streams: readonly Stream[],
  known: readonly FieldEdit[],
): AsyncGenerator<BundleLine> {
  const head = await remote.world.archive.head(folder);
  if (!head) return;
  const { notes: _, blocks: __, ...line } = project;
  const fields = namesOf(streams, known);
  yield { ...line, id: folder, path: head.originalPath, name: head.displayName, settings: {}, fields };
  yield* sessionLines(remote, streams, fields);
}

/** What is known here of the names of these sessions: a name that comes with a session is explained by it. */
function namesOf(streams: readonly Stream[], known: readonly FieldEdit[]): FieldEdit[] {
  const bases = new Set(streams.map(({ session }) => streamBase(session)));
  return known.filter(({ field, key }) => field === 'session' && bases.has(key));
}

async function* sessionLines(
  { world }: OpenRemote,
  streams: readonly Stream[],
  fields: readonly FieldEdit[],
): AsyncGenerator<BundleLine> {
  const names = fieldState(fields);
  for (const { session, of, files } of streams) {
    for (const { file, scratch } of files)
      yield* fileLines(renamed(file, session), world.sessionFiles.read(scratch.path));
    for (const { lines } of of.versions.values())
      for (const line of lines)
        yield line.t === 'file' ? { ...line, file: renamed(line.file, session) } : line;
    const line = of.line ?? of.talkLine;
    if (!line) continue;
    const edit = names.get(fieldKey({ field: 'session', key: streamBase(session) }));
    const { name, ...record } = line.record;
    const called = edit ? edit.value : name;
    yield {
      ...line,
      record: { ...record, sessionId: session, ...(typeof called === 'string' ? { name: called } : {}) },
    };
  }
}

function renamed<F extends Extract<BundleLine, { t: 'file' }>['file']>(file: F, session: SessionId): F {
  return 'session' in file ? { ...file, session } : file;
}

/** By the way of every import: read to its end first, merged by ids, finished by the next start if it is cut off. */
async function importLines(
  { world, record }: OpenRemote,
  projects: (() => AsyncGenerator<BundleLine>)[],
  { applied, author, back }: { applied: Applied; author: RemoteAuthor | undefined; back: string[] },
): Promise<void> {
  const { keepsake: version } = await world.machine.versions();
  const madeAt = world.clock.now();
  async function* lines(): AsyncGenerator<string> {
    const hash = createHash('sha256');
    let count = 0;
    const put = (line: BundleLine | BundleHeader) => {
      const text = JSON.stringify(line);
      hash.update(text).update('\n');
      count++;
      return text;
    };
    yield put({ keepsake: 'bundle', format: BUNDLE_FORMAT, version, madeAt, masked: true, template: false });
    for (const project of projects) for await (const line of project()) yield put(line);
    yield JSON.stringify({ t: 'end', lines: count, sha256: hash.digest('hex') } satisfies BundleLine);
  }
  const scratch = await bundlesOf(world).scratch();
  scratch.close();
  try {
    await bundlesOf(world).write(scratch.path, lines(), { force: true });
    const { notes } = await importBundle(world, scratch.path, {
      ...(author === undefined ? { mine: true } : { by: author.name }),
      fromRemote: true,
      ...(back.length > 0 ? { back } : {}),
    });
    applied.notes.push(...notes.map((note) => `${record.name}: ${note}`));
  } finally {
    await scratch.remove();
  }
}
