import { ifReadable } from '../../../app/if-readable.ts';
import type { World } from '../../../app/world.ts';
import type { ProjectId } from '../../../core/model/ids.ts';

/** What projects are called, by their ids. */
export async function projectNames(
  world: World,
  projects: Iterable<ProjectId>,
): Promise<Map<string, string>> {
  const ids = [...new Set(projects)];
  const heads = await Promise.all(ids.map((id) => ifReadable(world.archive.head(id))));
  return new Map(ids.map((id, index) => [id, heads[index]?.displayName ?? id]));
}
