import type { ProjectId } from '../../core/model/ids.ts';
import type { FinishedMemory } from '../rolling/check.ts';
import { finishProjectMemory } from '../rolling/check-project.ts';
import type { World } from '../world.ts';
import { register } from './register.ts';

/** The end of a session, or of any: it is archived and refined, and memory.md has all of it. */
export async function finishSession(
  world: World,
  project: ProjectId,
  session?: string,
): Promise<FinishedMemory> {
  if (session !== undefined) await register(world, session, { project });
  return finishProjectMemory(world, project);
}
