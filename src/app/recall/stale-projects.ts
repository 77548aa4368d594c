import type { ProjectId } from '../../core/model/ids.ts';
import { REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import { factsAreCurrent } from '../find/rules.ts';
import type { RecallScope } from '../find/scope.ts';
import { readRollingState } from '../rolling/state.ts';
import type { World } from '../world.ts';

/**
 * The projects whose facts, concepts or memory.md an older version of Keepsake made: they may say what nobody said. The next
 * sync rebuilds them.
 */
export async function staleProjects(world: World, { manifests }: RecallScope): Promise<ReadonlySet<string>> {
  const stale = new Set<string>();
  for (const { projectId } of manifests) if (await isStale(world, projectId)) stale.add(projectId);
  return stale;
}

async function isStale(world: World, project: ProjectId): Promise<boolean> {
  const { begun, engine } = await readRollingState(world, project);
  return (begun && engine !== REFINE_ENGINE) || !(await factsAreCurrent(world, project));
}
