import type { ProjectId } from '../../core/model/ids.ts';
import { mergedMemory } from '../../core/rolling/merged-memory.ts';
import { repositoryOf } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { type Authored, getNote, listMemory, type MemoryFile } from './notes.ts';
import { MEMORY_FILE } from './rolling-memory.ts';

/** A file of a project's memory, and the folder of the project that has it. */
export type ProjectMemoryFile = MemoryFile & { project: ProjectId; folder: string };

/** The folders of the project that one of them belongs to: that one first. Each has files of its own; reading goes by all. */
async function memoryFolders(
  world: World,
  project: ProjectId,
): Promise<{ project: ProjectId; folder: string }[]> {
  const { folders } = await repositoryOf(world, project);
  const all = folders.map(({ projectId, originalPath }) => ({ project: projectId, folder: originalPath }));
  return [...all.filter((it) => it.project === project), ...all.filter((it) => it.project !== project)];
}

/** Does something in each folder of a project, one after the other; with `file` only if there is one of that name. */
export async function inEachFolder<T>(
  world: World,
  project: ProjectId,
  run: (folder: ProjectId) => Promise<T>,
  file?: string,
): Promise<T[]> {
  const folders = await memoryFolders(world, project);
  const holding = file === undefined ? [] : await foldersWith(world, folders, file);
  const wanted = file === undefined ? folders.map((it) => it.project) : holding;
  const done: T[] = [];
  for (const folder of wanted.length === 0 ? [project] : wanted) done.push(await run(folder));
  return done;
}

/** Every file of a project's memory but its sessions, folder by folder; notes that nobody has written only of the first. */
export async function listProjectMemory(world: World, project: ProjectId): Promise<ProjectMemoryFile[]> {
  const found: ProjectMemoryFile[] = [];
  for (const of of await memoryFolders(world, project)) {
    const files = await listMemory(world, of.project);
    found.push(
      ...files.filter((it) => of.project === project || !it.unwritten).map((it) => ({ ...it, ...of })),
    );
  }
  return found;
}

/**
 * memory.md as its folders have it together; of notes and archives the one of this folder, else of the first folder that
 * has it.
 */
export async function getProjectNote(
  world: World,
  project: ProjectId,
  name: string,
): Promise<{ name: string; text: string; written: boolean } & Authored> {
  const folders = await memoryFolders(world, project);
  const holding = folders.length < 2 ? [] : await foldersWith(world, folders, name);
  const note = await getNote(world, holding[0] ?? project, name);
  if (holding.length < 2 || note.name !== 'memory.md' || note.via === 'import') return note;
  const texts: string[] = [];
  for (const folder of holding) texts.push((await getNote(world, folder, name)).text);
  return { ...note, text: mergedMemory(texts) };
}

async function foldersWith(
  world: World,
  folders: { project: ProjectId }[],
  name: string,
): Promise<ProjectId[]> {
  const plain = name === 'memory' ? MEMORY_FILE.slice('memory/'.length) : name.replace(/^memory\//, '');
  const found: ProjectId[] = [];
  for (const { project } of folders) {
    const files = await listMemory(world, project);
    const has = files.some((it) => !it.unwritten && (it.name === plain || it.name === `${plain}.md`));
    if (has) found.push(project);
  }
  return found;
}
