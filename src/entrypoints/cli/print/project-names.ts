import { repositoryNames } from '../../../app/repository/repositories.ts';
import type { World } from '../../../app/world.ts';
import type { ProjectId } from '../../../core/model/ids.ts';

/** What the projects of folders are called, by the ids of the folders. */
export async function projectNames(
  world: World,
  projects: Iterable<ProjectId>,
): Promise<Map<string, string>> {
  const names = await repositoryNames(world);
  return new Map([...projects].map((id) => [id, names.get(id) ?? id]));
}
