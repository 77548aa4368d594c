import type { ProjectId } from '../../core/model/ids.ts';
import { readIndex } from '../../core/rolling/index-file.ts';
import { NOTES, noteTemplate } from '../../core/rolling/notes.ts';
import { loadTokenCounter } from '../../core/text/tokens.ts';
import type { World } from '../world.ts';
import { grownSessions } from './delta.ts';
import { INDEX_FILE, RollingMemory } from './rolling-memory.ts';
import { type RollingState, readRollingState } from './state.ts';
import { writeSummaries } from './summaries.ts';
import { takeIn } from './take-in.ts';

export type UpdateOptions = {
  /** Only this session: a hook adds what it has just read. */
  session?: string;
};
export type MemoryUpdate = {
  /** Entries that were added to memory.md or extended. */
  added: number;
  /** Archives that were made on the way. */
  rotated: string[];
};

/** Brings memory.md up to date with the refined sessions. Done twice, or by two at once, it adds nothing twice. */
export async function updateMemory(
  world: World,
  project: ProjectId,
  options: UpdateOptions = {},
): Promise<MemoryUpdate> {
  const { index } = readIndex((await world.archive.files.read(project, INDEX_FILE))?.toString());
  const state = await readRollingState(world, project);
  const opened = await world.archive.open(project);
  if (!opened) return { added: 0, rotated: [] };
  const { manifest } = opened;
  const count = await loadTokenCounter();
  // Reading sessions takes a while: not under the lock.
  const since = index.lastMemoryUpdateTs;
  const grown = await grownSessions(world, { project, manifest, state, since, only: options.session });
  const done = await world.archive.exclusive(async () => {
    const rolling = await RollingMemory.open(world, project, count);
    await firstUse(world, project, rolling);
    // What another process added meanwhile waits for the next time.
    const same = grown.filter(({ record: { sessionId: id } }) => isSame(state, rolling.state, id));
    const added = await takeIn(world, rolling, same, count);
    await rolling.rotate();
    return { added, rotated: rolling.rotated };
  });
  await writeSummaries(world, project);
  await recordRotation(world, project, done.rotated);
  return done;
}

function isSame(before: RollingState, now: RollingState, id: string): boolean {
  return before.sessions[id]?.bytes === now.sessions[id]?.bytes;
}

/** The notes that people fill in, where nobody has kept memory here before. */
async function firstUse(world: World, project: ProjectId, rolling: RollingMemory): Promise<void> {
  const { files } = world.archive;
  if (rolling.state.begun || rolling.memory !== undefined) return;
  for (const name of NOTES) await files.create(project, `memory/${name}.md`, noteTemplate(name));
}

export async function recordRotation(world: World, project: ProjectId, rotated: string[]): Promise<void> {
  if (rotated.length === 0) return;
  const note = `memory.md was archived as ${rotated.join(', ')}.`;
  await world.archive.change(project, [], [{ at: world.clock.now(), action: 'memory', note }]);
}
