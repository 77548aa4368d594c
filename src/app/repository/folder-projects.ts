import { type ProjectId, toProjectId } from '../../core/model/ids.ts';
import type { RepositoryNote } from '../../core/model/repository.ts';
import { fields, object, oneOf, record, text } from '../../core/model/shape.ts';
import { ifReadable, orFault } from '../or-fault.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

/** One folder's project, without its sessions. */
export type Folder = {
  projectId: ProjectId;
  originalPath: string;
  displayName: string;
  repository?: RepositoryNote | undefined;
};

type KnownFolder = { stamp: string; path: string; name: string; repository?: RepositoryNote };
/** `list` is the state of the list of projects when all of them existed and were read; otherwise empty. */
type Known = { version: 2; list: string; folders: Record<string, KnownFolder> };

const FILE = 'folders.json';
const KNOWN: StoredKind<Known> = {
  schema: fields({
    version: oneOf(2),
    list: text,
    folders: record(
      fields({ stamp: text, path: text, name: text }, { repository: object<RepositoryNote>() }),
    ),
  }),
  format: ['version', 2],
  damaged: 'Keepsake rebuilds it.',
};
/** Folders that are read again each time before it is worth a write. */
const MOST_BEHIND = 8;

type Stamped = [Folder, stamp: string];

/** The projects of all folders. The cache is checked against their records, except for hooks, which have no time for that. */
export async function folderProjects(world: World): Promise<Folder[]> {
  const { value } = await readStored(world, undefined, FILE, KNOWN);
  const known = new Map(Object.entries(value?.folders ?? {}));
  const list = await world.archive.listStamp();
  // Whoever changes the name, the path or the repository of a project takes the cache away.
  if (world.isHook && list !== '' && list === value?.list)
    return [...known].map(([project, it]) => folderOf(toProjectId(project), it));
  const stamps = await world.archive.stamps();
  let behind = 0;
  const read = async ([project, stamp]: [ProjectId, string]): Promise<Stamped | undefined> => {
    const before = known.get(project);
    if (before && stamp !== '' && before.stamp === stamp) return [folderOf(project, before), stamp];
    behind++;
    const found = await ifReadable(world.archive.head(project).then((head) => ({ head })));
    // One that can't be read is found by its id, so that the caller learns why.
    if (!found) return [{ projectId: project, originalPath: '', displayName: project }, ''];
    const { head } = found;
    if (!head) return undefined;
    const { originalPath, displayName, repository } = head;
    return [{ projectId: project, originalPath, displayName, repository }, stamp];
  };
  const folders = (await Promise.all([...stamps].map(read))).filter((it) => it !== undefined);
  folders.sort(([a], [b]) => (a.projectId < b.projectId ? -1 : 1));
  const isListNew = list !== '' && list !== value?.list;
  if (behind > MOST_BEHIND || isListNew || folders.length !== known.size)
    await store(world, folders, folders.length === stamps.size ? list : '');
  return folders.map(([folder]) => folder);
}

function folderOf(projectId: ProjectId, { path, name, repository }: KnownFolder): Folder {
  return { projectId, originalPath: path, displayName: name, repository };
}

async function store(world: World, folders: Stamped[], list: string): Promise<void> {
  const rows = folders
    .filter(([, stamp]) => stamp !== '')
    .map(([{ projectId, originalPath, displayName, repository }, stamp]): [string, KnownFolder] => [
      projectId,
      { stamp, path: originalPath, name: displayName, ...(repository ? { repository } : {}) },
    ]);
  const now = await world.archive.stamps();
  // A change meanwhile deleted a cache that this would restore.
  const isWhole =
    rows.length === now.size && rows.every(([project, { stamp }]) => now.get(toProjectId(project)) === stamp);
  const known: Known = { version: 2, list: isWhole ? list : '', folders: Object.fromEntries(rows) };
  // An archive that can't be written is read anyway.
  await orFault(world.archive.files.write(undefined, FILE, JSON.stringify(known)));
}
