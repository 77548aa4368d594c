import { Fault } from '../../core/model/fault.ts';
import { sanitizePath } from '../../core/model/ids.ts';
import type { World } from '../world.ts';

/** Names of folders that the agent cuts and hashes in its own way are longer than this. */
const LONGEST_FOLDER = 200;

/** Where the agent looks for sessions of a directory. */
export async function agentFolder(world: World, cwd: string): Promise<string> {
  const [projects = ''] = world.places.claudeProjects;
  const plain = cwd.replace(/[^A-Za-z0-9]/g, '-');
  if (plain.length <= LONGEST_FOLDER) return `${projects}/${sanitizePath(cwd)}`;
  const begins = `${plain.slice(0, LONGEST_FOLDER)}-`;
  const known = (await world.machine.list(projects)).filter((name) => name.startsWith(begins));
  if (known.length === 1) return `${projects}/${known[0]}`;
  throw new Fault('conflict', "The path of this folder is too long to derive the agent's folder from it.", {
    hint: 'Run the agent here once, then try again, or paste the Markdown instead.',
  });
}
