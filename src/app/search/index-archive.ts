import { isProjectId, type ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { DOCUMENTS_MARK, type SourceKind } from '../../core/model/search.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import type { IndexCursor, SearchIndex } from '../../ports/search-index.ts';
import { ifReadable, unlessFault } from '../or-fault.ts';
import type { World } from '../world.ts';

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
  let all: Map<string, IndexCursor> | undefined;
  const allCursors = async () => {
    all ??= await index.cursors();
    return all;
  };
  for (const project of gone) {
    await removeMissing(index, { project, kinds: ['session'] }, await allCursors());
    await index.update([], { [project]: GONE });
  }
  for (const [done, project] of changed.entries()) {
    onProject?.(done, changed.length, project);
    const opened = await ifReadable(world.archive.open(project));
    if (!opened) continue;
    const { manifest } = opened;
    const mark = `${manifest.gen} ${stamps.get(project)}`;
    const since = changedSince(index, manifest, markOf(marks, project).gen);
    const cursors = since ? undefined : await allCursors();
    const records = since ?? Object.values(manifest.sessions);
    // Mostly nothing has changed: then what reads sessions is not loaded.
    const { indexSessions } = await import('./index-sessions.ts');
    const { known, isWhole } = await indexSessions(world, index, { project, mark, records, cursors }, total);
    if (cursors) await removeMissing(index, { project, kinds: ['session'] }, cursors, known);
    if (isWhole) noteIndexed(index, manifest);
  }
  await index.tidy();
  return total;
}

/** A project's generation and stamp when the index last took it in. The stamp may be older than the generation, never newer. */
function markOf(marks: Map<string, string>, project: string): { gen: string; stamp: string | undefined } {
  const [gen = '', stamp] = (marks.get(project) ?? '').split(' ');
  return { gen, stamp };
}

/** Sources that are looked up one by one; of more, all are read at once. */
const MOST_ONE_BY_ONE = 64;

/** What an index took in last, of manifests that cannot change: their records are shared with the next one. */
const lastIndexed = new WeakMap<SearchIndex, Map<ProjectId, Manifest>>();

/** Only sessions that differ from what the index has. Undefined where that is not known, or where one is gone. */
function changedSince(index: SearchIndex, manifest: Manifest, gen: string): SessionRecord[] | undefined {
  const before = lastIndexed.get(index)?.get(manifest.projectId);
  if (!before || String(before.gen) !== gen) return undefined;
  const { sessions } = manifest;
  for (const [id, record] of Object.entries(before.sessions))
    if (record.registered && !sessions[id as keyof typeof sessions]?.registered) return undefined;
  const changed = Object.values(sessions).filter((it) => it !== before.sessions[it.sessionId]);
  return changed.length > MOST_ONE_BY_ONE ? undefined : changed;
}

function noteIndexed(index: SearchIndex, manifest: Manifest): void {
  if (!Object.isFrozen(manifest)) return;
  const byProject = lastIndexed.get(index) ?? new Map<ProjectId, Manifest>();
  lastIndexed.set(index, byProject.set(manifest.projectId, manifest));
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

type Sources = { project: string; kinds: readonly SourceKind[] };

/** Removes from the index what a project no longer has of some kinds. `known`: existing documents, by `project/kind/name`. */
export async function removeMissing(
  index: SearchIndex,
  { project, kinds }: Sources,
  cursors: ReadonlyMap<string, IndexCursor>,
  known: ReadonlySet<string> = new Set(),
): Promise<void> {
  for (const kind of kinds) {
    const below = `${project}/${kind}/`;
    for (const key of cursors.keys())
      if (key.startsWith(below) && !known.has(key))
        await index.remove(project, kind, key.slice(below.length));
  }
}
