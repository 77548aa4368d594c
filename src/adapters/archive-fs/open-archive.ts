import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isProjectId, type ProjectId } from '../../core/model/ids.ts';
import type { Archive } from '../../ports/archive.ts';
import { deviceId } from './device-id.ts';
import { diskFault, ifThere } from './disk-fault.ts';
import { files } from './files.ts';
import { inspectArchive } from './inspect.ts';
import { inspectPlaces } from './inspect-places.ts';
import { latePurges } from './late-purges.ts';
import { projectFolder, projectsFolder } from './layout.ts';
import { openLock } from './lock.ts';
import { memoryPlace } from './memory-place.ts';
import { memoryPlaces, removePlaced } from './move-memory.ts';
import { originalIds } from './original-ids.ts';
import { originals } from './originals.ts';
import { listStamp, projectStamps } from './project-stamps.ts';
import { projectStore } from './project-store.ts';
import { purgedTexts } from './purged-texts.ts';
import { searchAgain } from './search-again.ts';
import { sweepLeftovers, sweepNamed, sweepPlaced } from './sweep.ts';
import { unrecordedFile } from './unrecorded-file.ts';
import { wipe } from './wipe.ts';
import { fsyncFolder, tempBeside } from './write-file.ts';

const HOUR_MS = 3_600_000;
/** Any of these says that a change was once made here. Originals alone do, too: their manifest was lost. */
const SIGNS = ['manifest.json', 'manifest.log', 'manifest.prev.json', 'history.jsonl'];

export type ArchiveOptions = {
  /** UTC, ISO. */
  now: () => string;
  /** How long to wait for other writers: 0 for hooks. */
  lockWaitMs?: number;
  maxLogLines?: number;
};

/** Opening and reading make nothing on the disk; the first write does. */
export function openArchive(root: string, options: ArchiveOptions): Archive {
  const { now, lockWaitMs = 10_000, maxLogLines = 256 } = options;
  const lock = openLock(join(root, 'lock.sqlite'), lockWaitMs);
  // Freed when its holder ends, it may be waited for as long as it takes.
  const purges = openLock(join(root, 'purge-lock.sqlite'), Number.POSITIVE_INFINITY);
  const store = projectStore({ root, lock, now, maxLogLines, maskNow: () => maskNow() });
  const maskNow = purgedTexts(root, async () => {
    const opened = (await folders(root)).projects.map((project) =>
      store.open(project).catch(() => undefined),
    );
    return (await Promise.all(opened)).flatMap((it) => it?.manifest ?? []);
  });
  const late = latePurges(root, maskNow);
  return {
    root,
    originals: originals(root, lock, maskNow),
    files: files(root, late),
    places: memoryPlaces({ root, lock, now }),
    device: (fresh) => deviceId(root, fresh),
    unrecorded: unrecordedFile(root, lock),
    projects: async () => (await folders(root)).projects,
    stamps: async () => projectStamps(projectsFolder(root)),
    listStamp: async () => listStamp(projectsFolder(root)),
    head: store.head,
    open: store.open,
    mayHold: store.mayHold,
    change: (project, changes, events = []) => store.change(project, changes, events),
    changeFrom: store.changeFrom,
    fold: store.fold,
    history: store.history,
    removeProject: (project) =>
      lock.hold(async () => {
        await removePlaced(root, project);
        await removeFolder(projectFolder(root, project));
      }),
    async sweep(only) {
      try {
        if (only) return await sweepNamed(root, only);
        const before = Date.parse(now()) - HOUR_MS;
        const swept = await sweepLeftovers(root, before);
        for (const folder of await placedFolders(root)) swept.push(...(await sweepPlaced(folder, before)));
        return swept;
      } catch (error) {
        throw diskFault(error, root, 'write');
      }
    },
    wipe: (texts, request) => wipe(root, lock, texts, request),
    withoutPurged: late.clean,
    lookAgain: (needles, more, signal) => searchAgain(root, needles, more, signal),
    async inspect() {
      const { projects, strays } = await folders(root);
      const placed = projects.map((project) => ({ project, place: memoryPlace(root, project) }));
      return [...(await inspectArchive(root, projects, strays)), ...(await inspectPlaces(placed))];
    },
    exclusive: lock.hold,
    async purging(work, onBusy, signal) {
      const done = await purges.tryHold(work);
      if (done) return done.value;
      return onBusy() === 'wait' ? purges.hold(work, signal) : undefined;
    },
    async close() {
      await purges.close();
      await lock.close();
    },
  };
}

async function placedFolders(root: string): Promise<string[]> {
  const places = (await folders(root)).projects.map((project) => memoryPlace(root, project));
  return places.filter(({ kind }) => kind === 'project').map(({ folder }) => folder);
}

async function folders(root: string): Promise<{ projects: ProjectId[]; strays: string[] }> {
  const projects: ProjectId[] = [];
  const strays: string[] = [];
  try {
    const entries = await ifThere(readdir(projectsFolder(root), { withFileTypes: true }));
    for (const entry of entries ?? []) {
      if (!entry.isDirectory() || !isProjectId(entry.name)) continue;
      const folder = join(projectsFolder(root), entry.name);
      const names = await readdir(folder);
      const isSigned = names.some((name) => SIGNS.includes(name));
      // Made for a first change that never happened: it holds nothing.
      if (names.length === 0) continue;
      if (isSigned || (await originalIds(folder)).length > 0) projects.push(entry.name);
      else strays.push(`projects/${entry.name}`);
    }
  } catch (error) {
    throw diskFault(error, projectsFolder(root), 'read');
  }
  return { projects: projects.sort(), strays: strays.sort() };
}

/** Gone in one step, then removed: a crash in between leaves something that `sweep` knows. */
async function removeFolder(folder: string): Promise<void> {
  try {
    const temp = tempBeside(folder);
    if ((await ifThere(rename(folder, temp).then(() => true))) === undefined) return;
    await fsyncFolder(join(folder, '..'));
    await rm(temp, { recursive: true, force: true });
  } catch (error) {
    throw diskFault(error, folder, 'write');
  }
}
