import type { ProjectId } from '../../core/model/ids.ts';
import { loadTokenCounter } from '../../core/text/tokens.ts';
import type { World } from '../world.ts';
import { type ClaudeMdSync, syncClaudeMd } from './claude-md.ts';
import { changeIndex, RollingMemory } from './rolling-memory.ts';
import { writeSummaries } from './summaries.ts';
import { type MemoryUpdate, recordRotation, updateMemory } from './update.ts';

export type FinishedMemory = MemoryUpdate & { claudeMd?: ClaudeMdSync };

export type MemoryCheck = { counter: number; interval: number } & Partial<MemoryUpdate> & {
    claudeMd?: ClaudeMdSync;
  };

/** Counts; at the interval memory.md is updated. `session` keeps that to one session, as hooks want it; `counted` is how far other folders of the project are. */
export async function checkMemory(
  world: World,
  project: ProjectId,
  options: { session?: string; now?: boolean; counted?: number } = {},
): Promise<MemoryCheck> {
  const head = await world.archive.head(project);
  const { interval } = (await world.settings.resolve(head?.settings)).config.memory;
  const { counted = 0 } = options;
  const counter = await setCounter(world, project, (value) => Math.max(value, counted) + 1);
  if (counter < interval && !options.now) return { counter, interval };
  const session = options.session === undefined ? {} : { session: options.session };
  const updated = await updateMemory(world, project, session);
  await setCounter(world, project, () => 0);
  return { counter: 0, interval, ...updated, ...(await claudeMd(world, project)) };
}

/** memory.md has all that the refined sessions hold. */
export async function finishMemory(world: World, project: ProjectId): Promise<FinishedMemory> {
  const updated = await updateMemory(world, project);
  return { ...updated, ...(await claudeMd(world, project)) };
}

export async function resetCounter(world: World, project: ProjectId): Promise<void> {
  await setCounter(world, project, () => 0);
}

/** `force`: however short memory.md is. Gives the archives that were made. */
export async function rotateMemory(world: World, project: ProjectId, force: boolean): Promise<string[]> {
  const count = await loadTokenCounter();
  const rotated = await world.archive.exclusive(async () => {
    const rolling = await RollingMemory.open(world, project, count);
    await rolling.rotate(force);
    return rolling.rotated;
  });
  await writeSummaries(world, project);
  await recordRotation(world, project, rotated);
  return rotated;
}

async function setCounter(
  world: World,
  project: ProjectId,
  change: (value: number) => number,
): Promise<number> {
  const { counter } = await world.archive.exclusive(() =>
    changeIndex(world, project, (index) => ({ ...index, counter: change(index.counter) })),
  );
  return counter;
}

async function claudeMd(world: World, project: ProjectId): Promise<{ claudeMd?: ClaudeMdSync }> {
  const synced = await syncClaudeMd(world, project);
  return synced === undefined ? {} : { claudeMd: synced };
}
