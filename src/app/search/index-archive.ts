import { isProjectId, type ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { DOCUMENTS_MARK, type SourceUpdate } from '../../core/model/search.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import { sessionIndexLines } from '../../core/search/documents/session.ts';
import type { IndexCursor, SearchIndex } from '../../ports/search-index.ts';
import { damagedL1 } from '../find/read-l1.ts';
import { ifReadable } from '../if-readable.ts';
import { unlessFault } from '../or-fault.ts';
import type { World } from '../world.ts';
import { removeMissing } from './remove-missing.ts';

/** Refined bytes in one transaction. */
const BATCH = 1024 * 1024;

/** The mark of a project that is no longer there. */
const GONE = '';

/** How many of the projects that changed are done. */
export type OnIndexed = (done: number, total: number, current?: ProjectId) => void;

/** Brings an index up to date with the files. Only projects that changed since are looked at. Gives what it read. */
export async function indexArchive(
  world: World,
  index: SearchIndex,
  onProject?: OnIndexed,
): Promise<{ sources: number; bytes: number }> {
  const marks = await index.marks();
  const stamps = await world.archive.stamps();
  const total = { sources: 0, bytes: 0 };
  const isBehind = ([project, stamp]: [ProjectId, string]) =>
    stamp === '' || markOf(marks, project).stamp !== stamp;
  const moved = [...stamps].filter(isBehind).map(([project]) => project);
  if ([...stamps.values()].includes('')) await leaveOutStrays(world, stamps);
  const gone = [...marks]
    .filter(([key, mark]) => mark !== GONE && !key.startsWith(DOCUMENTS_MARK))
    .map(([project]) => project)
    .filter((project) => !(isProjectId(project) && stamps.has(project)));
  const changed: ProjectId[] = [];
  for (const project of moved) {
    const head = stamps.has(project) ? await ifReadable(world.archive.head(project)) : undefined;
    if (head && markOf(marks, project).gen !== String(head.gen)) changed.push(project);
    else if (head && stamps.get(project) !== '')
      await touch(index, { [project]: `${head.gen} ${stamps.get(project)}` });
  }
  if (changed.length === 0 && gone.length === 0) return total;
  const cursors = await index.cursors();
  for (const project of gone) {
    await removeMissing(index, { project, kinds: ['session'] }, cursors);
    await index.update([], { [project]: GONE });
  }
  for (const [done, project] of changed.entries()) {
    onProject?.(done, changed.length, project);
    const opened = await ifReadable(world.archive.open(project));
    if (!opened) continue;
    const mark = `${opened.manifest.gen} ${stamps.get(project)}`;
    await indexProject(world, index, { manifest: opened.manifest, mark, cursors }, total);
  }
  await index.tidy();
  return total;
}

/** A project's generation and stamp when the index last took it in. The stamp may be older than the generation, never newer. */
function markOf(marks: Map<string, string>, project: string): { gen: string; stamp: string | undefined } {
  const [gen = '', stamp] = (marks.get(project) ?? '').split(' ');
  return { gen, stamp };
}

/** Folders that hold no project. */
async function leaveOutStrays(world: World, stamps: Map<ProjectId, string>): Promise<void> {
  const projects = new Set(await world.archive.projects());
  for (const [project, stamp] of stamps) if (stamp === '' && !projects.has(project)) stamps.delete(project);
}

/** Saves the next process a check; another writer may hold the lock. */
async function touch(index: SearchIndex, marks: Record<string, string>): Promise<void> {
  await unlessFault(index.update([], marks), ['busy', 'read-only']);
}

async function indexProject(
  world: World,
  index: SearchIndex,
  { manifest, mark, cursors }: { manifest: Manifest; mark: string; cursors: Map<string, IndexCursor> },
  total: { sources: number; bytes: number },
): Promise<void> {
  const project = manifest.projectId;
  let batch: SourceUpdate[] = [];
  let bytes = 0;
  const known = new Set<string>();
  const take = async (record: SessionRecord, key: string) => {
    for await (const update of sessionUpdates(world, project, record, cursors.get(key))) {
      batch.push(update);
      bytes += update.to - update.from;
      total.bytes += update.to - update.from;
      if (bytes < BATCH) continue;
      await index.update(batch);
      batch = [];
      bytes = 0;
    }
    total.sources++;
    return true;
  };
  let isWhole = true;
  for (const record of Object.values(manifest.sessions)) {
    if (!record.registered) continue;
    const key = `${project}/session/${record.sessionId}`;
    known.add(key);
    if (!(await ifReadable(take(record, key), world.report))) isWhole = false;
  }
  // A damaged session is tried again each time, for nothing else would show that it was repaired.
  await index.update(batch, isWhole ? { [project]: mark } : {});
  await removeMissing(index, { project, kinds: ['session'] }, cursors, known);
}

/** What the index wants to know of a session's record. */
export type Indexed = Pick<
  SessionRecord,
  'sessionId' | 'name' | 'by' | 'metadata' | 'l1' | 'engine' | 'firstTimestamp' | 'lastTimestamp'
>;

/**
 * What the index lacks of a session, piece by piece: a file of any size is read in bounded memory. Fault `corrupt` at a
 * damaged line, after everything before it was returned.
 */
export async function* sessionUpdates(
  world: World,
  project: ProjectId,
  record: Indexed,
  cursor: IndexCursor | undefined,
): AsyncGenerator<SourceUpdate> {
  const { file } = record.l1;
  const known = cursor?.engine === record.engine && cursor.file === file ? cursor.to : 0;
  // Hooks refine and index a running session before its record knows: index and file may be ahead of that.
  const size = known === record.l1.bytes || file === '' ? 0 : await world.archive.files.size(project, file);
  if (known > record.l1.bytes && known <= size) return;
  const bytes = Math.max(record.l1.bytes, size);
  let from = known <= bytes ? known : 0;
  const about = describeSource(project, record);
  if (cursor && from === bytes && from > 0 && !isCurrent(cursor, about))
    yield { ...about, from, to: from, lines: [] };
  for (let size = BATCH; file !== '' && from < bytes; ) {
    const window = await world.archive.files.readAt(project, file, from, Math.min(size, bytes - from));
    const { lines, to, damaged } = sessionIndexLines(window, from);
    if (damaged) {
      if (lines.length > 0) yield { ...about, from, to, lines };
      throw damagedL1(file, `at byte ${to}`);
    }
    // A line longer than the window, or a file that ends too early.
    if (to === from) {
      if (window.length < Math.min(size, bytes - from) || size >= bytes - from) return;
      size *= 2;
      continue;
    }
    yield { ...about, from, to, lines };
    from = to;
  }
}

/** A cursor that does not know says nothing else. */
function isCurrent(
  { title, branch, by }: IndexCursor,
  about: Pick<SourceUpdate, 'title' | 'branch' | 'by'>,
): boolean {
  return (
    (title ?? about.title) === about.title &&
    (branch ?? about.branch) === about.branch &&
    (by ?? '') === (about.by ?? '')
  );
}

function describeSource(project: ProjectId, record: Indexed): Omit<SourceUpdate, 'from' | 'to' | 'lines'> {
  const { metadata } = record;
  return {
    project,
    kind: 'session',
    name: record.sessionId,
    agent: metadata.agent,
    file: record.l1.file,
    engine: record.engine,
    branch: metadata.gitBranches.join(' '),
    ...(record.by === undefined ? {} : { by: record.by }),
    title: sessionTitle(record) ?? '',
    first: record.firstTimestamp,
    last: record.lastTimestamp,
    files: metadata.filesTouched.map((path) => [path, 1]),
  };
}
