import { Fault, type FaultCode } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { foldersAsked } from '../find/project.ts';
import { ifReadable, orFault } from '../or-fault.ts';
import { eachProject, type ProjectsRun } from '../or-problem.ts';
import type { World } from '../world.ts';
import { updateLayers } from './update.ts';

/** A registered session waits for the next sync in a project with more refined files than this. */
const SMALL = 400;
const UNWRITABLE = new Set<FaultCode>(['busy', 'read-only', 'disk-full']);

/** Concepts and facts of every project that changed. A project whose layers can't be made does not stop the others. */
export async function syncLayers(world: World, projects: ProjectId[], run: ProjectsRun): Promise<void> {
  await eachProject(projects, run, (project) => syncProject(world, project));
}

async function syncProject(world: World, project: ProjectId): Promise<void> {
  const before = (await world.archive.head(project))?.gen;
  await updateLayers(world, project);
  // What it noted of topics goes where all of a sync goes.
  if ((await world.archive.head(project))?.gen !== before) await world.archive.fold(project);
}

/** Before concepts and facts of a project, or of all, are read. Where nothing can be written they are read as stored. */
export async function layersBefore(world: World, project?: string): Promise<void> {
  for (const id of await foldersAsked(world, project)) {
    const updated = await orFault(ifReadable(updateLayers(world, id)));
    if (!(updated instanceof Fault)) continue;
    if (UNWRITABLE.has(updated.code)) return;
    throw updated;
  }
}

/** After a few sessions were registered by name: at once in a small project, with the next sync in a large one. */
export async function layersAfter(
  world: World,
  sessions: { projectId: ProjectId }[],
  run: ProjectsRun,
): Promise<void> {
  for (const project of new Set(sessions.map(({ projectId }) => projectId))) {
    const refined = await world.archive.files.list(project, 'memory/sessions');
    if (refined.filter((name) => name.endsWith('.l1.jsonl')).length <= SMALL)
      await syncLayers(world, [project], run);
  }
}
