import type { ProjectId } from '../../core/model/ids.ts';
import { isOutdated, REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import { type EntryParts, entryHeading, formatEntry, holdsEntry } from '../../core/rolling/entry.ts';
import { readIndex } from '../../core/rolling/index-file.ts';
import { type CountTokens, LIMITS } from '../../core/rolling/limits.ts';
import { appendEntry } from '../../core/rolling/memory-file.ts';
import { NOTES, noteTemplate } from '../../core/rolling/notes.ts';
import { loadTokenCounter } from '../../core/text/tokens.ts';
import type { World } from '../world.ts';
import { extractDelta } from './delta.ts';
import { INDEX_FILE, MEMORY_FILE, RollingMemory, readArchived } from './rolling-memory.ts';
import { type Delta, dropDelta, readDelta, readRollingState, writeDelta } from './state.ts';
import { writeSummaries } from './summaries.ts';

export type UpdateOptions = {
  /** Only this session: a hook takes in what it has just seen. */
  session?: string;
};
export type MemoryUpdate = {
  /** Entries that were added to memory.md. */
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
  // What an older engine read is not added any more: a sync reads it again first.
  const all = Object.values(opened.manifest.sessions).filter((it) => !isOutdated(it));
  const sessions = options.session === undefined ? all : all.filter((it) => it.sessionId === options.session);
  const count = await loadTokenCounter();
  // Reading and choosing sentences takes a while: not under the lock.
  const delta = await extractDelta(world, { project, sessions, state, index });
  const done = await world.archive.exclusive(async () => {
    const rolling = await RollingMemory.open(world, project, count);
    await firstUse(world, project, rolling);
    const pending = await addDelta(world, rolling, await readDelta(world, project), count);
    const added = await addDelta(world, rolling, stillNew(delta, state.sessions, rolling), count);
    return { added: pending + added, rotated: rolling.rotated };
  });
  await writeSummaries(world, project);
  await recordRotation(world, project, done.rotated);
  return done;
}

/** What another process took in meanwhile is left out, and left to the next time where it took in only a part. */
function stillNew(delta: Delta, before: Record<string, { src: number }>, rolling: RollingMemory): Delta {
  const now = rolling.state.sessions;
  const moved = Object.keys(delta.sessions).filter((id) => before[id]?.src !== now[id]?.src);
  if (moved.length === 0) return delta;
  const entries = delta.entries.filter(({ session }) => !moved.some((id) => id.startsWith(session)));
  const sessions = Object.fromEntries(Object.entries(delta.sessions).filter(([id]) => !moved.includes(id)));
  return { ...delta, entries, sessions };
}

/**
 * Under the lock. The delta is on the disk until memory.md has all of it: killed anywhere in between, the next update
 * adds what is missing and nothing else.
 */
async function addDelta(
  world: World,
  rolling: RollingMemory,
  delta: Delta | undefined,
  count: CountTokens,
): Promise<number> {
  const { project } = rolling;
  if (!delta || Object.keys(delta.sessions).length === 0) return 0;
  if (delta.entries.length > 0) {
    await writeDelta(world, project, delta);
    const mtime = await modified(world, project);
    await rolling.writeIndex({ ...rolling.index, deltaCreatedAtMemoryMtime: mtime });
  }
  const missing = await lacking(world, rolling, delta.entries);
  await append(rolling, missing, count);
  const sessions = { ...rolling.state.sessions, ...delta.sessions };
  // What an older engine wrote stays in it until a sync looks for words that nobody said.
  const first = rolling.state.begun ? {} : { engine: REFINE_ENGINE };
  await rolling.writeState({ ...rolling.state, ...first, begun: true, sessions });
  const updated = delta.lastTs === '' ? rolling.index.lastMemoryUpdateTs : delta.lastTs;
  await rolling.writeIndex({
    ...rolling.index,
    counter: 0,
    lastMemoryUpdateTs: updated,
    deltaCreatedAtMemoryMtime: null,
  });
  await dropDelta(world, project);
  return missing.length;
}

/** Entries that are nowhere yet: in memory.md, or in an archive that it became. */
async function lacking(world: World, rolling: RollingMemory, entries: EntryParts[]): Promise<EntryParts[]> {
  if (entries.length === 0) return [];
  const texts = [rolling.memory ?? ''];
  for (const { file } of rolling.index.rotatedFiles)
    texts.push((await readArchived(world, rolling.project, file))?.toString() ?? '');
  return entries.filter((entry) => !texts.some((text) => holdsEntry(text, entryHeading(entry))));
}

/** memory.md is written before each rotation and at the end; its tokens are counted only when it may be too long. */
async function append(rolling: RollingMemory, entries: EntryParts[], count: CountTokens): Promise<void> {
  let text = rolling.memory;
  let tokens = text === undefined ? 0 : count(text);
  for (const entry of entries) {
    const formatted = formatEntry(entry);
    text = appendEntry(text, formatted);
    tokens += count(formatted);
    if (tokens <= LIMITS.rotateAbove * 0.98) continue;
    await rolling.writeMemory(text);
    await rolling.rotate();
    text = rolling.memory;
    tokens = count(text ?? '');
  }
  if (text !== undefined && text !== rolling.memory) await rolling.writeMemory(text);
  await rolling.rotate();
}

/** The notes that people fill in, where nobody has kept memory here before. */
async function firstUse(world: World, project: ProjectId, rolling: RollingMemory): Promise<void> {
  const { files } = world.archive;
  if (rolling.state.begun || rolling.memory !== undefined) return;
  for (const name of NOTES) await files.create(project, `memory/${name}.md`, noteTemplate(name));
}

async function modified(world: World, project: ProjectId): Promise<number | null> {
  const found = await world.transcripts.inspect(world.archive.files.path(project, MEMORY_FILE));
  return found && found !== 'folder' ? found.mtimeMs : null;
}

export async function recordRotation(world: World, project: ProjectId, rotated: string[]): Promise<void> {
  if (rotated.length === 0) return;
  const note = `memory.md was archived as ${rotated.join(', ')}.`;
  await world.archive.change(project, [], [{ at: world.clock.now(), action: 'memory', note }]);
}
