import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectId } from '../../src/core/model/ids.ts';
import type { Manifest } from '../../src/core/model/manifest.ts';
import type { RemoteStore } from '../../src/ports/remotes.ts';
import { memoryIndex } from './memory-index.ts';
import { makeWorld, type TestWorld } from './world.ts';

/** The process is ended: nothing that it would still do reaches the disk. */
export class Killed extends Error {}

export type SimTime = { ms: number };

/** A machine: a home with an archive, a clock that is off, and a process that can be killed at every durable step. */
export class SimDevice {
  readonly name: string;
  readonly root: string;
  readonly shop: string;
  readonly #time: SimTime;
  readonly #skewMs: number;
  readonly #store: () => RemoteStore;
  readonly #draw: () => number;
  world: TestWorld;
  isAlive = true;
  /** Kills by what was being written, before and after it was on the disk. */
  readonly kills = new Map<string, number>();
  /** Durable steps until the process is killed. */
  #left: number | undefined;
  #isKilled = false;
  #made: number;

  constructor(
    place: { name: string; root: string; made: number },
    { time, skewMs }: { time: SimTime; skewMs: number },
    store: () => RemoteStore,
    draw: () => number,
  ) {
    this.name = place.name;
    this.root = place.root;
    this.#made = place.made;
    this.shop = join(place.root, 'work', 'shop');
    this.#time = time;
    this.#skewMs = skewMs;
    this.#store = store;
    this.#draw = draw;
    mkdirSync(join(this.shop, '.git'), { recursive: true });
    writeFileSync(join(this.shop, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(
      join(this.shop, '.git', 'config'),
      '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n',
    );
    this.world = this.#open();
  }

  /** Runs something; with a number, killed after so many durable steps. True if it came to its end. */
  async run(work: (world: TestWorld) => Promise<unknown>, killAfter?: number): Promise<boolean> {
    this.#left = killAfter;
    try {
      await work(this.world);
      return true;
    } catch (error) {
      if (error instanceof Killed || this.#isKilled) return false;
      throw error;
    } finally {
      this.#left = undefined;
      if (this.#isKilled) await this.restart();
    }
  }

  async close(): Promise<void> {
    await this.world.close();
  }

  async manifests(): Promise<Manifest[]> {
    const ids = await this.world.archive.projects();
    const opened = await Promise.all(ids.map((id) => this.world.archive.open(id)));
    return opened.flatMap((it) => it?.manifest ?? []);
  }

  original(project: ProjectId, session: string): string {
    try {
      return readFileSync(this.world.archive.originals.path(project, `${session}.jsonl`), 'utf8');
    } catch {
      return '';
    }
  }

  /** What the agent on this machine wrote. */
  say(session: string, text: string): void {
    const folder = join(this.world.projects, this.shop.replaceAll(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${session}.jsonl`), text);
  }

  /** As after a kill: nothing is known but what is on the disk. */
  async restart(): Promise<void> {
    await this.close();
    this.#isKilled = false;
    this.world = this.#open();
  }

  async #durable<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (this.#isKilled) throw new Killed();
    if (this.#left === undefined) return work();
    this.#left--;
    if (this.#left > 0) return work();
    this.#isKilled = true;
    const isDone = this.#draw() < 0.5;
    if (isDone) await work();
    const step = `${isDone ? 'after' : 'before'} ${what}`;
    this.kills.set(step, (this.kills.get(step) ?? 0) + 1);
    throw new Killed();
  }

  #open(): TestWorld {
    const world = makeWorld(this.root);
    const { archive } = world;
    const remotes = world.remotes!;
    const step =
      <A extends unknown[], R>(what: string | ((...args: A) => string), call: (...args: A) => Promise<R>) =>
      (...args: A) =>
        this.#durable(typeof what === 'string' ? what : what(...args), () => call(...args));
    const tick = () => {
      this.#time.ms += 1000;
      return this.#time.ms + this.#skewMs;
    };
    return {
      ...world,
      // Made again from the files, and no part of what travels.
      index: memoryIndex(),
      clock: { ...world.clock, now: () => new Date(tick()).toISOString(), millis: tick },
      random: {
        uuid: () => {
          this.#made++;
          const number = `${this.name.charCodeAt(0)}${String(this.#made).padStart(9, '0')}`;
          return `00000000-0000-4000-8000-${number.padStart(12, '0')}`;
        },
      },
      archive: {
        ...archive,
        change: step('a change of a manifest', archive.change),
        files: {
          ...archive.files,
          write: step('a file of the archive', archive.files.write),
          create: step('a new file of the archive', archive.files.create),
          remove: step('removing a file of the archive', archive.files.remove),
        },
        originals: {
          ...archive.originals,
          absorb: step('an original', archive.originals.absorb),
          remove: step('removing an original', archive.originals.remove),
        },
      },
      remotes: async () => {
        const opened = await remotes();
        const store = this.#store();
        return {
          ...opened,
          machineName: () => this.name,
          // The same keys for the same seed: what happens follows their order.
          random: (bytes) => Buffer.from(Array.from({ length: bytes }, () => Math.floor(this.#draw() * 256))),
          files: {
            ...opened.files,
            write: step((name: string, _: string | Uint8Array) => partOf(name), opened.files.write),
            remove: step((name: string) => `removing ${partOf(name)}`, opened.files.remove),
          },
          open: async () => ({
            ...store,
            put: step('a file of the store', store.put),
            remove: step('removing a file of the store', store.remove),
          }),
        };
      },
    };
  }
}

/** What a file below `remotes/` is. */
function partOf(name: string): string {
  if (name.includes('/own/')) return 'an own segment';
  if (name.includes('/replica/')) return "another machine's segment";
  if (name.endsWith('/state.json')) return 'what is known of a repository';
  return name.endsWith('device.json') ? 'the key of a machine' : 'the record of a remote';
}
