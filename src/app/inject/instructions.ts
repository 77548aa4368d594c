import { Fault } from '../../core/model/fault.ts';
import { sanitizePath } from '../../core/model/ids.ts';
import { foldersAbove } from '../../core/model/platform.ts';
import { orFault } from '../or-fault.ts';
import type { World } from '../world.ts';

const FILES = ['CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md', 'AGENTS.md'];
const MOST_BYTES = 65_536;
const MOST_FILES = 20;
/** Folders above the one of the session, whose instructions count there, too. */
const MOST_ABOVE = 6;
/** `@docs/style.md` in instructions: that file is read with them. */
const IMPORTED = /(?<![\w`])@((?:\.\/)?[\w.-]+(?:\/[\w.-]+)*\.\w+)/g;

type Place = { root: string; name: string };

export type AgentInstructions = { text: string; files: ReadonlySet<string> };

/** What the agent itself reads when a session starts in a folder, its instructions and its own memory; and the names of these files. */
export async function agentInstructions(world: World, folder: string): Promise<AgentInstructions> {
  const { claude } = world.places;
  const own = `${claude}/projects/${sanitizePath(folder)}`;
  const listed = await Promise.all([
    notesIn(world, folder, '.claude/rules'),
    notesIn(world, claude, 'rules'),
    notesIn(world, own, 'memory'),
  ]);
  const wanted: Place[] = [
    ...foldersAbove(folder, MOST_ABOVE).flatMap((root) => FILES.map((name) => ({ root, name }))),
    { root: claude, name: 'CLAUDE.md' },
    ...listed.flat(),
  ];
  const texts = await Promise.all(wanted.map((place) => textOf(world, place)));
  const imported = wanted.flatMap(({ root }, at) =>
    [...texts[at]!.matchAll(IMPORTED)].map(([, name = '']) => ({ root, name: name.replace(/^\.\//, '') })),
  );
  const more = await Promise.all(imported.slice(0, MOST_FILES).map((place) => textOf(world, place)));
  const read = wanted.filter((_, at) => texts[at] !== '');
  return {
    text: [...texts, ...more].filter((text) => text !== '').join('\n'),
    files: new Set(read.map(({ name }) => name.split('/').at(-1)!)),
  };
}

async function notesIn(world: World, root: string, folder: string): Promise<Place[]> {
  const listed = await orFault(world.projectFiles.list(root, folder, MOST_FILES));
  if (listed instanceof Fault) return [];
  return listed.flatMap(({ name }) => (name.endsWith('.md') ? [{ root, name }] : []));
}

async function textOf(world: World, { root, name }: Place): Promise<string> {
  const bytes = await orFault(world.projectFiles.read(root, name, MOST_BYTES));
  return bytes instanceof Fault ? '' : (bytes?.toString('utf8') ?? '');
}
