import type { ProjectId } from '../../core/model/ids.ts';
import { type FinishedMemory, finishMemory } from '../rolling/check.ts';
import type { World } from '../world.ts';
import { register } from './register.ts';

/** The end of a session, or of any: it is archived and refined, and memory.md has all of it. */
export async function finishSession(
  world: World,
  project: ProjectId,
  session?: string,
): Promise<FinishedMemory> {
  if (session !== undefined) await register(world, session, { project });
  return finishMemory(world, project);
}
