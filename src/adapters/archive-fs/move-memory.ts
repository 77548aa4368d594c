import { createHash, randomBytes } from 'node:crypto';
import { lstat, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { FoundMemory, MemoryPlaces, MovedMemory } from '../../ports/archive.ts';
import { type Copied, copyFiles, dropStale, keepAside, replaceLeftovers, setAside } from './copy-memory.ts';
import { ifThere } from './disk-fault.ts';
import { projectFolder } from './layout.ts';
import { listFiles } from './list-files.ts';
import type { Lock } from './lock.ts';
import {
  FIXTURES,
  isMarked,
  linkOut,
  MARKER,
  markerOf,
  memoryPlace,
  type PlaceRecord,
  placedFolder,
  placeFile,
  readPlace,
  refuseLinks,
} from './memory-place.ts';
import { placedLeftovers } from './sweep.ts';
import { AS_UMASK, fsyncFolder, PRIVATE, writeFileAtomic } from './write-file.ts';

const IGNORED = ['sessions/', 'logs/', MARKER, '.tmp-*'];
const GITIGNORE = `# Made by Keepsake.\n${IGNORED.join('\n')}\n`;

type Setting = { root: string; lock: Lock; now: () => string };

/**
 * Copy, compare, switch, delete: wherever a kill interrupts it, all files are complete in one of the two places, and repeating
 * the move continues it. Appends wait for the lock, so none falls between the copy and the switch.
 */
export function memoryPlaces({ root, lock, now }: Setting): MemoryPlaces {
  const own = (project: ProjectId) => join(projectFolder(root, project), 'memory');
  const save = (project: ProjectId, record: PlaceRecord) =>
    writeFileAtomic(placeFile(root, project), `${JSON.stringify(record, null, 2)}\n`);

  async function inspect(project: ProjectId, projectRoot: string): Promise<FoundMemory> {
    const folder = placedFolder(projectRoot);
    const trouble = linkOut(projectRoot);
    if (trouble !== undefined) return { folder, files: [], hash: '', ours: false, trouble };
    const names = await listFiles(folder, FIXTURES);
    const id = readPlace(root, project)?.id;
    const ours = id !== undefined && markerOf(projectRoot) === id;
    return { folder, files: names, hash: await treeHash(folder, names), ours };
  }

  return {
    where: (project) => memoryPlace(root, project),
    inspect,
    async enter(project, projectRoot, approved) {
      await checkRoot(root, projectRoot);
      const before = readPlace(root, project);
      if (before && before.root !== projectRoot && before.state !== 'out') throw elsewhere(before.root);
      const found = await inspect(project, projectRoot);
      if (found.trouble !== undefined) throw new Fault('conflict', found.trouble, { hint: LINK_HINT });
      const foreign = found.files.length > 0 && !found.ours;
      if (foreign && approved !== found.hash) throw notOurs(found.folder);
      const same = before?.root === projectRoot ? before : undefined;
      const record: PlaceRecord = {
        version: 1,
        root: projectRoot,
        id: same?.id ?? randomBytes(16).toString('hex'),
        // Until a leaving is over, the project's folder is the one in use: it stays so.
        state: same?.state === 'in' || same?.state === 'leaving' ? 'in' : 'entering',
        ...(foreign ? { approved: { hash: found.hash, at: now() } } : {}),
        ...(!foreign && before?.approved ? { approved: before.approved } : {}),
      };
      // An entering that was cut short, or a leaving that was not tidied up: what lies there is older than what is here.
      const isLeftover = found.ours && record.approved === undefined && record.state === 'entering';
      await save(project, record);
      await prepare(found.folder, record.id);
      const isOlder = same?.state === 'leaving';
      const task = { from: own(project), to: found.folder, access: AS_UMASK, isOlder };
      // Most of it without the lock; under it only what changed meanwhile.
      await copyFiles(task);
      return lock.hold(async () => {
        const copied = await copyFiles(task);
        const settle = isLeftover ? replaceLeftovers : isOlder ? keepAside : setAside;
        const aside = await settle(task, copied.differing, projectFolder(root, project), now());
        if (isLeftover) await dropStale(task);
        await save(project, { ...record, state: 'in' });
        await removeFiles(task.from, copied.names);
        return moved(memoryPlace(root, project), copied, aside);
      });
    },
    async leave(project) {
      const record = readPlace(root, project);
      const reachable =
        record !== undefined && linkOut(record.root) === undefined && markerOf(record.root) === record.id;
      if (!record || (!reachable && record.state === 'out'))
        throw new Fault('not-found', 'The rolling memory of this project is already in the archive.');
      const folder = placedFolder(record.root);
      if (!reachable) {
        // Nothing there is ours any more: what the archive has is all there is.
        await lock.hold(() => save(project, { ...record, state: 'out' }));
        return moved(memoryPlace(root, project), { names: [], differing: [], bytes: 0 }, []);
      }
      if (record.state === 'in') await save(project, { ...record, state: 'leaving' });
      // An entering that was cut short, or a leaving that was not tidied up: the archive's folder is the one in use.
      const isOlder =
        record.state === 'out' || (record.state === 'entering' && record.approved === undefined);
      const task = { from: folder, to: own(project), access: PRIVATE, isOlder };
      await copyFiles(task);
      return lock.hold(async () => {
        const copied = await copyFiles(task);
        const isInUse = record.state === 'in' || record.state === 'leaving';
        const settle = isInUse ? replaceLeftovers : isOlder ? keepAside : setAside;
        const aside = await settle(task, copied.differing, projectFolder(root, project), now());
        if (record.state === 'leaving') await dropStale(task);
        await save(project, { ...record, state: 'out' });
        await removeFiles(folder, copied.names);
        await dismantle(folder);
        return moved(memoryPlace(root, project), copied, aside);
      });
    },
  };
}

/** What a project's removal takes with it; `project.md` and its siblings are the user's own and stay. */
export async function removePlaced(root: string, project: ProjectId): Promise<void> {
  const record = readPlace(root, project);
  if (!record || linkOut(record.root) !== undefined || !isMarked(record)) return;
  const folder = placedFolder(record.root);
  const ours = (await listFiles(folder, FIXTURES)).filter((name) => MADE.test(name));
  await removeFiles(folder, ours);
  await dismantle(folder);
}

const MADE =
  /^(?:sessions\/|logs\/|archive\/|memory(?:_[^/]*)?\.(?:md|summary\.json)$|memory-index[^/]*\.json|facts[^/]*\.json$|concepts[^/]*\.json$)/;
const LINK_HINT = 'Remove the symlink; Keepsake writes only inside the project.';

async function prepare(folder: string, id: string): Promise<void> {
  const ignore = join(folder, '.gitignore');
  refuseLinks(folder, ['.gitignore']);
  // First, so that nothing of it can be committed before git knows to leave it out.
  const before = await ifThere(readFile(ignore, 'utf8'));
  const lines = new Set((before ?? '').split(/\r?\n/).map((line) => line.trim()));
  const wanted = IGNORED.filter((line) => !lines.has(line));
  if (before === undefined) await writeFileAtomic(ignore, GITIGNORE, AS_UMASK);
  else if (wanted.length > 0) {
    const end = before === '' || before.endsWith('\n') ? '' : '\n';
    await writeFileAtomic(ignore, `${before}${end}${wanted.join('\n')}\n`, AS_UMASK);
  }
  refuseLinks(folder, [MARKER]);
  await writeFileAtomic(join(folder, MARKER), `${id}\n`, AS_UMASK);
}

async function removeFiles(folder: string, names: string[]): Promise<void> {
  const folders = new Set<string>();
  for (const name of names) {
    await rm(join(folder, name), { force: true });
    for (let at = dirname(name); at !== '.'; at = dirname(at)) folders.add(at);
  }
  const deepest = [...folders].sort((a, b) => b.length - a.length);
  for (const name of deepest) await rmdir(join(folder, name)).catch(() => {});
  await ifThere(fsyncFolder(folder));
}

/** The marker last: until then a second try knows the folder as ours. */
async function dismantle(folder: string): Promise<void> {
  const ignore = join(folder, '.gitignore');
  if ((await ifThere(readFile(ignore, 'utf8'))) === GITIGNORE) await rm(ignore, { force: true });
  await rm(join(folder, MARKER), { force: true });
  // Nobody writes here any more: what unfinished writes left is nobody's.
  for (const temp of await placedLeftovers(folder)) await rm(temp, { recursive: true, force: true });
  await removeEmpty(folder);
  // Only where nothing else is in them.
  await rmdir(folder).catch(() => {});
  await rmdir(dirname(folder)).catch(() => {});
}

/** Folders that a killed removal left empty. */
async function removeEmpty(folder: string): Promise<void> {
  for (const entry of (await ifThere(readdir(folder, { withFileTypes: true }))) ?? []) {
    if (!entry.isDirectory()) continue;
    await removeEmpty(join(folder, entry.name));
    await rmdir(join(folder, entry.name)).catch(() => {});
  }
}

async function checkRoot(archive: string, projectRoot: string): Promise<void> {
  const found = await ifThere(lstat(projectRoot));
  if (!found) {
    throw new Fault('not-found', `Folder not found: ${projectRoot}.`, { hint: 'Check the path.' });
  }
  const inside = placedFolder(projectRoot);
  if (`${inside}/`.startsWith(`${archive}/`)) {
    throw new Fault('usage', `${projectRoot} is the archive itself.`, { hint: 'Give a project folder.' });
  }
}

async function treeHash(folder: string, names: string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const name of names) {
    refuseLinks(folder, name.split('/'));
    const bytes = (await ifThere(readFile(join(folder, name)))) ?? Buffer.alloc(0);
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  }
  return names.length === 0 ? '' : hash.digest('hex');
}

function moved(place: MovedMemory['place'], copied: Copied, aside: string[]): MovedMemory {
  return { place, moved: copied.names.length, bytes: copied.bytes, aside };
}

function notOurs(folder: string): Fault {
  return new Fault('conflict', `${folder} contains files that Keepsake did not create here.`, {
    hint: 'Review them, then run `keepsake init --approve` to use them. To import files of an older memory plugin, run `keepsake memory migrate-legacy`.',
  });
}

function elsewhere(root: string): Fault {
  return new Fault('conflict', `The rolling memory of this project is already in ${root}.`, {
    hint: 'Move it back first: keepsake init --undo',
  });
}
