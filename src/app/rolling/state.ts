import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import { fields, figure, flag, list, oneOf, record, text } from '../../core/model/shape.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

const STATE_FILE = 'rolling/state.json';
const DELTA_FILE = 'rolling/delta.json';

/** How much of a session is in memory.md: the bytes of L1 by then, and the original's offset of its last exchange. */
export type SessionCursor = {
  src: number;
  bytes: number;
  /** The last line that memory.md has of it, and a hash of what its statements said. Not set by earlier versions. */
  lines?: number;
  of?: string;
};

/** What only this archive knows about a project's rolling memory; it is never in the project itself. */
export type RollingState = {
  version: 1;
  /** False until the first update: then `lastMemoryUpdateTs` decides what is new. */
  begun: boolean;
  sessions: Record<string, SessionCursor>;
  /** Hashes of folders that were taken over from another program. */
  migrated: string[];
  /** The block in CLAUDE.md is Keepsake's to remove. */
  claudeMd: boolean;
  /** By session and first line, a hash of each entry as it was written: one with other words is a person's. */
  written: Record<string, string>;
  /** Which refining engine's reading memory.md holds; not set by versions that did not know. */
  engine?: number;
  /** A hash of the last delta that is wholly in this state. */
  settled?: string;
};

/** The hashes of entries on their way into memory.md and its archives. */
export type Delta = { written: Record<string, string> };

const cursors = record(fields({ src: figure, bytes: figure }, { lines: figure, of: text }));
const hashes = record(text);
const optional = {
  begun: flag,
  sessions: cursors,
  migrated: list(text),
  claudeMd: flag,
  written: hashes,
  engine: figure,
  settled: text,
};
export const ROLLING_STATE: StoredKind<Partial<RollingState>> = {
  schema: fields({ version: oneOf(1) }, optional),
  format: ['version', 1],
  damaged:
    'Keepsake derives the state of memory.md from its headings and times, and no longer updates a block in CLAUDE.md.',
};
export const ROLLING_DELTA: StoredKind<Delta> = {
  schema: fields({ written: hashes }),
  damaged: "Entries that were being written to memory.md count as a person's text.",
};

/** It can be lost: then entries are distinguished by their headings, and what is new by its time. */
export async function readRollingState(world: World, project: ProjectId): Promise<RollingState> {
  const { value } = await readStored(world, project, STATE_FILE, ROLLING_STATE);
  return {
    version: 1,
    begun: value?.begun === true,
    sessions: Object.assign(Object.create(null), value?.sessions),
    migrated: value?.migrated ?? [],
    claudeMd: value?.claudeMd === true,
    written: Object.assign(Object.create(null), value?.written),
    ...(value?.engine === undefined ? {} : { engine: value.engine }),
    ...(value?.settled === undefined ? {} : { settled: value.settled }),
  };
}

export async function writeState(world: World, project: ProjectId, state: RollingState): Promise<void> {
  await world.archive.files.write(project, STATE_FILE, `${JSON.stringify(state)}\n`);
}

export async function readDelta(world: World, project: ProjectId): Promise<Delta | undefined> {
  return (await readStored(world, project, DELTA_FILE, ROLLING_DELTA)).value;
}

export async function writeDelta(world: World, project: ProjectId, delta: Delta): Promise<void> {
  await world.archive.files.write(project, DELTA_FILE, `${JSON.stringify(delta)}\n`);
}

export function deltaHash({ written }: Delta): string {
  return shortHash(JSON.stringify(written), 16);
}

export async function dropDelta(world: World, project: ProjectId): Promise<void> {
  await world.archive.files.remove(project, DELTA_FILE);
}
