import { createHash } from 'node:crypto';
import { BUNDLE_FORMAT, type BundleHeader, type BundleLine } from '../../core/bundle/bundle-line.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import type { SegmentName } from '../../core/remote/segment-name.ts';
import type { Scratch } from '../../ports/bundles.ts';
import { fileLines } from '../bundle/export-files.ts';
import { importBundle } from '../bundle/import.ts';
import { bundlesOf } from '../bundle/reader.ts';
import { targetOf } from '../bundle/target.ts';
import { type AssembledProject, Assembly } from '../segment/assemble.ts';
import type { OpenRemote } from '../segment/remote-record.ts';
import {
  localSegments,
  noteKeys,
  type RepoState,
  readLocal,
  replicaFile,
  streamKey,
} from '../segment/repo-state.ts';
import type { SegmentLine } from '../segment/segment-lines.ts';
import { TALK } from '../segment/session-pieces.ts';
import { dropSession } from './drop-session.ts';
import { foldersFor, folderWith, heldAs, type SentBy, type Stream, streamsOf } from './stream-files.ts';

export type Applied = {
  segments: number;
  sessions: number;
  records: number;
  notes: string[];
  lines: SegmentLine[];
  /** Sessions whose original was fetched and is behind what was said by now. */
  behind: SessionId[];
};

/** Takes in what lies here of other devices and is not in the archive yet: the user's own words, said elsewhere. */
export async function applySegments(remote: OpenRemote, repo: string, state: RepoState): Promise<Applied> {
  const applied: Applied = { segments: 0, sessions: 0, records: 0, notes: [], lines: [], behind: [] };
  const waiting = (await localSegments(remote, repo, 'replica')).filter(
    ({ id }) => !state.applied.has(id) && !state.dropped.has(id),
  );
  for (const [device, names] of Map.groupBy(waiting, (name) => name.device))
    await applyDevice(remote, { repo, device, state }, names, applied);
  return applied;
}

async function applyDevice(
  remote: OpenRemote,
  of: SentBy,
  names: SegmentName[],
  applied: Applied,
): Promise<void> {
  const { state } = of;
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
    assembly.add(name, lines);
    noteKeys(state, lines);
    noted.push(...lines.filter(({ t }) => t !== 'data'));
  }
  const scratches: Scratch[] = [];
  const incomplete = new Set<string>();
  try {
    const ready: (() => AsyncGenerator<BundleLine>)[] = [];
    /** Sessions that another folder of their repository has: a bundle each, since a bundle has a folder once. */
    const apart: (() => AsyncGenerator<BundleLine>)[] = [];
    for (const project of assembly.projects.values()) {
      const streams = await streamsOf(remote, of, project, { scratches, incomplete, behind: applied.behind });
      // What was known only as talk makes room for its original.
      for (const { light } of streams.values())
        if (light) await dropSession(remote.world, light.project, light.session);
      const main = (await targetOf(remote.world, project.project)).project;
      const byFolder = Map.groupBy(streams.values(), (stream) => stream.project);
      ready.push(() => projectBundle(remote, project, byFolder.get(main) ?? []));
      for (const [folder, others] of byFolder)
        if (folder !== main) apart.push(() => folderBundle(remote, { project, folder }, others));
      applied.sessions += streams.size;
      applied.records += project.records.length;
      for (const stream of streams.values())
        for (const { key, bytes } of stream.received) state.received.set(key, bytes);
    }
    if (ready.length > 0) await importLines(remote, ready, applied);
    for (const folder of apart) await importLines(remote, [folder], applied);
  } finally {
    for (const scratch of scratches) await scratch.remove();
  }
  await dropWithdrawn(remote, of, assembly, noted);
  for (const name of taken) if (!incomplete.has(name.id)) state.applied.add(name.id);
  applied.segments += taken.length;
  applied.lines.push(...noted);
}

/** A session that is private where it came from goes here, too; one that was held here as well stays. */
async function dropWithdrawn(
  remote: OpenRemote,
  { device, state }: SentBy,
  assembly: Assembly,
  lines: readonly SegmentLine[],
): Promise<void> {
  const withdrawn = lines.flatMap((line) => (line.t === 'withdraw' ? [line.session] : []));
  for (const session of withdrawn) {
    for (const { project } of assembly.projects.values()) {
      const folders = await foldersFor(remote, project);
      const target = await folderWith(remote, folders, { session, device });
      const here = await heldAs(remote, target, session, device);
      const isReceived = ['original', TALK].some((name) => state.received.has(streamKey(here, name)));
      if (isReceived) await dropSession(remote.world, target, here);
      for (const key of state.received.keys()) if (key.startsWith(`${here}/`)) state.received.delete(key);
    }
  }
}

async function* projectBundle(
  remote: OpenRemote,
  { project, records, texts }: AssembledProject,
  streams: readonly Stream[],
): AsyncGenerator<BundleLine> {
  yield project;
  yield* sessionLines(remote, streams);
  yield* records;
  for (const { file, lines } of texts.values()) if (file.kind !== 'journal') yield* lines;
}

/** The same sessions for a folder of this machine. */
async function* folderBundle(
  remote: OpenRemote,
  { project: { project }, folder }: { project: AssembledProject; folder: ProjectId },
  streams: readonly Stream[],
): AsyncGenerator<BundleLine> {
  const head = await remote.world.archive.head(folder);
  if (!head) return;
  const { notes: _, blocks: __, ...line } = project;
  yield { ...line, id: folder, path: head.originalPath, name: head.displayName, settings: {}, fields: [] };
  yield* sessionLines(remote, streams);
}

async function* sessionLines({ world }: OpenRemote, streams: readonly Stream[]): AsyncGenerator<BundleLine> {
  for (const { session, of, files } of streams) {
    for (const { file, scratch } of files)
      yield* fileLines(renamed(file, session), world.sessionFiles.read(scratch.path));
    for (const { lines } of of.versions.values())
      for (const line of lines)
        yield line.t === 'file' ? { ...line, file: renamed(line.file, session) } : line;
    const line = of.line ?? of.talkLine;
    if (line) yield { ...line, record: { ...line.record, sessionId: session } };
  }
}

function renamed<F extends Extract<BundleLine, { t: 'file' }>['file']>(file: F, session: SessionId): F {
  return 'session' in file ? { ...file, session } : file;
}

/** By the way of every import: read to its end first, merged by ids, finished by the next start if it is cut off. */
async function importLines(
  { world, record }: OpenRemote,
  projects: (() => AsyncGenerator<BundleLine>)[],
  applied: Applied,
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
    const { notes } = await importBundle(world, scratch.path, { mine: true });
    applied.notes.push(...notes.map((note) => `${record.name}: ${note}`));
  } finally {
    await scratch.remove();
  }
}
