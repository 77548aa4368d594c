import { readJson } from '../intake/agent-files.ts';
import type { World } from '../world.ts';

/** Whether Claude Code keeps notes of its own (auto memory); on unless its settings say otherwise. */
export async function isOwnMemoryOn(world: World): Promise<boolean> {
  const settings = readJson(await world.machine.readText(`${world.places.claude}/settings.json`));
  return settings.autoMemoryEnabled !== false;
}

/** In how many projects Claude Code has notes of its own; 0 if it keeps none. */
export async function projectsWithOwnMemory(world: World): Promise<number> {
  if (!(await isOwnMemoryOn(world))) return 0;
  let projects = 0;
  for (const folder of world.places.claudeProjects)
    for (const name of await world.machine.list(folder))
      if ((await world.machine.list(`${folder}/${name}/memory`)).length > 0) projects++;
  return projects;
}
