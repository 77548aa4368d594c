import { groupProjects, type ProjectGroup } from '../../core/identity/group-projects.ts';
import { type ProjectId, sanitizePath } from '../../core/model/ids.ts';
import type { World } from '../world.ts';
import { type Folder, folderProjects } from './folder-projects.ts';

/** What the user knows as one project: the folders of a repository, the main one first. */
export type Repository = ProjectGroup<Folder>;

export async function allRepositories(world: World): Promise<Repository[]> {
  return groupProjects(await folderProjects(world));
}

/** The repository that a folder's project belongs to; of a project that is not there, itself alone. */
export async function repositoryOf(world: World, project: ProjectId): Promise<Repository> {
  const found = (await allRepositories(world)).find((it) => hasFolder(it, project));
  if (found) return found;
  const main = { projectId: project, originalPath: '', displayName: project };
  return { key: `folder:${project}`, name: project, main, folders: [main] };
}

/** The projects of the repository that this one belongs to, the main one first. */
export async function projectsOf(world: World, project: ProjectId): Promise<ProjectId[]> {
  return (await repositoryOf(world, project)).folders.map(({ projectId }) => projectId);
}

/** What each folder's project is called: as its repository. */
export async function repositoryNames(world: World): Promise<Map<string, string>> {
  const repositories = await allRepositories(world);
  return new Map(
    repositories.flatMap(({ name, folders }) => folders.map(({ projectId }) => [projectId, name] as const)),
  );
}

/** The project that each folder's project is listed as: the main one of its repository. */
export async function listedProjects(world: World): Promise<Map<ProjectId, ProjectId>> {
  const repositories = await allRepositories(world);
  return new Map(
    repositories.flatMap(({ main, folders }) => folders.map((it) => [it.projectId, main.projectId] as const)),
  );
}

/** The repository of a folder that has no project of its own yet: a new worktree, a checkout that was moved. */
export async function repositoryAt(world: World, folder: string): Promise<Repository | undefined> {
  const repositories = await allRepositories(world);
  const roots = repositories.flatMap(({ key }) => /^root:([0-9a-f]+)/.exec(key)?.[1] ?? []);
  const { readKnownRepository } = await import('./read-repository.ts');
  const { identity, worktreeOf } = await readKnownRepository(world, folder, roots);
  if (identity === undefined && worktreeOf === undefined) return undefined;
  // As if the folder were known: then joins and splits count for it, too.
  const here = {
    projectId: sanitizePath(folder),
    originalPath: folder,
    displayName: '',
    repository: { identity, worktreeOf },
  };
  const [own] = groupProjects([...repositories.flatMap(({ folders }) => folders), here]).filter((it) =>
    hasFolder(it, here.projectId),
  );
  return repositories.find(({ key }) => key === own?.key);
}

function hasFolder({ folders }: Repository, project: ProjectId): boolean {
  return folders.some(({ projectId }) => projectId === project);
}
