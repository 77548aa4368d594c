import type { ProjectId } from '../core/model/ids.ts';
import { register } from './register.ts';
import { allSessions } from './sessions.ts';
import type { World } from './world.ts';

export const SAMPLE_NAME = 'sample';

/** True when neither the agent nor the archive has a single session. */
export async function nothingToRemember(world: World): Promise<boolean> {
  for (const folder of world.places.claudeProjects) {
    if ((await world.machine.accessTo(folder)) === 'missing') continue;
    if ((await world.transcripts.find(folder, [])).length > 0) return false;
  }
  return (await allSessions(world)).length === 0;
}

export async function hasSample(world: World): Promise<boolean> {
  return (await world.machine.accessTo(world.places.sample)) !== 'missing';
}

/** Takes in the built-in sample project and marks it as what it is. */
export async function useSample(world: World): Promise<number> {
  const { sessions } = await register(world, world.places.sample, {});
  const projects = [...new Set(sessions.map((session) => session.projectId as ProjectId))];
  for (const [index, project] of projects.entries()) {
    const displayName = projects.length === 1 ? SAMPLE_NAME : `${SAMPLE_NAME}-${index + 1}`;
    await world.archive.change(project, [{ at: [], merge: { sample: true, displayName } }]);
    await world.archive.fold(project);
  }
  return sessions.length;
}
