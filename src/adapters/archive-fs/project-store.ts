import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { applyChanges, type Change, purgedSince } from '../../core/model/change.ts';
import { cleaned, cleanedChanges } from '../../core/model/cleaned.ts';
import { Fault } from '../../core/model/fault.ts';
import type { HistoryEvent } from '../../core/model/history.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { Opened, ProjectHead } from '../../ports/archive.ts';
import { baseStamp, continueManifest, noteBase } from './continue-manifest.ts';
import { diskFault, ifThere } from './disk-fault.ts';
import { clockAfter, clockOf } from './edit-clock.ts';
import { appendHistory, completeHistory, readHistoryFile } from './history-file.ts';
import { projectFolder } from './layout.ts';
import { type LoadedManifest, loadManifest } from './load-manifest.ts';
import type { Lock } from './lock.ts';
import { keepEdits } from './manifest-edits.ts';
import { formatManifest, readHead } from './manifest-file.ts';
import { appendLine, type LogLine, type LogTail, readLog, readTail } from './manifest-log.ts';
import { type MaskNow, PURGED_FILE } from './purged-texts.ts';
import { seenManifest } from './seen-manifest.ts';
import { fsyncFolder, linkAtomic, makeFolder, TEMP_PREFIX, writeFileAtomic } from './write-file.ts';

export type ProjectStore = {
  head(project: ProjectId): Promise<ProjectHead | undefined>;
  open(project: ProjectId, since?: Opened): Promise<Opened | undefined>;
  mayHold(project: ProjectId, texts: readonly string[]): Promise<boolean[]>;
  change(
    project: ProjectId,
    changes: Change[],
    events: HistoryEvent[],
  ): Promise<{ gen: number; purged?: string[] }>;
  changeFrom(
    project: ProjectId,
    make: (now: Manifest) => Change[],
    events?: () => HistoryEvent[],
  ): Promise<void>;
  fold(project: ProjectId, options?: { forget: true }): Promise<void>;
  history(project: ProjectId): Promise<HistoryEvent[]>;
};

type StoreOptions = {
  root: string;
  lock: Lock;
  now: () => string;
  maxLogLines: number;
  /** Read under the lock: what was purged by then is not written again. */
  maskNow: MaskNow;
};

/** The project's state, from two short reads. `folded` is the generation of manifest.json. */
type ProjectState = { head: ProjectHead; folded: number; tail: LogTail };

