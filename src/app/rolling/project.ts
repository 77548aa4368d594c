import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { projectHere } from '../find/locate-project.ts';
import { findProject } from '../find/project.ts';
import type { World } from '../world.ts';

/** The project that is named, else that of this folder, of one above it or of its repository. */
export async function memoryProject(world: World, named?: string): Promise<ProjectId> {
  const project = named === undefined ? await projectHere(world) : await findProject(world, named);
  if (project !== undefined) return project;
  throw new Fault('not-found', 'This folder belongs to no archived project.', {
    hint: 'Choose one with --project; `keepsake projects` lists them.',
  });
}
