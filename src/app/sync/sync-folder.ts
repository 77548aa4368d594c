import { sanitizePath } from '../../core/model/ids.ts';
import { findProject } from '../find/project.ts';
import type { World } from '../world.ts';
import { sync } from './sync.ts';

/** Syncs what the agent wrote until now for this folder; where nobody is in one, for the folder of a project. */
export async function syncFolder(world: World, project?: string): Promise<void> {
  const { cwd, claudeProjects } = world.places;
  const folder = cwd === '' && project !== undefined ? await folderOf(world, project) : cwd;
  for (const transcripts of folder === '' ? [] : claudeProjects) {
    const own = `${transcripts}/${sanitizePath(folder)}`;
    if ((await world.transcripts.inspect(own)) === 'folder') await sync(world, { from: [own] });
  }
}

async function folderOf(world: World, project: string): Promise<string> {
  return (await world.archive.head(await findProject(world, project)))?.originalPath ?? '';
}
