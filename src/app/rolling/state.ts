import type { ProjectId } from '../../core/model/ids.ts';
import type { EntryParts } from '../../core/rolling/entry.ts';
import type { World } from '../world.ts';

const STATE_FILE = 'rolling/state.json';
const DELTA_FILE = 'rolling/delta.json';

/** How far memory.md has taken in a session: the original's offset of its last line, and the bytes of L1 by then. */
export type SessionCursor = { src: number; bytes: number };

/** What only this archive knows of a project's rolling memory; it never lies in the project itself. */
export type RollingState = {
  version: 1;
  /** False until the first update: then `lastMemoryUpdateTs` tells what is new. */
  begun: boolean;
  sessions: Record<string, SessionCursor>;
  /** Hashes of folders that were taken over from another program. */
  migrated: string[];
  /** The block in CLAUDE.md is ours to take out again. */
  claudeMd: boolean;
};

/** Entries on their way into memory.md, and where that leaves each session. */
export type Delta = { entries: EntryParts[]; sessions: Record<string, SessionCursor>; lastTs: string };

/** It can be lost: then entries are told apart by their headings, and what is new by its time. */
export async function readState(world: World, project: ProjectId): Promise<RollingState> {
  const found = await readJson<RollingState>(world, project, STATE_FILE);
  const begun = found?.version === 1;
  return {
    version: 1,
    begun: begun && found.begun === true,
    sessions: Object.assign(Object.create(null), begun ? found.sessions : {}),
    migrated: begun && Array.isArray(found.migrated) ? found.migrated : [],
    claudeMd: begun && found.claudeMd === true,
  };
}

export async function writeState(world: World, project: ProjectId, state: RollingState): Promise<void> {
  await world.archive.files.write(project, STATE_FILE, `${JSON.stringify(state)}\n`);
}

export async function readDelta(world: World, project: ProjectId): Promise<Delta | undefined> {
  const found = await readJson<Delta>(world, project, DELTA_FILE);
  return Array.isArray(found?.entries) && typeof found.sessions === 'object' ? found : undefined;
}

export async function writeDelta(world: World, project: ProjectId, delta: Delta): Promise<void> {
  await world.archive.files.write(project, DELTA_FILE, `${JSON.stringify(delta)}\n`);
}

export async function dropDelta(world: World, project: ProjectId): Promise<void> {
  await world.archive.files.remove(project, DELTA_FILE);
}

async function readJson<T>(world: World, project: ProjectId, name: string): Promise<T | undefined> {
  const bytes = await world.archive.files.read(project, name);
  try {
    return bytes === undefined ? undefined : (JSON.parse(bytes.toString()) as T);
  } catch {
    return undefined;
  }
}
