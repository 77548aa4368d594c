import type { ProjectId } from '../../core/model/ids.ts';
import { formatIndex, type MemoryIndex, readIndex, withRotated } from '../../core/rolling/index-file.ts';
import type { CountTokens } from '../../core/rolling/limits.ts';
import {
  ARCHIVE_NAME,
  archivedAt,
  archiveName,
  carriedOver,
  rotate,
  summaryName,
} from '../../core/rolling/memory-file.ts';
import type { World } from '../world.ts';
import { type RollingState, readRollingState, writeState } from './state.ts';

export const MEMORY_FILE = 'memory/memory.md';
export const INDEX_FILE = 'memory/memory-index.json';
/** Archives that were stored away; they are searched anyway. */
export const PUT_AWAY = 'memory/archive';

/**
 * A project's rolling memory, read once and written step by step. Use it only under `archive.exclusive`, so that no other
 * process changes it meanwhile. After each step, the files allow the next opening to continue.
 */
export class RollingMemory {
  readonly #world: World;
  readonly project: ProjectId;
  readonly #count: CountTokens;
  /** memory.md as it is on the disk; undefined if there is none. */
  memory: string | undefined;
  index: MemoryIndex;
  state: RollingState;
  readonly rotated: string[] = [];

  private constructor(
    world: World,
    project: ProjectId,
    count: CountTokens,
    read: Pick<RollingMemory, 'memory' | 'index' | 'state'>,
  ) {
    this.#world = world;
    this.project = project;
    this.#count = count;
    this.memory = read.memory;
    this.index = read.index;
    this.state = read.state;
  }

  /** Opens it and finishes what a killed process left half done. */
  static async open(world: World, project: ProjectId, count: CountTokens): Promise<RollingMemory> {
    const { files } = world.archive;
    const [memory, indexText, state] = await Promise.all([
      files.read(project, MEMORY_FILE),
      files.read(project, INDEX_FILE),
      readRollingState(world, project),
    ]);
    const { index, broken } = readIndex(indexText?.toString());
    const rolling = new RollingMemory(world, project, count, {
      memory: memory?.toString(),
      index,
      state,
    });
    if (broken && indexText) await keepAside(world, project, indexText);
    await rolling.#finishRotations();
    return rolling;
  }

  async writeMemory(text: string): Promise<void> {
    await this.#world.archive.files.write(this.project, MEMORY_FILE, text);
    this.memory = text;
  }

  async writeIndex(index: MemoryIndex): Promise<void> {
    await this.#world.archive.files.write(this.project, INDEX_FILE, formatIndex(index));
    this.index = index;
  }

  async writeState(state: RollingState): Promise<void> {
    await writeState(this.#world, this.project, state);
    this.state = state;
  }

  /** The archive first, then the new memory.md, then the index: a kill in between is seen by the archive's name. */
  async rotate(force = false): Promise<string | undefined> {
    if (this.memory === undefined) return undefined;
    const name = archiveName(this.#world.clock.now(), new Set(await this.#archives()));
    const rotation = rotate(this.memory, name, this.#count, { force });
    if (!rotation) return undefined;
    await this.#world.archive.files.write(this.project, `memory/${name}`, rotation.archive);
    await this.writeMemory(rotation.memory);
    await this.addRotated(name, rotation.tokens);
    return name;
  }

  async addRotated(name: string, tokenCount: number): Promise<void> {
    const rotatedAt = archivedAt(name) ?? this.#world.clock.now();
    const summary = summaryName(name);
    const file = { file: name, rotatedAt, tokenCount, summary, summaryGenerated: false };
    await this.writeIndex(withRotated(this.index, file));
    this.rotated.push(name);
  }

  /** Archives that the index does not know: memory.md may still begin with all that is in one. */
  async #finishRotations(): Promise<void> {
    const known = new Set(this.index.rotatedFiles.map(({ file }) => file));
    for (const name of await this.#archives()) {
      if (known.has(name)) continue;
      const bytes = await readArchived(this.#world, this.project, name);
      const text = bytes?.toString() ?? '';
      if (text.trim() !== '' && this.memory?.startsWith(text))
        await this.writeMemory(carriedOver(text, name, this.#count) + this.memory.slice(text.length));
      await this.addRotated(name, this.#count(text));
    }
  }

  async #archives(): Promise<string[]> {
    return archiveNames(this.#world, this.project);
  }
}

/** Under the lock: the index alone, without reading the other files. */
export async function changeIndex(
  world: World,
  project: ProjectId,
  change: (index: MemoryIndex) => MemoryIndex,
): Promise<MemoryIndex> {
  const bytes = await world.archive.files.read(project, INDEX_FILE);
  const { index, broken } = readIndex(bytes?.toString());
  if (broken && bytes) await keepAside(world, project, bytes);
  const changed = change(index);
  await world.archive.files.write(project, INDEX_FILE, formatIndex(changed));
  return changed;
}

/** Every archived memory file, stored away or not, oldest first. */
export async function archiveNames(world: World, project: ProjectId): Promise<string[]> {
  const names = await world.archive.files.list(project, 'memory');
  const plain = names.map((name) => (name.startsWith('archive/') ? name.slice('archive/'.length) : name));
  return [...new Set(plain.filter((name) => ARCHIVE_NAME.test(name)))].sort();
}

/** Where an archive is: in its place, or stored away. */
export async function archivePlace(world: World, project: ProjectId, name: string): Promise<string> {
  const plain = `memory/${name}`;
  if ((await world.archive.files.size(project, plain)) > 0) return plain;
  const away = `${PUT_AWAY}/${name}`;
  return (await world.archive.files.size(project, away)) > 0 ? away : plain;
}

export async function readArchived(
  world: World,
  project: ProjectId,
  name: string,
): Promise<Buffer | undefined> {
  return world.archive.files.read(project, await archivePlace(world, project, name));
}

async function keepAside(world: World, project: ProjectId, bytes: Buffer): Promise<void> {
  const stamp = world.clock.now().replace(/[-:]/g, '').replace('T', '_').slice(0, 15);
  const name = `memory/memory-index.broken-${stamp}.json`;
  await world.archive.files.create(project, name, bytes);
  world.report?.(
    `${INDEX_FILE} was damaged. Keepsake kept what it could read; the damaged file is saved as ${name}.`,
  );
}
