import type { ProjectId } from '../../core/model/ids.ts';
import { type BlockEdit, withBlock, withoutBlock } from '../../core/rolling/claude-md.ts';
import { rulesBlock } from '../../core/rolling/rules-block.ts';
import { isUnplaced } from '../find/locate-project.ts';
import { rulesOfFolders } from '../find/rules.ts';
import { projectsOf } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { readRollingState, writeState } from './state.ts';

export type ClaudeMdSync = {
  file: string;
  status: 'written' | 'same' | 'removed' | 'refused';
  /** Why it was refused. */
  reason?: string;
};

/** Adds the block to the project's CLAUDE.md if that is turned on, and removes its own block if it is not. */
export async function syncClaudeMd(world: World, project: ProjectId): Promise<ClaudeMdSync | undefined> {
  const head = await world.archive.head(project);
  if (!head || isUnplaced(head)) return undefined;
  const { claudeMd: wanted } = (await world.settings.resolve(head.settings)).config.memory;
  const { claudeMd: ours } = await readRollingState(world, project);
  if (!wanted && !ours) return undefined;
  const root = head.originalPath;
  const file = `${root}/CLAUDE.md`;
  if ((await world.machine.accessTo(root)) === 'missing') return undefined;
  const access = await world.machine.accessTo(file);
  const there = access === 'missing' ? undefined : await world.machine.readBytes(file);
  // What can't be read must not be written over.
  if (access !== 'missing' && there === undefined)
    return { file, status: 'refused', reason: `${file} can't be read and was not changed.` };
  const before = there ?? Buffer.alloc(0);
  const edit: BlockEdit = wanted
    ? withBlock(before, rulesBlock((await rulesOf(world, project)).map((rule) => rule.content)))
    : withoutBlock(before);
  if ('refused' in edit) return { file, status: 'refused', reason: edit.refused };
  if (!edit.bytes.equals(before)) await world.machine.replaceFile(file, edit.bytes, root);
  await remember(world, project, wanted);
  if (!wanted) return { file, status: 'removed' };
  return { file, status: edit.bytes.equals(before) ? 'same' : 'written' };
}

async function remember(world: World, project: ProjectId, claudeMd: boolean): Promise<void> {
  await world.archive.exclusive(async () => {
    const state = await readRollingState(world, project);
    if (state.claudeMd !== claudeMd) await writeState(world, project, { ...state, claudeMd });
  });
}

/** Those of every folder: what was said in a worktree holds in the checkout. */
async function rulesOf(world: World, project: ProjectId) {
  return rulesOfFolders(world, await projectsOf(world, project));
}
