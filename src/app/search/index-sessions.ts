import type { ProjectId } from '../../core/model/ids.ts';
import type { SourceUpdate } from '../../core/model/search.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import { sessionIndexLines } from '../../core/search/documents/session.ts';
import type { IndexCursor, SearchIndex } from '../../ports/search-index.ts';
import { damagedL1 } from '../find/read-l1.ts';
import { ifReadable } from '../or-fault.ts';
import type { World } from '../world.ts';

/** Refined bytes in one transaction. */
const BATCH = 1024 * 1024;

type SessionsToIndex = {
  project: ProjectId;
  mark: string;
  records: readonly SessionRecord[];
  /** Of all sources; undefined where `records` are only those that changed. */
  cursors: Map<string, IndexCursor> | undefined;
};

/** Brings sessions of a project up to date. Returns their keys, and whether all could be read. */
export async function indexSessions(
  world: World,
  index: SearchIndex,
  { project, mark, records, cursors }: SessionsToIndex,
  total: { sources: number; bytes: number },
): Promise<{ known: Set<string>; isWhole: boolean }> {
  let batch: SourceUpdate[] = [];
  let bytes = 0;
  const known = new Set<string>();
  const take = async (record: SessionRecord, key: string) => {
    const cursor = cursors ? cursors.get(key) : await index.cursor(project, 'session', record.sessionId);
    for await (const update of sessionUpdates(world, project, record, cursor)) {
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
  for (const record of records) {
    if (!record.registered) continue;
    const key = `${project}/session/${record.sessionId}`;
    known.add(key);
    if (!(await ifReadable(take(record, key), world.report))) isWhole = false;
  }
  // A damaged session is tried again each time, for nothing else would show that it was repaired.
  await index.update(batch, isWhole ? { [project]: mark } : {});
  return { known, isWhole };
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
