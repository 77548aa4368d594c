import { Fault } from '../../core/model/fault.ts';
import { sanitizePath } from '../../core/model/ids.ts';
import { orFault } from '../or-fault.ts';
import type { World } from '../world.ts';

const FILES = ['CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md', 'AGENTS.md'];
const MOST_BYTES = 65_536;
const MOST_FILES = 20;

/** What the agent reads by itself when a session starts in a folder: its instructions, and its own memory. */
export async function agentInstructions(world: World, folder: string): Promise<string> {
  const { claude } = world.places;
  const own = `${claude}/projects/${sanitizePath(folder)}`;
  const listed = await orFault(world.projectFiles.list(own, 'memory', MOST_FILES));
  const memory = listed instanceof Fault ? [] : listed;
  const wanted: [root: string, name: string][] = [
    ...FILES.map((name): [string, string] => [folder, name]),
    [claude, 'CLAUDE.md'],
    ...memory.filter(({ name }) => name.endsWith('.md')).map(({ name }): [string, string] => [own, name]),
  ];
  const texts = await Promise.all(
    wanted.map(async ([root, name]) => {
      const bytes = await orFault(world.projectFiles.read(root, name, MOST_BYTES));
      return bytes instanceof Fault ? '' : (bytes?.toString('utf8') ?? '');
    }),
  );
  return texts.filter((text) => text !== '').join('\n');
}
