import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { World } from '../world.ts';
import { locateProject } from './locate-project.ts';
import { findProject } from './project.ts';
import { openProjects } from './projects.ts';

/** Whose memory is asked. */
export type RecallScope = {
  manifests: Manifest[];
  /** The project that was named or that this folder belongs to; undefined when all are asked. */
  project?: Manifest;
};

/** The project that is named, else that of this folder or of one above it, else all. Worktrees of it come along. */
export async function recallScope(world: World, named?: string): Promise<RecallScope> {
  const id = named === undefined ? await projectHere(world) : await findProject(world, named);
  const project = id === undefined ? undefined : (await world.archive.open(id))?.manifest;
  if (project !== undefined) return { manifests: await withWorktrees(world, project), project };
  const manifests = await openProjects(world);
  const moved = await sameRemote(world, manifests);
  return moved === undefined
    ? { manifests }
    : { manifests: manifests.filter((it) => it.gitRemote === moved.gitRemote), project: moved };
}

export async function projectHere(world: World): Promise<ProjectId | undefined> {
  for (let path = world.places.cwd; path !== ''; path = path.replace(/[\\/]?[^\\/]*$/, '')) {
    const { project, exists } = await locateProject(world, path);
    if (exists) return project;
  }
  return undefined;
}

/** A checkout that was moved is known by its remote. */
async function sameRemote(world: World, manifests: Manifest[]): Promise<Manifest | undefined> {
  const remote = await world.git.remote(world.places.cwd);
  return remote === undefined ? undefined : manifests.find((it) => it.gitRemote === remote);
}

async function withWorktrees(world: World, project: Manifest): Promise<Manifest[]> {
  if (project.gitRemote === undefined) return [project];
  const others = (await openProjects(world)).filter(
    (it) => it.gitRemote === project.gitRemote && it.projectId !== project.projectId,
  );
  return [project, ...others];
}
