import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { folderStore } from '../../src/adapters/remote-folder/folder-store.ts';
import { Fault } from '../../src/core/model/fault.ts';
import type { RemoteStore } from '../../src/ports/remotes.ts';
import { anyOf } from '../faults/chance.ts';

type Draw = () => number;

/** A folder that fails in every way a store can: torn, lost, stale, partial, rolled back, corrupted. */
export class SimStore {
  readonly folder: string;
  readonly #aside: string;
  readonly #draw: Draw;
  /** How often something goes wrong, of 1. */
  rate = 0;
  faults = 0;
  /** Names as an earlier list gave them. */
  #stale: { name: string; bytes: number }[] = [];

  constructor(folder: string, draw: Draw) {
    this.folder = folder;
    this.#aside = `${folder}-before`;
    this.#draw = draw;
    mkdirSync(folder, { recursive: true });
  }

  open(): RemoteStore {
    const store = folderStore(this.folder);
    return {
      ...store,
      list: async (prefix) => {
        const names = await store.list(prefix);
        if (!this.#fails()) {
          this.#stale = names;
          return names;
        }
        if (this.#draw() < 0.4) throw unreachable();
        // What was listed before, or a part of what is there.
        return this.#draw() < 0.5
          ? this.#stale.filter(({ name }) => name.startsWith(prefix))
          : names.filter(() => this.#draw() < 0.7);
      },
      get: async (name) => {
        const bytes = await store.get(name);
        if (!bytes || !this.#fails()) return bytes;
        if (this.#draw() < 0.4) throw unreachable();
        return this.#draw() < 0.5
          ? bytes.subarray(0, Math.floor(bytes.length * this.#draw()))
          : this.#flipped(bytes);
      },
      put: async (name, bytes) => {
        if (!this.#fails()) return store.put(name, bytes);
        const kind = this.#draw();
        if (kind < 0.3) throw unreachable();
        await store.put(
          name,
          kind < 0.6 ? bytes.subarray(0, Math.floor(bytes.length * this.#draw())) : bytes,
        );
        // Done, or half done, and the answer is lost.
        throw unreachable();
      },
      remove: async (name) => {
        if (this.#fails()) throw unreachable();
        await store.remove(name);
      },
    };
  }

  /** Something happens to what is stored while nobody looks. */
  harm(): void {
    this.faults++;
    const kind = this.#draw();
    if (kind < 0.25) this.#keepAside();
    else if (kind < 0.5) this.#rollBack();
    else this.#harmFile(kind < 0.75);
  }

  #harmFile(isLost: boolean): void {
    const names = this.#files();
    if (names.length === 0) return;
    const path = anyOf(names, this.#draw);
    if (isLost) unlinkSync(path);
    else
      writeFileSync(
        path,
        this.#draw() < 0.5 ? this.#flipped(readFileSync(path)) : readFileSync(path).subarray(0, 20),
      );
  }

  #files(): string[] {
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  }

  #keepAside(): void {
    rmSync(this.#aside, { recursive: true, force: true });
    cpSync(this.folder, this.#aside, { recursive: true });
  }

  #rollBack(): void {
    if (!existsSync(this.#aside)) this.#keepAside();
    rmSync(this.folder, { recursive: true, force: true });
    cpSync(this.#aside, this.folder, { recursive: true });
  }

  #fails(): boolean {
    const isFailing = this.#draw() < this.rate;
    if (isFailing) this.faults++;
    return isFailing;
  }

  #flipped(bytes: Buffer): Buffer {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[Math.floor(this.#draw() * copy.length)]! ^= 1 + Math.floor(this.#draw() * 255);
    return copy;
  }
}

function unreachable(): Fault {
  return new Fault('remote', 'The store does not answer.');
}
