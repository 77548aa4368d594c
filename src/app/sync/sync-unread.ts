import { agentRow, OTHER_AGENTS } from '../../core/model/agent.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { fields, oneOf, record, text } from '../../core/model/shape.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { agentFolders, findOfOthers } from '../intake/find-of-others.ts';
import { ingestFiles } from '../intake/ingest-files.ts';
import { isLeftOut, isTakenOut, isUnchanged, loadSources } from '../intake/source-cache.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import { newReport } from '../sync-report.ts';
import type { World } from '../world.ts';
import { noteRepositories } from './note-repositories.ts';

/**
 * What files and folders of agents looked like from outside when their sessions were last read. By it a hook sees
 * whether there is something to read: a look at each, and nothing is loaded. Disposable.
 */
export type SeenPlaces = { version: 1; others: Record<string, string>; claude?: Record<string, string> };

/** Below `cache/`. */
const SEEN_FILE = 'seen-places.json';
const SEEN: StoredKind<SeenPlaces> = {
  schema: fields({ version: oneOf(1), others: record(text) }, { claude: record(text) }),
  format: ['version', 1],
  damaged: 'The next session start checks all of them.',
};
/** Below one root: the folders and files that were changed last. What is resumed after longer is for a sync. */
const MOST_FOLDERS = 30;
const MOST_FILES = 8;
/** Folders above a session's file that show a new one: of a day, a month, a year. */
const ABOVE = 3;
/** Read at once; what is more is for a sync, which someone waits for. */
const MOST_UNREAD = 20;
const MOST_BYTES = 64_000_000;

type UnreadOptions = {
  /** Claude Code's sessions, too: its own hooks read them where it has any. */
  claude: boolean;
  signal?: AbortSignal;
};

/**
 * Reads the sessions that agents wrote since they were last read: the latest first, and a bounded number of them.
 * Returns the projects that have more now.
 */
export async function syncUnread(world: World, { claude, signal }: UnreadOptions): Promise<ProjectId[]> {
  const unreadable: string[] = [];
  const files = await findOfOthers(world, unreadable);
  for (const folder of claude ? world.places.claudeProjects : [])
    if ((await world.transcripts.inspect(folder)) === 'folder')
      files.push(...(await world.transcripts.find(folder, unreadable, { hidden: false })));
  const seen = await seenPlaces(world, files, claude);
  const sources = await loadSources(world);
  const isRead = (file: FoundTranscript) =>
    isUnchanged(sources.get(file.path), file) || isLeftOut(sources.get(file.path), file);
  const due = latestWithin(files.filter((file) => !isRead(file)));
  const projects = new Set<ProjectId>();
  if (due.length > 0) {
    const onIngested = (project: ProjectId) => void projects.add(project);
    await ingestFiles(world, due, newReport(), { onIngested, ...(signal ? { signal } : {}) });
    await noteRepositories(world);
  }
  await noteSeen(world, seen);
  return [...projects];
}

/** Whether any agent wrote something since its sessions were last read. */
export async function hasUnread(world: World): Promise<boolean> {
  const seen = (await readStored(world, undefined, SEEN_FILE, SEEN)).value;
  if (!seen?.claude) return true;
  const places = Object.entries({ ...seen.others, ...seen.claude });
  const stamps = await world.machine.stamps(places.map(([path]) => path));
  return places.some(([, stamp], at) => stamp !== stamps[at]);
}

/** Once what was found there is read. Files that are kept out of the archive are not looked at again. */
export async function noteSeen(world: World, { others, claude }: SeenPlaces): Promise<void> {
  const before = (await readStored(world, undefined, SEEN_FILE, SEEN)).value;
  const sources = await loadSources(world);
  const kept = (places: Record<string, string>) =>
    Object.fromEntries(Object.entries(places).filter(([path]) => !isTakenOut(sources.get(path))));
  const seen: SeenPlaces = { version: 1, others: kept(others), ...(claude ? { claude: kept(claude) } : {}) };
  const stored = JSON.stringify({ ...before, ...seen });
  if (stored !== JSON.stringify(before)) await world.archive.files.write(undefined, SEEN_FILE, stored);
}

/** Size and time of these files before they are read: later writes are seen by the next check. */
export async function seenPlaces(
  world: World,
  files: readonly FoundTranscript[],
  claude: boolean,
): Promise<SeenPlaces> {
  const others: string[] = [];
  for (const agent of OTHER_AGENTS) {
    const isInProject = agentRow(agent)?.inProject !== undefined;
    for (const root of await agentFolders(world, agent)) others.push(...shownBy(root, files, isInProject));
  }
  const own = claude ? world.places.claudeProjects.flatMap((root) => shownBy(root, files, false)) : undefined;
  return {
    version: 1,
    others: await stampsOf(world, others),
    ...(own ? { claude: await stampsOf(world, own) } : {}),
  };
}

async function stampsOf(world: World, paths: readonly string[]): Promise<Record<string, string>> {
  const all = [...new Set(paths)];
  const stamps = await world.machine.stamps(all);
  return Object.fromEntries(all.map((path, at) => [path, stamps[at] ?? '']));
}

/** What changes below a root when a session begins or continues. */
function shownBy(root: string, files: readonly FoundTranscript[], isInProject: boolean): string[] {
  const base = root.replace(/[\\/]\.?$/, '');
  const found = latestFirst(
    files.filter(({ path }) => path.startsWith(base) && /^[\\/]/.test(path.slice(base.length))),
  );
  // A root changes for other reasons, too: it is looked at only where it holds no session yet.
  if (found.length === 0) return isInProject ? [] : [base];
  const folders = new Set<string>();
  for (const { path } of found) {
    let folder = parentOf(path);
    for (let up = 0; up < ABOVE && folder.length > base.length; up++, folder = parentOf(folder))
      if (folders.size < MOST_FOLDERS) folders.add(folder);
  }
  // Rows of a database are named behind its path; what is new may be in its log.
  const latest = found.slice(0, MOST_FILES).flatMap(({ path, stage }) => {
    const database = stage && path.includes('#') ? path.slice(0, path.lastIndexOf('#')) : undefined;
    return database === undefined ? [path] : [database, `${database}-wal`];
  });
  return [...folders, ...latest];
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.search(/[\\/][^\\/]*$/)));
}

function latestFirst(files: FoundTranscript[]): FoundTranscript[] {
  return files.sort((a, b) => b.mtimeMs - a.mtimeMs);
}

function latestWithin(files: FoundTranscript[]): FoundTranscript[] {
  let bytes = 0;
  return latestFirst(files)
    .slice(0, MOST_UNREAD)
    .filter(({ size, stage }) => {
      // The size of what is staged is a number of rows.
      bytes += stage ? 0 : size;
      return bytes <= MOST_BYTES;
    });
}
