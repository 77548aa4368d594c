import type { ProjectId } from '../../core/model/ids.ts';
import type { RepositoryNote } from '../../core/model/repository.ts';
import { fields, object, oneOf, record, text } from '../../core/model/shape.ts';
import { ifReadable } from '../if-readable.ts';
import { orFault } from '../or-fault.ts';
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
type Known = { version: 1; folders: Record<string, KnownFolder> };

const FILE = 'folders.json';
const KNOWN: StoredKind<Known> = {
  schema: fields({
    version: oneOf(1),
    folders: record(
      fields({ stamp: text, path: text, name: text }, { repository: object<RepositoryNote>() }),
    ),
  }),
  format: ['version', 1],
  damaged: 'It is made again.',
};
/** Folders that are read again each time before it is worth a write. */
const MOST_BEHIND = 8;

/** The projects of all folders. Those whose records look as before are taken from the cache: a hook has no time to read them all. */
export async function folderProjects(world: World): Promise<Folder[]> {
  const [stamps, { value }] = await Promise.all([
    world.archive.stamps(),
    readStored(world, undefined, FILE, KNOWN),
  ]);
  const known = new Map(Object.entries(value?.folders ?? {}));
  let behind = 0;
  const read = async ([project, stamp]: [ProjectId, string]): Promise<[Folder, string] | undefined> => {
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
  if (behind > MOST_BEHIND || folders.length !== known.size) await store(world, folders);
  return folders.map(([folder]) => folder).sort((a, b) => (a.projectId < b.projectId ? -1 : 1));
}

function folderOf(projectId: ProjectId, { path, name, repository }: KnownFolder): Folder {
  return { projectId, originalPath: path, displayName: name, repository };
}

async function store(world: World, folders: [Folder, string][]): Promise<void> {
  const rows = folders
    .filter(([, stamp]) => stamp !== '')
    .map(([{ projectId, originalPath, displayName, repository }, stamp]): [string, KnownFolder] => [
      projectId,
      { stamp, path: originalPath, name: displayName, ...(repository ? { repository } : {}) },
    ]);
  const known: Known = { version: 1, folders: Object.fromEntries(rows) };
  // An archive that can't be written is read all the same.
  await orFault(world.archive.files.write(undefined, FILE, JSON.stringify(known)));
}
