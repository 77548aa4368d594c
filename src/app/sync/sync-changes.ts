import { OTHER_AGENTS } from '../../core/model/agent.ts';
import { LAYERS_ENGINE } from '../../core/model/layers-engine.ts';
import { REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import { anything, fields, figure, list, oneOf, type Shape, text } from '../../core/model/shape.ts';
import { foldersUp, RECORD_MARKER } from '../../core/model/unrecorded.ts';
import { fingerprint } from '../../core/text/fingerprint.ts';
import type { FoundFile } from '../../ports/transcripts.ts';
import { findOfOthers } from '../intake/find-of-others.ts';
import { orFault } from '../or-fault.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import { LAST_SYNC_FILE, type RunOptions, type SyncReport } from '../sync-report.ts';
import type { World } from '../world.ts';

/** What a sync that found nothing to do looked at, and what it reported. Disposable. */
type LastSync = {
  version: 1;
  at: number;
  /** Of everything that a sync checks; empty if the last one had something to do. */
  stamp: string;
  /** What it checks outside the archive and the agents' folders. */
  outside: string[];
  report: SyncReport;
};
const lastSync = fields({
  version: oneOf(1),
  at: figure,
  stamp: text,
  outside: list(text),
  report: anything as Shape<SyncReport>,
});
const LAST_SYNC: StoredKind<LastSync> = {
  schema: lastSync,
  format: ['version', 1],
  damaged: 'The next sync checks everything.',
};
const JOURNAL = '/_memory';
/** Some work of a sync depends on the time. */
const LONGEST_MS = 3_600_000;
/** Of the archive's own folder: these change without anything to be synced. */
const UNSTEADY = /^(?:lock\.sqlite|index\.sqlite|cache|logs|ledger|projects|plugin|\.)/;

/** They are there while a database is open. */
const OF_SQLITE = /-(?:wal|shm|journal)$/;

/**
 * Like `sync` of everything. If a sync within the last hour found nothing to do and nothing that it looks at has changed, its
 * report is returned again: each file is looked at, none is opened, and the code of sync is not loaded.
 */
export async function syncChanges(
  world: World,
  options: RunOptions = {},
  whole: typeof wholeSync = wholeSync,
): Promise<SyncReport> {
  const { value: last } = await readStored(world, undefined, LAST_SYNC_FILE, LAST_SYNC);
  const before = last && (await stampOfAll(world, last.outside));
  const now = world.clock.millis();
  if (last && before !== '' && last.stamp === before && now >= last.at && now - last.at < LONGEST_MS)
    return last.report;
  const report = await whole(world, options);
  if (options.signal?.aborted) return report;
  const outside = await outsidePaths(world);
  const isSteady = last !== undefined && outside.join('\n') === last.outside.join('\n');
  const after = isSteady && isNothing(report) ? await stampOfAll(world, outside) : '';
  const stamp = after === before && !(await isTimed(world)) ? after : '';
  const next: LastSync = { version: 1, at: now, stamp, outside, report };
  if (report.found > 0) await world.archive.files.write(undefined, LAST_SYNC_FILE, JSON.stringify(next));
  return report;
}

/** Damage was found: the next sync checks everything. */
export async function forgetLastSync(world: World): Promise<void> {
  await orFault(world.archive.files.remove(undefined, LAST_SYNC_FILE));
}

async function wholeSync(world: World, options: RunOptions): Promise<SyncReport> {
  return (await import('./sync.ts')).sync(world, options);
}

/** What is left out may be let in by something that is not looked at. */
function isNothing({ found, same, problems, notes }: SyncReport): boolean {
  return found === same && problems.length + notes.length === 0;
}

/** Empty if size and time cannot answer. */
async function stampOfAll(world: World, outside: readonly string[]): Promise<string> {
  const { machine, places } = world;
  const projects = outside.flatMap((path) =>
    path.endsWith(JOURNAL) ? [path.slice(0, -JOURNAL.length)] : [],
  );
  const transcripts = await transcriptStamps(world, projects);
  const archive = await archiveStamps(world);
  if (!transcripts || !archive) return '';
  const { keepsake } = await machine.versions();
  const journals: string[] = [];
  for (const path of outside) if (path.endsWith(JOURNAL)) journals.push(...(await edited(world, path)));
  return fingerprint([
    `${keepsake} ${REFINE_ENGINE} ${LAYERS_ENGINE} ${places.home}`,
    ...transcripts,
    ...archive,
    ...journals,
    ...(await machine.stamps([...outside, ...journals])),
  ]);
}

async function transcriptStamps(world: World, projects: readonly string[]): Promise<string[] | undefined> {
  const unreadable: string[] = [];
  const stamps: string[] = [];
  // As a sync finds them: of all projects, and where the user is.
  const folders = [...new Set([...(world.places.cwd ? [world.places.cwd] : []), ...projects])];
  for (const folder of world.places.claudeProjects) {
    if ((await world.transcripts.inspect(folder)) !== 'folder') return undefined;
    for (const { beside, ...file } of await world.transcripts.find(folder, unreadable))
      stamps.push(stampOf(file), ...beside.map(stampOf));
  }
  for (const { beside, stage, ...file } of await findOfOthers(world, unreadable, OTHER_AGENTS, folders)) {
    // Rows of a database, which have to be read.
    if (stage) return undefined;
    stamps.push(stampOf(file), ...beside.map(stampOf));
  }
  return unreadable.length > 0 ? undefined : stamps;
}

function stampOf({ path, size, mtimeMs, dev, ino }: FoundFile): string {
  return `${path} ${size} ${mtimeMs} ${dev} ${ino}`;
}

/** What is in the archive's folder, and of each project its record, its folders and the files that people edit. */
async function archiveStamps(world: World): Promise<string[] | undefined> {
  const { machine, places } = world;
  const names = (folder: string) => namesIn(world, folder);
  const root = places.archive;
  const there = (await names(root)).filter((name) => !OF_SQLITE.test(name));
  const paths = there.filter((name) => !UNSTEADY.test(name)).map((name) => `${root}/${name}`);
  const pending = [`${root}/cache/import/pending.json`, `${root}/cache/purged.json`];
  for (const project of await names(`${root}/projects`)) {
    const own = `${root}/projects/${project}`;
    for (const name of await names(own)) {
      // Then memory.md is in the project itself.
      if (name === 'place.json') return undefined;
      paths.push(`${own}/${name}`);
    }
    paths.push(...(await edited(world, `${own}/memory`)));
  }
  return [...there, ...paths, ...(await machine.stamps([...paths, ...pending]))];
}

async function namesIn({ machine }: World, folder: string): Promise<string[]> {
  return (await machine.list(folder)).sort();
}

/** Files of a memory folder that people may edit, two levels deep. For files that only Keepsake writes, the folder's time is enough. */
async function edited(world: World, folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const name of await namesIn(world, folder)) {
    paths.push(`${folder}/${name}`);
    if (name !== 'sessions' && !name.includes('.'))
      for (const below of await namesIn(world, `${folder}/${name}`)) paths.push(`${folder}/${name}/${below}`);
  }
  return paths;
}

/** Of each project's folder: its repository, its journal, and what keeps sessions out. */
async function outsidePaths(world: World): Promise<string[]> {
  const paths = new Set<string>();
  for (const project of await world.archive.projects()) {
    const root = (await world.archive.head(project))?.originalPath ?? '';
    if (root === '') continue;
    for (const name of ['', '/.git', '/.git/config', JOURNAL, '/CLAUDE.md']) paths.add(`${root}${name}`);
    for (const folder of foldersUp(root)) paths.add(`${folder}/${RECORD_MARKER}`);
  }
  return [...paths].sort();
}

/** Versions that are made or deleted by their age. */
async function isTimed(world: World): Promise<boolean> {
  const heads = await Promise.all((await world.archive.projects()).map((id) => world.archive.head(id)));
  for (const own of [undefined, ...heads.map((head) => head?.settings)]) {
    const { autoDecay, storage } = (await world.settings.resolve(own)).config;
    if (autoDecay.schedule !== 'off' || storage.compressionRetention !== 'all') return true;
  }
  return false;
}