export function projectStore({ root, lock, now, maxLogLines, maskNow }: StoreOptions): ProjectStore {
  /** Projects that were found damaged here: their next change mends them first. */
  const damaged = new Set<ProjectId>();
  const place = (project: ProjectId, name: string) => join(projectFolder(root, project), name);

  async function stateOf(
    project: ProjectId,
    toRead?: 'to read',
  ): Promise<ProjectState | 'unsound' | undefined> {
    // The log first: a fold in between then makes it older than the head, never the head older than it.
    const tail = await readTail(place(project, 'manifest.log'));
    const seen = toRead && seenManifest(projectFolder(root, project));
    const head = await readHead(place(project, 'manifest.json'), seen);
    if (head === 'unsound') return 'unsound';
    const { last } = tail;
    if (!head) return undefined;
    const { originalPath, displayName, gen, settings = {} } = last && last.gen > head.gen ? last : head;
    // An older Keepsake wrote no repository into the log: then the one in the manifest still counts.
    const { repository } = last && last.gen > head.gen && 'repository' in last ? last : head;
    const { clock } = last && last.gen > head.gen ? last : head;
    return {
      head: withOptional(
        { projectId: project, originalPath, displayName, settings, gen: gen + tail.bad },
        // A line that can't be read may have been an edit.
        { repository, clock: tail.bad > 0 ? undefined : clock },
      ),
      folded: head.gen,
      tail,
    };
  }

  async function load(project: ProjectId, toRead?: 'to read'): Promise<LoadedManifest | undefined> {
    const loaded = await loadManifest(projectFolder(root, project), project, toRead);
    if (loaded?.repair) damaged.add(project);
    else damaged.delete(project);
    return loaded;
  }

  /** Under the lock. Whatever the order a crash cuts it in, manifest.json or manifest.prev.json and the logs contain everything. */
  async function foldNow(project: ProjectId): Promise<void> {
    const loaded = await load(project);
    if (!loaded || (loaded.log.length === 0 && !loaded.repair)) return;
    const { manifest, repair, notes } = loaded;
    for (const [bytes, name] of repair?.keep ?? []) await writeFileAtomic(place(project, name), bytes);
    const mended: HistoryEvent[] = repair
      ? [{ at: now(), action: repair.action, note: notes.join(' ') }]
      : [];
    await completeHistory(place(project, 'history.jsonl'), loaded.log, mended);
    await keepEdits(place(project, 'manifest.edits.json'), manifest);
    if (!repair) await keepPrevious(project);
    await writeFileAtomic(place(project, 'manifest.json'), formatManifest(manifest));
    // A damaged manifest must not become the previous one.
    if (repair) await keepPrevious(project);
    await setLogAside(project);
    damaged.delete(project);
  }

  /** With the previous manifest it contains all that manifest.json does. */
  async function setLogAside(project: ProjectId): Promise<void> {
    const log = place(project, 'manifest.log');
    try {
      await ifThere(rename(log, place(project, 'manifest.prev.log')));
      await fsyncFolder(projectFolder(root, project));
    } catch (error) {
      throw diskFault(error, log, 'write');
    }
  }

  async function keepPrevious(project: ProjectId): Promise<void> {
    const from = place(project, 'manifest.json');
    const to = place(project, 'manifest.prev.json');
    if (!(await ifThere(stat(from))) || (await linkAtomic(from, to))) return;
    await writeFileAtomic(to, await readFile(from));
  }

  /** Under the lock: what was purged must not live on in the manifest before, its log, or copies kept aside. */
  async function forgetOlder(project: ProjectId): Promise<void> {
    const folder = projectFolder(root, project);
    if (!(await ifThere(stat(place(project, 'manifest.json'))))) return;
    await keepPrevious(project);
    try {
      for (const name of await readdir(folder))
        if (OLDER.test(name)) await rm(join(folder, name), { force: true });
      await fsyncFolder(folder);
    } catch (error) {
      throw diskFault(error, folder, 'write');
    }
  }

  /** Under the lock: sound files to append to, or none at all. */
  async function settled(project: ProjectId): Promise<ProjectState | undefined> {
    const found = damaged.has(project) ? 'unsound' : await stateOf(project);
    if (found !== 'unsound' && found !== undefined) return found;
    if (!(await load(project))) return undefined;
    await foldNow(project);
    const mended = await stateOf(project);
    if (mended !== 'unsound' && mended !== undefined) return mended;
    throw new Fault('corrupt', `${place(project, 'manifest.json')} can't be repaired.`, {
      hint: 'Run `keepsake doctor`.',
    });
  }

  async function mayHold(project: ProjectId, texts: readonly string[]): Promise<boolean[]> {
    // The log first, as in `stateOf`: what a fold moves in between is seen in the manifest.
    const log = await ifThere(readFile(place(project, 'manifest.log')));
    const manifest = await ifThere(readFile(place(project, 'manifest.json')));
    return texts.map((text) => !manifest || manifest.includes(text) || (log?.includes(text) ?? false));
  }

  /** Under the lock: sessions that were purged after changes to them were made. Nearly always a look at the bytes says none. */
  async function purgedBefore(project: ProjectId, changes: readonly Change[]): Promise<Set<string>> {
    const ids = new Set(changes.flatMap(({ unless }) => unless?.purged ?? []));
    const marks = [...ids].map((id) => `"id":${JSON.stringify(id)}`);
    const isSure =
      ids.size === 0 ||
      !(await mayHold(project, ['"kind":"session"']))[0] ||
      !(await mayHold(project, marks)).includes(true);
    return isSure ? new Set() : purgedSince((await load(project))?.manifest, changes);
  }

  async function change(project: ProjectId, asked: Change[], noted: HistoryEvent[]) {
    const mask = await maskNow();
    const state = await settled(project);
    // What is left out of the record is in no event.
    const purged = noted.length > 0 ? await purgedBefore(project, asked) : new Set<string>();
    const made = asked.filter(({ unless }) => !unless || !purged.has(unless.purged));
    const changes = mask ? cleanedChanges(made, mask) : made;
    const kept = noted.filter(({ sessionId = '' }) => !purged.has(sessionId));
    const events = mask ? cleaned(kept, mask) : kept;
    const head = headAfter(project, state?.head, changes);
    const { projectId: _, gen, ...who } = head;
    const line: LogLine = { gen, at: now(), ...who, changes, events };
    if (!state) await makeFolder(projectFolder(root, project));
    const log = place(project, 'manifest.log');
    await appendLine(log, state?.tail ?? (await readTail(log)), line);
    if (changes.some(({ at }) => at[0] === 'tombstones'))
      await ifThere(rm(join(root, 'cache', PURGED_FILE), { force: true }));
    // The list of projects that hooks go by says something else of it.
    if (!isSameProject(state?.head, head))
      await ifThere(rm(join(root, 'cache', 'folders.json'), { force: true }));
    // From here on it is on the disk, events and all: what follows may fail and is made up for later.
    await whereRoom(async () => {
      if (events.length > 0) await appendHistory(place(project, 'history.jsonl'), line);
      if (!state || gen - state.folded >= maxLogLines) await foldNow(project);
    });
    return purged.size > 0 ? { gen, purged: [...purged] } : { gen };
  }

  return {
    async head(project) {
      const found = await stateOf(project, 'to read');
      if (found && found !== 'unsound') return found.head;
      const loaded = await load(project);
      if (!loaded) return undefined;
      const { originalPath, displayName, gen, settings, repository } = loaded.manifest;
      const clock = clockOf(loaded.manifest);
      return withOptional(
        { projectId: project, originalPath, displayName, settings, gen },
        { repository, clock },
      );
    },
    async open(project, since) {
      const folder = projectFolder(root, project);
      const continued = since && (await continueManifest(folder, since.manifest));
      if (continued) return { manifest: continued, notes: [] };
      const look = baseStamp(folder);
      const loaded = await load(project, 'to read');
      if (!loaded) return undefined;
      const { manifest, notes, rebuilt, repair } = loaded;
      if (!rebuilt && !repair && notes.length === 0) noteBase(manifest, look);
      return rebuilt ? { manifest, notes, rebuilt } : { manifest, notes };
    },
    mayHold,
    change: (project, changes, events) => lock.hold(() => change(project, changes, events)),
    changeFrom: (project, make, events = () => []) =>
      lock.hold(async () => {
        const loaded = await load(project);
        const changes = loaded ? make(loaded.manifest) : [];
        if (changes.length > 0) await change(project, changes, events());
      }),
    fold: (project, options) =>
      lock.hold(async () => {
        await foldNow(project);
        if (options?.forget) await forgetOlder(project);
      }),
    async history(project) {
      const log = await readLog(place(project, 'manifest.log'));
      return readHistoryFile(place(project, 'history.jsonl'), log.lines);
    },
  };
}

