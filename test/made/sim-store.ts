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
  /** What went wrong, and how often. */
  readonly faults = new Map<string, number>();
  /** Names as an earlier list gave them. */
  #stale: { name: string; bytes: number }[] = [];

  /** Another place than a folder, as the machine in this folder reaches it. */
  readonly #inner: ((root: string) => RemoteStore) | undefined;

  constructor(folder: string, draw: Draw, inner?: (root: string) => RemoteStore) {
    this.folder = folder;
    this.#inner = inner;
    this.#aside = `${folder}-before`;
    this.#draw = draw;
    mkdirSync(folder, { recursive: true });
  }

  open(root: string): RemoteStore {
    const store = this.#inner?.(root) ?? folderStore(this.folder);
    return {
      ...store,
      list: async (prefix) => {
        const names = await store.list(prefix);
        if (!this.#fails()) {
          this.#stale = names;
          return names;
        }
        if (this.#draw() < 0.4) throw this.#unreachable();
        if (this.#draw() < 0.5) {
          this.#note('stale lists');
          return this.#stale.filter(({ name }) => name.startsWith(prefix));
        }
        this.#note('partial lists');
        return names.filter(() => this.#draw() < 0.7);
      },
      get: async (name) => {
        const bytes = await store.get(name);
        if (!bytes || !this.#fails()) return bytes;
        if (this.#draw() < 0.4) throw this.#unreachable();
        this.#note('corrupted reads');
        return this.#draw() < 0.5
          ? bytes.subarray(0, Math.floor(bytes.length * this.#draw()))
          : this.#flipped(bytes);
      },
      put: async (name, bytes) => {
        if (!this.#fails()) return store.put(name, bytes);
        const kind = this.#draw();
        if (kind < 0.3) throw this.#unreachable();
        this.#note(kind < 0.6 ? 'torn writes' : 'lost answers');
        await store.put(
          name,
          kind < 0.6 ? bytes.subarray(0, Math.floor(bytes.length * this.#draw())) : bytes,
        );
        throw unreachable();
      },
      remove: async (name) => {
        if (this.#fails()) throw this.#unreachable();
        await store.remove(name);
      },
    };
  }

  /** Something happens to what is stored while nobody looks. */
  harm(): void {
    // A database loses no single rows.
    if (this.#inner) return;
    const kind = this.#draw();
    if (kind < 0.25) this.#keepAside();
    else if (kind < 0.5) {
      this.#note('rolled back stores');
      this.#rollBack();
    } else this.#harmFile(kind < 0.75);
  }

  #harmFile(isLost: boolean): void {
    const names = this.#files();
    if (names.length === 0) return;
    const path = anyOf(names, this.#draw);
    this.#note(isLost ? 'lost files' : 'corrupted files');
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
    return this.#draw() < this.rate;
  }

  #note(what: string): void {
    this.faults.set(what, (this.faults.get(what) ?? 0) + 1);
  }

  #unreachable(): Fault {
    this.#note('calls without an answer');
    return unreachable();
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
