import type { ProjectId } from '../../core/model/ids.ts';
import { REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import { fields, figure } from '../../core/model/shape.ts';
import { eachProject, type ProjectsRun } from '../or-problem.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';
import { finishMemory, rotateMemory } from './check.ts';
import { rereadMemory } from './reread.ts';
import { MEMORY_FILE } from './rolling-memory.ts';
import { readRollingState } from './state.ts';

/** Bytes of a memory.md that need not be counted: no text has so many tokens in them. */
const NEVER_TOO_LONG = 23_000;

/** memory.md of every project that changed since it was last brought up. One that can't be written does not stop the others. */
export async function syncMemory(world: World, projects: ProjectId[], run: ProjectsRun): Promise<void> {
  await eachProject(projects, run, (project) => syncProject(world, project, run));
}

async function syncProject(world: World, project: ProjectId, { report, signal }: ProjectsRun): Promise<void> {
  const head = await world.archive.head(project);
  if (!head) return;
  const { begun, engine } = await readRollingState(world, project);
  const isRead = !begun || engine === REFINE_ENGINE;
  if (isRead && (await lastGen(world, project)) === head.gen) {
    // A person may have made it too long.
    if ((await world.archive.files.size(project, MEMORY_FILE)) > NEVER_TOO_LONG)
      await rotateMemory(world, project, false);
    return;
  }
  if (!isRead) await rereadMemory(world, project, signal);
  if (signal?.aborted) return;
  const { claudeMd } = await finishMemory(world, project);
  if (claudeMd?.reason !== undefined) report.notes.push(claudeMd.reason);
  // As it was before: what came meanwhile is for the next time.
  await world.archive.files.write(undefined, stateFile(project), JSON.stringify({ gen: head.gen }));
}

const UPDATED: StoredKind<{ gen: number }> = {
  schema: fields({ gen: figure }),
  damaged: 'memory.md of the project is brought up to date again.',
};

async function lastGen(world: World, project: ProjectId): Promise<number | undefined> {
  return (await readStored(world, undefined, stateFile(project), UPDATED)).value?.gen;
}

function stateFile(project: ProjectId): string {
  return `rolling/${project}.json`;
}
