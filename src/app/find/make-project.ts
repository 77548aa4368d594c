import { newProjectChange } from '../../core/model/change.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { newRepositoryNote } from '../repository/note-repository.ts';
import type { World } from '../world.ts';
import { displayNameOf } from './locate-project.ts';

/** A project that has no session yet, for what the user asked to have in its folder. */
export async function makeProject(
  world: World,
  project: ProjectId,
  root: string,
  note: string,
): Promise<void> {
  const at = world.clock.now();
  const repository = await newRepositoryNote(world, { path: root });
  const change = newProjectChange({
    projectId: project,
    originalPath: root,
    displayName: displayNameOf(root),
    createdAt: at,
    ...(repository ? { repository: { ...repository, since: at } } : {}),
  });
  await world.archive.change(project, [change], [{ at, action: 'create', note }]);
}
