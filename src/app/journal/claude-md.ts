import { IMPORT_LINE, withImport, withoutImport } from '../../core/journal/import-line.ts';
import { Fault } from '../../core/model/fault.ts';
import { locateProject } from '../find/locate-project.ts';
import type { World } from '../world.ts';
import { foreignJournal, inspectJournal, masterName } from './place.ts';

export type ImportPlan = { file: string; root: string; before: Buffer; after: Buffer; steps: string[] };

/** What it takes to have the agent load the master in every session of a project, or no longer. Changes nothing. */
export async function planImport(world: World, root: string, undo: boolean): Promise<ImportPlan> {
  const file = `${root}/CLAUDE.md`;
  const access = await world.machine.accessTo(file);
  const there = access === 'missing' ? undefined : await world.machine.readBytes(file);
  if (access !== 'missing' && there === undefined)
    throw new Fault('read-only', `${file} can't be read and was not changed.`);
  const before = there ?? Buffer.alloc(0);
  if (before.includes(0)) throw new Fault('conflict', 'CLAUDE.md is not UTF-8 text and was not changed.');
  if (!undo) await refuseUnseen(world, root);
  const after = undo ? withoutImport(before) : withImport(before);
  const same = after.equals(before);
  const done = undo
    ? `${file} does not contain the line ${IMPORT_LINE}.`
    : `${file} already contains the line ${IMPORT_LINE}.`;
  const step = undo
    ? `Removes the line ${IMPORT_LINE} from ${file}.`
    : `Adds the line ${IMPORT_LINE} to ${file}: the agent then loads the master in every session.`;
  return { file, root, before, after, steps: [same ? done : step] };
}

/** A file that held the line and nothing else goes with it. */
export async function writeImport(
  world: World,
  { file, root, before, after }: ImportPlan,
): Promise<'written' | 'removed' | undefined> {
  if (after.equals(before)) return undefined;
  if (after.length > 0) await world.machine.replaceFile(file, after, root);
  else await world.projectFiles.remove(root, 'CLAUDE.md');
  return after.length > 0 ? 'written' : 'removed';
}

/** What the agent loads unasked must be the user's own. */
async function refuseUnseen(world: World, root: string): Promise<void> {
  const { project, exists } = await locateProject(world, root);
  const journal = await inspectJournal(world, { project, root, known: exists });
  if (journal.state === 'foreign') throw foreignJournal(journal);
  if (journal.files.some(({ name }) => name === masterName())) return;
  throw new Fault('not-found', `${masterName()} does not exist in ${root} yet.`, {
    hint: 'Create it first: keepsake summarize, then keepsake synthesize.',
  });
}
