import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addFact } from '../../src/app/layers/facts-edit.ts';
import type { PurgeTarget } from '../../src/app/purge/purge.ts';
import { addRemote } from '../../src/app/remote/add-remote.ts';
import { fetchSession } from '../../src/app/remote/fetch-original.ts';
import { setPrivate } from '../../src/app/remote/private.ts';
import { prepareWholePurge } from '../../src/app/remote/purge-sealed.ts';
import { remoteStatus, retireDevice } from '../../src/app/remote/remote-status.ts';
import { approveRemote, shareProjects } from '../../src/app/remote/share.ts';
import { syncRemote } from '../../src/app/remote/sync-remote.ts';
import { sync } from '../../src/app/sync/sync.ts';
import { Fault } from '../../src/core/model/fault.ts';
import { chance } from '../faults/chance.ts';
import { type FileCall, watchFiles } from '../faults/watched-files.ts';
import { differencesOf, purgedLeft } from './history-state.ts';
import { SimDevice } from './sim-device.ts';
import { SimStore } from './sim-store.ts';
import { workSession } from './work.ts';
import type { TestWorld } from './world.ts';

/** A folder in memory, if there is one: a kill is not a power failure. */
const MEMORY = '/dev/shm';
const MOST_ROUNDS = 8;
/** What leaves no other files behind is no step. */
const NO_STEP = /^(?:sql|fsync|fdatasync|utimes|futimes|chmod|fchmod)/;
const NAMES = ['a', 'b', 'c'] as const;
type Name = (typeof NAMES)[number];

/** What was said, and is to be on every machine at the end, or on none. */
type Words = { kept: string[]; gone: string[] };
type SweepAct = {
  who: Name;
  name: string;
  /** What the agent wrote before. */
  before?: (device: SimDevice) => void;
  work: (world: TestWorld, device: SimDevice) => Promise<unknown>;
  words?: Partial<Words>;
};

const syncs = (who: Name): SweepAct => ({ who, name: 'sync', work: (world) => syncRemote(world, 'home') });
const purges =
  (target: PurgeTarget): SweepAct['work'] =>
  async (world) =>
    (await prepareWholePurge(world, target)).carryOut();

function said(device: SimDevice, session: string, words: string[]): void {
  const steps = words.flatMap((word) => [{ you: `Please keep ${word} in mind.` }, { agent: 'Yes.' }]);
  device.say(session, workSession(session, steps, undefined, device.shop));
}

/** A short life of three machines, one of them light, in which everything happens once that writes something. */
const ACTS: SweepAct[] = [
  {
    ...{ who: 'a', name: 'a session more' },
    before: (device) => said(device, 's-a2', ['first2x', 'secret2x']),
    work: (world) => sync(world),
    words: { kept: ['first2x'] },
  },
  syncs('a'),
  syncs('b'),
  syncs('c'),
  {
    ...{ who: 'b', name: 'a fact' },
    work: (world, { shop }) => addFact(world, { content: 'The fact3x is blue.', project: shop }),
    words: { kept: ['fact3x'] },
  },
  { who: 'c', name: 'an original fetched', work: (world) => fetchSession(world, { session: 's-a2' }) },
  {
    ...{ who: 'b', name: 'a text purged' },
    work: purges({ kind: 'text', text: 'secret2x' }),
    words: { gone: ['secret2x'] },
  },
  syncs('b'),
  syncs('a'),
  syncs('c'),
  {
    ...{ who: 'a', name: 'a session purged' },
    work: purges({ kind: 'session', session: 's-b' }),
    words: { gone: ['wordb'] },
  },
  syncs('a'),
  syncs('b'),
  { who: 'a', name: 'private', work: (world) => setPrivate(world, { session: 's-a' }) },
  syncs('a'),
  {
    ...{ who: 'a', name: 'a machine retired' },
    work: async (world) => {
      const [status] = await remoteStatus(world);
      const { id } = status!.devices.find(({ name }) => name === 'c')!;
      await retireDevice(world, { device: id });
    },
  },
];

export type SweptAct = { name: string; steps: number };

/** Some of the kills: in acts from one number to another, from 1, and of these at one step only. */
export type SomeKills = { from: number; to: number; step?: number | undefined };

/** What is known of the kills of an act, by its number: those of an earlier run that was stopped, too. */
export type SweepNotes = {
  /** The last step that was tried. */
  last: (act: number) => number;
  onKill: (act: number, step: number, wrong: string[]) => void;
  onAct: (swept: SweptAct) => void;
};

/** Kills every act at every `every`th change of a file, once each; a machine goes on by doing the same again. */
export async function sweepKills(
  every: number,
  { last, onKill, onAct }: SweepNotes,
  { from, to, step }: SomeKills = { from: 1, to: ACTS.length },
): Promise<void> {
  const sweep = new KillSweep();
  try {
    await sweep.begin();
    for (const [index, act] of ACTS.slice(0, to).entries()) {
      const steps = (all: number) => {
        if (index + 1 < from) return [];
        if (step !== undefined) return [step];
        const some = Array.from({ length: Math.ceil(all / every) }, (_, at) => 1 + at * every);
        return some.filter((it) => it > last(index + 1));
      };
      const label = `${index + 1}. ${act.who}: ${act.name}`;
      const noteKill = (at: number, wrong: string[]) => onKill(index + 1, at, wrong);
      onAct({ name: label, steps: await sweep.act(act, steps, noteKill) });
    }
  } finally {
    await sweep.remove();
  }
}

