import type { ProjectId } from '../../core/model/ids.ts';
import type { World } from '../world.ts';

/** Topics are named in the words of all sessions of a project: the remaining ones are rebuilt without the purged session. */
export async function forgetTopics(world: World, project: ProjectId): Promise<void> {
  await world.archive.changeFrom(project, ({ sessions }) =>
    Object.values(sessions).flatMap(({ sessionId, metadata: { primaryTopics = [] } }) =>
      primaryTopics.length === 0
        ? []
        : [{ at: ['sessions', sessionId, 'metadata'], merge: { primaryTopics: [] } }],
    ),
  );
}
