import type { ProjectId } from '../../core/model/ids.ts';
import { syncUnread } from '../sync/sync-unread.ts';
import type { World } from '../world.ts';
import { learnFromProject } from './memory.ts';
import { makeStartInjection } from './start-injection.ts';

/** Adds sessions that agents wrote since the last time to the archive; their lasting statements count from now on. */
export async function learnUnread(
  world: World,
  { claude, signal }: { claude: boolean; signal: AbortSignal },
): Promise<ProjectId[]> {
  const projects = await syncUnread(world, { claude, signal });
  for (const project of projects) {
    await learnFromProject(world, project, signal);
    await makeStartInjection(world, project);
  }
  return projects;
}