class KillSweep {
  readonly #root = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'keepsake-sweep-'));
  readonly #place = join(this.#root, 'now');
  readonly #aside = join(this.#root, 'before');
  readonly #draw = chance(1);
  readonly #time = { ms: Date.UTC(2026, 5, 1) };
  #store = new SimStore(join(this.#place, 'store'), this.#draw);
  #devices = new Map<Name, SimDevice>();
  readonly #words: Words = { kept: ['worda'], gone: [] };
  readonly #privates = new Set<string>();
  #made = 0;

  async begin(): Promise<void> {
    this.#open();
    let key: string | undefined;
    for (const [name, { world }] of this.#devices) {
      said(this.#devices.get(name)!, `s-${name}`, [`word${name}`]);
      await sync(world);
      const light = name === 'c' ? { light: true } : {};
      const added = await addRemote(world, {
        address: this.#store.folder,
        ...(key === undefined ? {} : { key, ...light }),
      });
      key ??= added.key ?? '';
      await shareProjects(world, { all: true });
      await approveRemote(world);
      await syncRemote(world, 'home');
    }
    for (const { world } of this.#devices.values()) await syncRemote(world, 'home');
  }

  #open(): void {
    for (const name of NAMES) {
      // Ids must not be drawn twice.
      this.#made += 10_000;
      const place = { name, root: join(this.#place, name), made: this.#made };
      const device = new SimDevice(
        place,
        { time: this.#time, skewMs: 0 },
        () => this.#store.open(place.root),
        this.#draw,
      );
      this.#devices.set(name, device);
    }
  }

  async #close(): Promise<void> {
    for (const device of this.#devices.values()) await device.close();
  }

  /** All machines and the store as they were before the act. */
  async #restore(): Promise<void> {
    await this.#close();
    rmSync(this.#place, { recursive: true, force: true });
    cpSync(this.#aside, this.#place, { recursive: true });
    this.#open();
  }

  /** How many steps it has. */
  async act(
    act: SweepAct,
    stepsOf: (all: number) => number[],
    onKill: (step: number, wrong: string[]) => void,
  ): Promise<number> {
    const { who, name, words = {} } = act;
    act.before?.(this.#devices.get(who)!);
    rmSync(this.#aside, { recursive: true, force: true });
    cpSync(this.#place, this.#aside, { recursive: true });
    const all = await this.#run(act, undefined);
    this.#words.kept.push(...(words.kept ?? []));
    this.#words.gone.push(...(words.gone ?? []));
    if (name === 'private') {
      this.#privates.add('s-a');
      this.#words.kept.splice(this.#words.kept.indexOf('worda'), 1);
    }
    for (const step of stepsOf(all)) {
      await this.#restore();
      await this.#run(act, step);
      onKill(step, await this.#after(act));
    }
    await this.#restore();
    await this.#run(act, undefined);
    return all;
  }

  /** How many changes of files it made; with a number it is killed at that one, which may be done by half. */
  async #run({ who, work }: SweepAct, killAt: number | undefined): Promise<number> {
    const device = this.#devices.get(who)!;
    let [seen, isKilled] = [0, false];
    const isStep = ({ name, path, change }: FileCall) =>
      change && !NO_STEP.test(name) && path.startsWith(this.#place);
    watchFiles({
      before: (call) => {
        if (!isStep(call)) return undefined;
        if (isKilled) return { fails: 'EIO' };
        if (++seen !== killAt) return undefined;
        isKilled = true;
        return call.name === 'writeSync' && seen % 2 === 0 ? 'half' : { fails: 'EIO' };
      },
    });
    try {
      await work(device.world, device);
    } catch (error) {
      if (!isKilled) throw error;
    } finally {
      watchFiles(undefined);
    }
    if (isKilled) await device.restart();
    return seen;
  }

  /** What is wrong after the machine did the same again and all of them synced. */
  async #after(act: SweepAct): Promise<string[]> {
    const device = this.#devices.get(act.who)!;
    try {
      await act.work(device.world, device);
    } catch (error) {
      // It was done before the kill.
      if (!(error instanceof Fault) || !['not-found', 'conflict'].includes(error.code)) throw error;
    }
    await sync(device.world);
    const all = [...this.#devices.values()];
    const wrong: string[] = [];
    let isQuiet = false;
    for (let round = 0; !isQuiet && round < MOST_ROUNDS; round++) {
      isQuiet = true;
      for (const { world } of all) {
        const { pulled, pushed, purges: done, withdrawn } = await syncRemote(world, 'home');
        const { segments, removed, restored } = pushed;
        if (pulled.segments + segments + removed + restored + done + withdrawn > 0) isQuiet = false;
      }
    }
    if (!isQuiet) wrong.push(`not quiet after ${MOST_ROUNDS} rounds`);
    wrong.push(...(await differencesOf(all, this.#privates, 'talk')));
    wrong.push(...(await purgedLeft(all, this.#words.gone)));
    for (const word of this.#words.kept)
      for (const it of all) if (!(await isKnown(it, word))) wrong.push(`${word} is lost on ${it.name}`);
    return wrong;
  }

  async remove(): Promise<void> {
    await this.#close();
    rmSync(this.#root, { recursive: true, force: true });
  }
}

async function isKnown(device: SimDevice, word: string): Promise<boolean> {
  for (const { projectId, sessions, factEdits } of await device.manifests()) {
    if (JSON.stringify(factEdits ?? []).includes(word)) return true;
    for (const id of Object.keys(sessions)) if (device.original(projectId, id).includes(word)) return true;
  }
  return false;
}
