import { type ProjectId, sanitizePath } from '../../core/model/ids.ts';
import { orFault } from '../or-fault.ts';
import type { World } from '../world.ts';

const NOTICE =
  "keepsake: Claude Code's auto memory (MEMORY.md) is also active in this project. Keepsake doesn't change it: MEMORY.md and " +
  'Keepsake\'s memory.md are two different files. To use only Keepsake, set "autoMemoryEnabled": false in Claude Code\'s settings.json.';

/** What the person is shown when a session starts beside Claude Code's own memory: once a project. */
export async function ownMemoryNotice(world: World, project: ProjectId): Promise<string | undefined> {
  const { claude, cwd } = world.places;
  const own = `${claude}/projects/${sanitizePath(cwd)}/memory/MEMORY.md`;
  if ((await world.machine.accessTo(own)) === 'missing') return undefined;
  const { files } = world.archive;
  const shown = `hooks/own-memory/${project}.json`;
  if ((await orFault(files.read(undefined, shown))) !== undefined) return undefined;
  // Loaded once a project: every start waits for what it loads.
  const { isOwnMemoryOn } = await import('../maintenance/own-memory.ts');
  if (!(await isOwnMemoryOn(world))) return undefined;
  return (await orFault(files.create(undefined, shown, '{}'))) === true ? NOTICE : undefined;
}