/** Unfinished ones, too: they are written under the lock, so that their writer is dead. */
const OLDER = new RegExp(
  `^(manifest\\.(prev\\.log$|broken-|edited-|pre-keepsake)|${TEMP_PREFIX}[0-9a-f]+-manifest\\.)`,
);

const IN_HEAD = new Set(['displayName', 'originalPath', 'settings', 'repository']);

type Optional = { [field in 'repository' | 'clock']: ProjectHead[field] | undefined };

function withOptional(head: ProjectHead, { repository, clock }: Optional): ProjectHead {
  return {
    ...head,
    ...(repository === undefined ? {} : { repository }),
    ...(clock === undefined ? {} : { clock }),
  };
}

/** Whether all that a list of projects says of it is as before. */
function isSameProject(before: ProjectHead | undefined, after: ProjectHead): boolean {
  const row = ({ originalPath, displayName, repository }: ProjectHead) =>
    JSON.stringify([originalPath, displayName, repository]);
  return before !== undefined && row(before) === row(after);
}

/** A project begins with a change that says who it is. */
function headAfter(project: ProjectId, head: ProjectHead | undefined, changes: Change[]): ProjectHead {
  const touching = changes.filter(({ at }) => at.length === 0 || IN_HEAD.has(at[0]!));
  const after = applyChanges<Partial<ProjectHead>>(head ?? {}, touching);
  const { projectId, originalPath, displayName, settings = {}, repository } = after;
  if (projectId === undefined || originalPath === undefined || displayName === undefined) {
    throw new Fault('not-found', `No project ${project} in the archive.`, {
      hint: '`keepsake projects` lists them.',
    });
  }
  if (projectId !== project)
    throw new Fault('conflict', `${projectId} can't be stored under the name ${project}.`);
  const before = head ? head.clock : -1;
  const clock = before === undefined ? undefined : clockAfter(before, changes);
  return withOptional(
    { projectId, originalPath, displayName, settings, gen: (head?.gen ?? 0) + 1 },
    { repository, clock },
  );
}

async function whereRoom(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Fault && ['disk-full', 'read-only'].includes(error.code))) throw error;
  }
}
