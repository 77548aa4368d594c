import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { locateProject } from '../find/locate-project.ts';
import { findProject } from '../find/project.ts';
import type { World } from '../world.ts';

/** The project that is named, else that of this folder or of one above it. */
export async function memoryProject(world: World, named?: string): Promise<ProjectId> {
  if (named !== undefined) return findProject(world, named);
  for (let path = world.places.cwd; path !== ''; path = path.replace(/[\\/]?[^\\/]*$/, '')) {
    const { project, exists } = await locateProject(world, path);
    if (exists) return project;
  }
  throw new Fault('not-found', 'This folder belongs to no project that is kept.', {
    hint: 'Say which with --project; `keepsake projects` lists them.',
  });
}
