import type { ProjectId } from '../core/model/ids.ts';
import type { Manifest } from '../core/model/manifest.ts';
import type { SourceUpdate } from '../core/model/search.ts';
import type { SessionRecord } from '../core/model/session.ts';
import { sessionLines } from '../core/search/documents/session.ts';
import type { IndexCursor, SearchIndex } from '../ports/search-index.ts';
import type { World } from './world.ts';

/** Refined bytes that one transaction takes in. */
const BATCH = 16 * 1024 * 1024;

/** Brings an index up to date with the files. Only projects that changed since are looked at. Gives what it read. */
export async function indexArchive(
  world: World,
  index: SearchIndex,
): Promise<{ sources: number; bytes: number }> {
  const marks = await index.marks();
  const heads = await Promise.all(
    (await world.archive.projects()).map((project) => world.archive.head(project)),
  );
  const changed = heads.filter(
    (head) => head !== undefined && marks.get(head.projectId) !== String(head.gen),
  );
  const total = { sources: 0, bytes: 0 };
  const standing = new Set(heads.map((head) => head?.projectId as string));
  const gone = [...marks.keys()].filter((project) => !standing.has(project));
  if (changed.length === 0 && gone.length === 0) return total;
  const cursors = await index.cursors();
  for (const project of gone) await removeOthers(index, project, cursors, new Set());
  for (const head of changed) {
    const opened = await world.archive.open(head!.projectId);
    if (opened) await indexProject(world, index, opened.manifest, cursors, total);
  }
  await index.tidy();
  return total;
}

async function indexProject(
  world: World,
  index: SearchIndex,
  manifest: Manifest,
  cursors: Map<string, IndexCursor>,
  total: { sources: number; bytes: number },
): Promise<void> {
  const project = manifest.projectId as ProjectId;
  let batch: SourceUpdate[] = [];
  let bytes = 0;
  const known = new Set<string>();
  for (const record of Object.values(manifest.sessions)) {
    if (!record.registered) continue;
    known.add(`${project}/session/${record.sessionId}`);
    const cursor = cursors.get(`${project}/session/${record.sessionId}`);
    const update = await sessionUpdate(world, project, record, cursor);
    if (!update) continue;
    batch.push(update);
    bytes += update.to - update.from;
    total.sources++;
    total.bytes += update.to - update.from;
    if (bytes < BATCH) continue;
    await index.update(batch);
    batch = [];
    bytes = 0;
  }
  await index.update(batch, { [project]: String(manifest.gen) });
  await removeOthers(index, project, cursors, known);
}

async function removeOthers(
  index: SearchIndex,
  project: string,
  cursors: Map<string, IndexCursor>,
  known: Set<string>,
): Promise<void> {
  for (const key of cursors.keys()) {
    if (!key.startsWith(`${project}/session/`) || known.has(key)) continue;
    await index.remove(project, 'session', key.slice(`${project}/session/`.length));
  }
}

/** What the index lacks of a session; undefined when it lacks nothing. */
async function sessionUpdate(
  world: World,
  project: ProjectId,
  record: SessionRecord,
  cursor: IndexCursor | undefined,
): Promise<SourceUpdate | undefined> {
  const { file, bytes } = record.l1;
  const same =
    cursor !== undefined && cursor.engine === record.engine && cursor.file === file && cursor.to <= bytes;
  if (file === '' || (same && cursor.to === bytes)) return undefined;
  const l1 = await world.archive.files.read(project, file);
  if (!l1) return undefined;
  const from = same ? cursor.to : 0;
  const { lines, to } = sessionLines(l1.subarray(0, bytes), from);
  return {
    project,
    kind: 'session',
    name: record.sessionId,
    agent: record.metadata.agent,
    file,
    from,
    to,
    engine: record.engine,
    branch: record.metadata.gitBranches.join(' '),
    title: record.metadata.title ?? '',
    first: record.firstTimestamp,
    last: record.lastTimestamp,
    files: record.metadata.filesTouched.map((path) => [path, 1]),
    lines,
  };
}
