import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeWorld, type TestWorld } from './world.ts';

/** Machines around one folder that is their store. */
export class RemoteMachines {
  readonly store = mkdtempSync(join(tmpdir(), 'keepsake-store-'));
  readonly #worlds: TestWorld[] = [];

  /** In this folder, where it is the copy of another machine's disk. */
  add(root?: string): TestWorld {
    const world = makeWorld(root);
    this.#worlds.push(world);
    return world;
  }

  async remove(): Promise<void> {
    for (const world of this.#worlds) await world.remove();
    rmSync(this.store, { recursive: true, force: true });
  }
}
