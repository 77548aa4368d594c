import { type ProjectId, sanitizePath, secondProjectId } from '../../core/model/ids.ts';
import type { ProjectHead } from '../../ports/archive.ts';
import { repositoryAt } from '../repository/repositories.ts';
import type { World } from '../world.ts';

/** `unplaced`: it is there by its name alone, and this path is the first that is known of it. */
export type Located = { project: ProjectId; exists: boolean; unplaced?: true };

/** The project of a working directory: its sanitized path, or a second id when another path has that name already. */
export async function locateProject(world: World, path: string): Promise<Located> {
  const plain = sanitizePath(path);
  const head = await world.archive.head(plain);
  if (head === undefined) return { project: plain, exists: false };
  if (head.originalPath === path) return { project: plain, exists: true };
  const second = secondProjectId(path);
  const exists = (await world.archive.head(second)) !== undefined;
  if (!exists && isUnplaced(head)) return { project: plain, exists: true, unplaced: true };
  return { project: second, exists };
}

/** Its path is not known: only the name of its folder was, or its manifest was lost. */
export function isUnplaced({ projectId, originalPath }: ProjectHead): boolean {
  return originalPath === '' || originalPath === projectId;
}

/** The last part of a path, for people. */
export function displayNameOf(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}

/** The project of this folder or of one above it in the same checkout, else the one of its repository, else one above. */
export async function projectHere(world: World): Promise<ProjectId | undefined> {
  const { cwd } = world.places;
  if (cwd === '') return undefined;
  const own = await known(world, cwd);
  if (own !== undefined) return own;
  const top = (await world.git.checkout(cwd))?.top;
  let asked = top === undefined;
  for (let path = parentOf(cwd); path !== ''; path = parentOf(path)) {
    if (!asked && !`${path}/`.startsWith(`${top}/`)) {
      asked = true;
      const repository = await repositoryAt(world, cwd);
      if (repository) return repository.main.projectId;
    }
    const around = await known(world, path);
    if (around !== undefined) return around;
  }
  return asked ? undefined : (await repositoryAt(world, cwd))?.main.projectId;
}

async function known(world: World, path: string): Promise<ProjectId | undefined> {
  const { project, exists } = await locateProject(world, path);
  return exists ? project : undefined;
}

function parentOf(path: string): string {
  return path.replace(/[\\/]?[^\\/]*$/, '');
}
