import type { ProjectId } from '../../core/model/ids.ts';
import { readIndex } from '../../core/rolling/index-file.ts';
import { repositoryOf } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { checkMemory, type FinishedMemory, finishMemory, type MemoryCheck, resetCounter } from './check.ts';
import type { ClaudeMdSync } from './claude-md.ts';
import { inEachFolder } from './project-memory.ts';
import { INDEX_FILE } from './rolling-memory.ts';

/** As `checkMemory` for all folders of a project: they count together, and at the interval each one's memory.md is updated. */
export async function checkProjectMemory(
  world: World,
  project: ProjectId,
  options: { session?: string; now?: boolean } = {},
): Promise<MemoryCheck> {
  const { session } = options;
  if (session !== undefined) return checkMemory(world, await folderOf(world, project, session), options);
  const counted = await inEachFolder(world, project, (folder) => counterOf(world, folder));
  const own = await checkMemory(world, project, { ...options, counted: Math.max(...counted) });
  if (own.added === undefined) return own;
  const others = (await foldersOf(world, project)).filter((folder) => folder !== project);
  const each: FinishedMemory[] = [];
  for (const folder of others) {
    each.push(await finishMemory(world, folder));
    await resetCounter(world, folder);
  }
  const { counter, interval, added, rotated = [], ...rest } = own;
  return { counter, interval, ...together([{ added, rotated, ...rest }, ...each]) };
}

/** As `finishMemory` for all folders of a project. */
export async function finishProjectMemory(world: World, project: ProjectId): Promise<FinishedMemory> {
  return together(await inEachFolder(world, project, (folder) => finishMemory(world, folder)));
}

/** The folder of the project that has the session; the project itself where none has it. */
async function folderOf(world: World, project: ProjectId, session: string): Promise<ProjectId> {
  for (const folder of [project, ...(await foldersOf(world, project))])
    if ((await world.archive.open(folder))?.manifest.sessions[session]) return folder;
  return project;
}

async function foldersOf(world: World, project: ProjectId): Promise<ProjectId[]> {
  return (await repositoryOf(world, project)).folders.map(({ projectId }) => projectId);
}

async function counterOf(world: World, folder: ProjectId): Promise<number> {
  return readIndex((await world.archive.files.read(folder, INDEX_FILE))?.toString()).index.counter;
}

const WORTH_SAYING: ClaudeMdSync['status'][] = ['refused', 'written', 'removed', 'same'];

function together(each: FinishedMemory[]): FinishedMemory {
  const blocks = each.flatMap(({ claudeMd }) => claudeMd ?? []);
  const claudeMd = WORTH_SAYING.map((status) => blocks.find((it) => it.status === status)).find(Boolean);
  return {
    added: each.reduce((sum, it) => sum + it.added, 0),
    rotated: each.flatMap(({ rotated }) => rotated),
    ...(claudeMd ? { claudeMd } : {}),
  };
}
