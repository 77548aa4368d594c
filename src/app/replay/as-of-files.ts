import type { ProjectId } from '../../core/model/ids.ts';
import type { Files } from '../../ports/archive.ts';

/** Files of single sessions: they follow from their session alone, so they are the same at any later time. */
const OF_SESSIONS = 'memory/sessions/';

/**
 * Derived files as they were at a time: those of sessions that are known by then are read from the archive, all others only
 * once they were written here. What is written stays in memory.
 */
export class AsOfFiles implements Files {
  readonly #base: Files;
  readonly #isKnown: (project: ProjectId, file: string) => boolean;
  readonly #written = new Map<string, Buffer>();

  constructor(base: Files, isKnown: (project: ProjectId, file: string) => boolean) {
    this.#base = base;
    this.#isKnown = isKnown;
  }

  path(project: ProjectId | undefined, name: string): string {
    return this.#base.path(project, name);
  }

  async read(project: ProjectId | undefined, name: string): Promise<Buffer | undefined> {
    const own = this.#written.get(keyOf(project, name));
    if (own) return own;
    return this.#isOpen(project, name) ? this.#base.read(project, name) : undefined;
  }

  async readAt(project: ProjectId | undefined, name: string, at: number, bytes: number): Promise<Buffer> {
    const own = this.#written.get(keyOf(project, name));
    if (own) return own.subarray(at, at + bytes);
    return this.#isOpen(project, name) ? this.#base.readAt(project, name, at, bytes) : Buffer.alloc(0);
  }

  async size(project: ProjectId | undefined, name: string): Promise<number> {
    const own = this.#written.get(keyOf(project, name));
    if (own) return own.length;
    return this.#isOpen(project, name) ? this.#base.size(project, name) : 0;
  }

  async write(project: ProjectId | undefined, name: string, bytes: string | Uint8Array): Promise<void> {
    this.#written.set(keyOf(project, name), Buffer.from(bytes as string));
  }

  async create(project: ProjectId | undefined, name: string, bytes: string | Uint8Array): Promise<boolean> {
    if (this.#written.has(keyOf(project, name))) return false;
    await this.write(project, name, bytes);
    return true;
  }

  async writeAt(
    project: ProjectId | undefined,
    name: string,
    at: number,
    bytes: string | Uint8Array,
  ): Promise<void> {
    const before = (await this.read(project, name)) ?? Buffer.alloc(0);
    const added = Buffer.from(bytes as string);
    const after = Buffer.concat([before.subarray(0, at), added, before.subarray(at + added.length)]);
    this.#written.set(keyOf(project, name), after);
  }

  async list(project: ProjectId | undefined, folder: string): Promise<string[]> {
    const start = keyOf(project, `${folder}/`);
    const own = [...this.#written.keys()].filter((key) => key.startsWith(start));
    const names = new Set(own.map((key) => key.slice(start.length)));
    if (project !== undefined && `${folder}/` === OF_SESSIONS)
      for (const name of await this.#base.list(project, folder))
        if (this.#isOpen(project, `${folder}/${name}`)) names.add(name);
    return [...names].sort();
  }

  async remove(project: ProjectId | undefined, name: string): Promise<void> {
    this.#written.delete(keyOf(project, name));
  }

  /** What was noted for one session is of no use to the next. */
  forget(project: ProjectId | undefined, folder: string): void {
    const start = keyOf(project, `${folder}/`);
    for (const key of [...this.#written.keys()]) if (key.startsWith(start)) this.#written.delete(key);
  }

  #isOpen(project: ProjectId | undefined, name: string): boolean {
    return project !== undefined && name.startsWith(OF_SESSIONS) && this.#isKnown(project, name);
  }
}

function keyOf(project: ProjectId | undefined, name: string): string {
  return `${project ?? ''}\0${name}`;
}
