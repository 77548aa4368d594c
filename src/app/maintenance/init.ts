import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { FoundMemory, MemoryPlace, MovedMemory } from '../../ports/archive.ts';
import { locateProject } from '../find/locate-project.ts';
import { makeProject } from '../find/make-project.ts';
import type { World } from '../world.ts';

export type InitPlan = {
  project: ProjectId;
  /** The project's own folder. */
  root: string;
  /** It is in the archive already. */
  known: boolean;
  place: MemoryPlace;
  found: FoundMemory;
  /** Files of its memory in the archive, which would move. */
  files: number;
};

/** What opting in, or out again, would do. Changes nothing. */
export async function planInit(world: World, root: string): Promise<InitPlan> {
  await refuseOddPlaces(world, root);
  const { project, exists } = await locateProject(world, root);
  const place = world.archive.places.where(project);
  const found = await world.archive.places.inspect(project, root);
  const files = (await world.archive.files.list(project, 'memory')).length;
  return { project, root, known: exists, place, found, files: place.kind === 'archive' ? files : 0 };
}

/** Puts a project's memory into its own `.claude/memory/`. What others put there needs `approve`. */
export async function enterProject(
  world: World,
  plan: InitPlan,
  options: { approve?: boolean } = {},
): Promise<MovedMemory> {
  const { project, root, found } = plan;
  if (!plan.known) await makeProject(world, project, root, `Opted in: ${root}`);
  const moved = await world.archive.places.enter(project, root, options.approve ? found.hash : undefined);
  const approved = options.approve && found.files.length > 0 && !found.ours;
  const note = `Its rolling memory is now in the project: ${moved.place.folder}`;
  const details = approved ? { details: { approved: found.hash } } : {};
  await world.archive.change(project, [], [{ at: world.clock.now(), action: 'memory', note, ...details }]);
  return moved;
}

/** Takes it back into the archive. */
export async function leaveProject(world: World, plan: InitPlan): Promise<MovedMemory> {
  const moved = await world.archive.places.leave(plan.project);
  const note = 'Its rolling memory is in the archive again.';
  await world.archive.change(plan.project, [], [{ at: world.clock.now(), action: 'memory', note }]);
  return moved;
}

/** In the home folder it would be the agent's own folder, where nothing is ever written. */
async function refuseOddPlaces(world: World, root: string): Promise<void> {
  const inside = (path: string, folder: string) => `${path}/`.startsWith(`${folder}/`);
  const target = `${root}/.claude/memory`;
  if (inside(target, world.places.claude) || inside(root, world.archive.root)) {
    throw new Fault(
      'usage',
      `${root} can't keep its rolling memory in ${target}: that folder is outside the project.`,
      {
        hint: 'Give a project folder, as in: keepsake init ~/shop',
      },
    );
  }
  if ((await world.machine.accessTo(root)) === 'missing')
    throw new Fault('not-found', `Folder not found: ${root}.`, { hint: 'Check the path.' });
}
