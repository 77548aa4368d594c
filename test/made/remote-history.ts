import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HubTokens, hubStore } from '../../src/adapters/remote-hub/hub-store.ts';
import { inviteMember } from '../../src/app/hub/members.ts';
import { addFact } from '../../src/app/layers/facts-edit.ts';
import { preparePurge } from '../../src/app/purge/purge.ts';
import { addRemote } from '../../src/app/remote/add-remote.ts';
import { setPrivate } from '../../src/app/remote/private.ts';
import { remoteStatus, retireDevice } from '../../src/app/remote/remote-status.ts';
import { approveRemote, shareProjects } from '../../src/app/remote/share.ts';
import { syncRemote } from '../../src/app/remote/sync-remote.ts';
import { openRemote, ownDevice, readRemote } from '../../src/app/segment/remote-record.ts';
import { renameSession } from '../../src/app/session/rename.ts';
import { register } from '../../src/app/sync/register.ts';
import { sync } from '../../src/app/sync/sync.ts';
import { Fault } from '../../src/core/model/fault.ts';
import { openSegment } from '../../src/core/remote/open-segment.ts';
import { parseSegmentName } from '../../src/core/remote/segment-name.ts';
import { anyOf, chance } from '../faults/chance.ts';
import type { TestHub } from './hub-server.ts';
import { SimDevice, type SimTime } from './sim-device.ts';
import { SimStore } from './sim-store.ts';
import { workSession } from './work.ts';

/** A folder in memory, where there is one: a kill is not a power failure. */
const MEMORY = '/dev/shm';
const DAY_MS = 86_400_000;
/** What happens next, and below which drawn number. */
const STEPS = [
  ['sync', 0.42],
  ['say', 0.56],
  ['fact', 0.7],
  ['rename', 0.76],
  ['purge', 0.84],
  ['private', 0.87],
  ['harm', 0.93],
  ['clone', 0.96],
  ['die', 1],
] as const;
/** Rounds of syncs after which machines that have heard from each other are alike. */
const MOST_ROUNDS = 12;
const MOST_STEPS = 14;
/** A kill comes at one of so many durable steps of a command, more often at an early one. */
const MOST_KILL_STEPS = 60;

export type PlayedHistory = {
  /** How often what happened, by its name. */
  counts: Map<string, number>;
  /** What is wrong; empty where all is well. */
  wrong: string[];
};

type Word = {
  text: string;
  by: SimDevice;
  kind: 'said' | 'fact';
  session: string;
  state: 'there' | 'unsure' | 'purged';
};

export type HistoryOptions = {
  steps?: number;
  trace?: ((line: string) => void) | undefined;
  /** An empty hub instead of a folder. */
  hub?: TestHub | undefined;
};

/** One random life of several machines around one store, ended by syncs without faults, and what is wrong then. */
export async function playHistory(
  seed: number,
  { steps = MOST_STEPS, trace, hub }: HistoryOptions = {},
): Promise<PlayedHistory> {
  const history = new History(seed, trace, hub);
  try {
    await history.begin();
    for (let step = 0; step < steps; step++) await history.step();
    return await history.end();
  } finally {
    await history.remove();
  }
}

class History {
  readonly #seed: number;
  readonly #trace: ((line: string) => void) | undefined;
  readonly #draw: () => number;
  readonly #root = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'keepsake-history-'));
  readonly #store: SimStore;
  readonly #time: SimTime = { ms: Date.UTC(2026, 5, 1) };
  readonly #devices: SimDevice[] = [];
  readonly #words: Word[] = [];
  /** What each machine's agent wrote of a session. */
  readonly #files = new Map<string, string>();
  readonly #purged = new Set<string>();
  readonly #privates = new Set<string>();
  #key = '';
  /** From then on nothing goes wrong. */
  #isEnding = false;
  readonly #counts = new Map<string, number>();
  #count = 0;

  readonly #hub: TestHub | undefined;

  constructor(seed: number, trace: ((line: string) => void) | undefined, hub: TestHub | undefined) {
    [this.#seed, this.#trace, this.#hub] = [seed, trace, hub];
    this.#draw = chance(seed);
    const inner = hub && ((root: string) => hubStore(hub.address, tokenFile(root)));
    this.#store = new SimStore(join(this.#root, 'store'), this.#draw, inner);
  }

  async begin(): Promise<void> {
    const many = 2 + Math.floor(this.#draw() * 2);
    for (let at = 0; at < many; at++) await this.#join(this.#make(String.fromCharCode(97 + at)));
    this.#store.rate = this.#draw() < 0.3 ? 0 : 0.12;
  }

  #make(name: string): SimDevice {
    const skew = (this.#draw() - 0.5) * 6 * DAY_MS;
    if (Math.abs(skew) > DAY_MS) this.#note('machines with a clock off by more than a day');
    const place = { name, root: join(this.#root, name), made: Math.floor(this.#draw() * 1000) };
    const device = new SimDevice(
      place,
      { time: this.#time, skewMs: skew },
      () => this.#store.open(place.root),
      this.#draw,
    );
    this.#devices.push(device);
    return device;
  }

  async #join(device: SimDevice): Promise<void> {
    await this.#say(device, `s-${device.name}`, true);
    const added = await addRemote(device.world, {
      address: this.#store.folder,
      ...(this.#hub
        ? { name: 'home', invite: (await inviteMember(this.#hub.hub, 'owner')).invitation }
        : this.#key === ''
          ? {}
          : { key: this.#key }),
    });
    this.#key ||= added.key ?? '';
    await shareProjects(device.world, { all: true });
    await approveRemote(device.world);
    await syncRemote(device.world, 'home');
  }

  async step(): Promise<void> {
    const device = anyOf(this.#living, this.#draw);
    const kind = this.#draw();
    const [name] = STEPS.find(([, below]) => kind < below)!;
    this.#trace?.(`${device.name} ${name}`);
    if (name === 'sync') await this.#sync(device);
    else if (name === 'say') await this.#say(device, this.#sessionFor(device));
    else if (name === 'fact') await this.#fact(device);
    else if (name === 'rename') await this.#rename(device);
    else if (name === 'purge') await this.#purge(device);
    else if (name === 'private') await this.#private(device);
    else if (name === 'harm') this.#store.harm();
    else if (name === 'clone') await this.#clone(device);
    else await this.#die(device);
    if (this.#trace)
      for (const living of this.#living)
        this.#trace(`  ${living.name} ${[...(await this.#known(living)).values()]}`);
  }

  get #living(): SimDevice[] {
    return this.#devices.filter((it) => it.isAlive);
  }

  /** A session of its own, or one that began on another machine and goes on here. */
  #sessionFor(device: SimDevice): string {
    const kind = this.#draw();
    if (kind < 0.5) return `s-${device.name}`;
    return kind < 0.8 ? `s-${device.name}${++this.#count}` : `s-${anyOf(this.#devices, this.#draw).name}`;
  }

  async #say(device: SimDevice, session: string, isSafe = false): Promise<void> {
    const text = this.#word();
    const key = `${device.name}/${session}`;
    const before = this.#files.get(key) ?? (await this.#resumed(device, session));
    if (!this.#files.has(key) && before !== '') this.#note('sessions resumed on another machine');
    const more = workSession(
      session,
      [{ you: `Please keep ${text} in mind.` }, { agent: 'Yes.' }],
      undefined,
      device.shop,
    )
      // Lines of another time have ids of their own.
      .replaceAll(`${session}-0`, `u${this.#seed}-${this.#count}-0`);
    const file = before + more;
    this.#files.set(key, file);
    device.say(session, file);
    const path = join(
      device.world.projects,
      device.shop.replaceAll(/[^A-Za-z0-9]/g, '-'),
      `${session}.jsonl`,
    );
    const work = (world: SimDevice['world']) => register(world, path);
    const isDone = isSafe ? await device.run(work) : await this.#try(device, work);
    this.#words.push({ text, by: device, kind: 'said', session, state: isDone ? 'there' : 'unsure' });
  }

  /** As the archive here has it: the user resumes it on this machine. */
  async #resumed(device: SimDevice, session: string): Promise<string> {
    for (const { projectId, sessions } of await device.manifests())
      if (sessions[session]) return device.original(projectId, session);
    return '';
  }

  async #fact(device: SimDevice): Promise<void> {
    const text = this.#word();
    const isDone = await this.#try(device, (world) =>
      addFact(world, { content: `The ${text} is blue.`, project: device.shop }),
    );
    this.#words.push({ text, by: device, kind: 'fact', session: '', state: isDone ? 'there' : 'unsure' });
  }

  async #rename(device: SimDevice): Promise<void> {
    const session = `s-${device.name}`;
    await this.#try(device, (world) =>
      renameSession(world, { session, project: device.shop, name: this.#word() }),
    );
  }

  async #purge(device: SimDevice): Promise<void> {
    const held: Word[] = [];
    for (const word of this.#words)
      if (word.state === 'there' && (await this.#has(device, word.text))) held.push(word);
    if (held.length === 0) return;
    const word = anyOf(held, this.#draw);
    const isDone = await this.#try(device, async (world) => {
      const { carryOut } = await preparePurge(world, { kind: 'text', text: word.text });
      await carryOut();
    });
    word.state = isDone ? 'purged' : 'unsure';
    if (isDone) {
      word.by = device;
      this.#purged.add(word.text);
    }
  }

  async #private(device: SimDevice): Promise<void> {
    const session = `s-${device.name}`;
    await this.#try(device, (world) => setPrivate(world, { session, project: device.shop }));
    this.#privates.add(session);
    this.#note('sessions made private');
  }

  async #sync(device: SimDevice): Promise<void> {
    await this.#try(device, (world) => syncRemote(world, 'home'));
  }

  /** A copied disk, or a backup that was restored beside the machine: both go on. */
  async #clone(device: SimDevice): Promise<void> {
    if (this.#devices.length >= 5) return;
    const name = String.fromCharCode(97 + this.#devices.length);
    cpSync(device.root, join(this.#root, name), { recursive: true });
    this.#make(name);
    this.#note('cloned machines');
  }

  async #die(device: SimDevice): Promise<void> {
    if (this.#living.length < 3) return;
    device.isAlive = false;
    this.#note('dead machines');
    await device.close();
    // Somebody may notice at once that it never comes back.
    if (this.#draw() < 0.5) await this.#retireDead(anyOf(this.#living, this.#draw));
  }

  /** Ids that no living machine speaks for: as a user reads them off `remote status`. */
  async #retireDead(device: SimDevice): Promise<void> {
    const spoken = new Set<string>();
    for (const { world } of this.#living) {
      const { device: id, former } = await ownDevice(world);
      for (const it of [id, ...former]) spoken.add(it);
    }
    const [status] = await remoteStatus(device.world);
    this.#trace?.(
      `retire ${[...spoken].map((it) => it.slice(0, 8))} of ${status?.devices.map((it) => `${it.id.slice(0, 8)} ${it.name} ${it.isRetired}`)}`,
    );
    for (const { id, isRetired } of status?.devices ?? [])
      if (!isRetired && !spoken.has(id))
        await this.#try(device, (world) => retireDevice(world, { device: id }));
  }

  /** Does something that may be killed, or meet a store that fails. True where it was acknowledged. */
  async #try(device: SimDevice, work: Parameters<SimDevice['run']>[0]): Promise<boolean> {
    const killAfter =
      !this.#isEnding && this.#draw() < 0.3 ? 1 + Math.floor(this.#draw() ** 2 * MOST_KILL_STEPS) : undefined;
    try {
      const isDone = await device.run(work, killAfter);
      if (!isDone) this.#trace?.(`  killed at ${killAfter}`);
      return isDone;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#trace?.(`  ${error.message}`);
      if (!['remote', 'not-found', 'conflict', 'ambiguous'].includes(error.code)) throw error;
      return false;
    }
  }

  #note(what: string, times = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + times);
  }

  #word(): string {
    return `word${this.#seed}x${++this.#count}x`;
  }

  async #has(device: SimDevice, text: string): Promise<boolean> {
    for (const { projectId, sessions, factEdits } of await device.manifests()) {
      if (JSON.stringify(factEdits ?? []).includes(text)) return true;
      for (const id of Object.keys(sessions)) if (device.original(projectId, id).includes(text)) return true;
    }
    return false;
  }

  async end(): Promise<PlayedHistory> {
    this.#store.rate = 0;
    const living = this.#living;
    for (const device of living) await sync(device.world);
    for (const device of living) await syncRemote(device.world, 'home');
    this.#isEnding = true;
    await this.#retireDead(living[0]!);
    let rounds = 0;
    for (let isQuiet = false; !isQuiet && rounds < MOST_ROUNDS; rounds++) {
      isQuiet = true;
      for (const device of living) {
        const report = await syncRemote(device.world, 'home');
        const { pulled, pushed, purges, withdrawn } = report;
        this.#trace?.(
          `end ${device.name} ${JSON.stringify({ pulled, pushed, purges, withdrawn })} ${report.notes}`,
        );
        this.#trace?.(`  ${[...(await this.#known(device)).values()]}`);
        if (pulled.segments + pushed.segments + pushed.removed + pushed.restored + purges + withdrawn > 0)
          isQuiet = false;
      }
    }
    const wrong: string[] = rounds === MOST_ROUNDS ? [`not quiet after ${rounds} rounds`] : [];
    wrong.push(...(await this.#differences(living)));
    for (const word of this.#words)
      if (word.state === 'there' && living.includes(word.by) && !this.#privates.has(word.session))
        for (const device of living)
          if (!(await this.#has(device, word.text)))
            wrong.push(`${word.kind} ${word.text} of ${word.by.name} is lost on ${device.name}`);
    wrong.push(...(await this.#left(living)));
    this.#note('machines', this.#devices.length);
    this.#note('texts purged', this.#purged.size);
    const said = this.#words.filter(({ state }) => state !== 'unsure').length;
    this.#note('acknowledged words', said);
    for (const counts of [this.#store.faults, ...this.#devices.map(({ kills }) => kills)])
      for (const [what, times] of counts)
        this.#note(counts === this.#store.faults ? what : `killed ${what}`, times);
    return { counts: this.#counts, wrong };
  }

  /** What one machine knows and the first does not, or the other way. */
  async #differences([first, ...others]: SimDevice[]): Promise<string[]> {
    const here = await this.#known(first!);
    const wrong: string[] = [];
    for (const other of others) {
      const there = await this.#known(other);
      const only = (a: Map<string, string>, b: Map<string, string>) =>
        [...a].flatMap(([key, what]) => (b.has(key) ? [] : [what]));
      const [mine, theirs] = [only(here, there), only(there, here)];
      if (mine.length + theirs.length > 0)
        wrong.push(`only on ${first!.name}: [${mine}], only on ${other.name}: [${theirs}]`);
    }
    return wrong;
  }

  /** What the machine knows, whatever it is called and wherever it lies there; by a key that is the same everywhere. */
  async #known(device: SimDevice): Promise<Map<string, string>> {
    const known = new Map<string, string>();
    const isPrivate = this.#privates;
    for (const { projectId, ...manifest } of await device.manifests()) {
      for (const id of Object.keys(manifest.sessions)) {
        const base = id.replace(/@[0-9a-f]{8}$/, '');
        if (isPrivate.has(base)) continue;
        const original = device.original(projectId, id);
        known.set(`s ${base} ${hash(original)}`, `${id} of ${original.length} bytes`);
      }
      for (const edit of [...(manifest.factEdits ?? []), ...(manifest.fieldEdits ?? [])]) {
        const isName = 'field' in edit && edit.field === 'session';
        if (!(isName && isPrivate.has(edit.key)))
          known.set(`e ${edit.editId}`, isName ? `name ${edit.key}=${edit.value}` : `fact ${edit.editId}`);
      }
      for (const { kind, id } of manifest.tombstones)
        if (!isPrivate.has(id)) known.set(`t ${kind} ${id}`, `purge of ${kind} ${id}`);
    }
    return known;
  }

  /** Places where a purged text is: every file of an archive, every line of the store. Of a dead machine's purge nothing is promised. */
  async #left(living: SimDevice[]): Promise<string[]> {
    const gone = this.#words
      .filter((it) => it.state === 'purged' && living.includes(it.by))
      .map((it) => it.text);
    const found: string[] = [];
    for (const device of living)
      for (const entry of readdirSync(join(device.root, 'archive'), {
        recursive: true,
        withFileTypes: true,
      })) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const text = readFileSync(path, 'latin1');
        for (const word of gone)
          if (text.includes(word)) found.push(`${word} is left in ${path.slice(this.#root.length)}`);
      }
    const { world } = living[0]!;
    const remote = await openRemote(world, await readRemote(world, 'home'));
    for (const { name } of await remote.store.list('r/')) {
      const opened = openSegment(
        parseSegmentName(name)!,
        (await remote.store.get(name)) ?? Buffer.alloc(0),
        remote,
      );
      const text = opened.state === 'read' ? opened.lines.join('\n') : '';
      for (const word of gone) if (text.includes(word)) found.push(`${word} is left in the store: ${name}`);
    }
    return found;
  }

  async remove(): Promise<void> {
    for (const device of this.#living) await device.close();
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** On the machine's disk: who copies that copies the token, too. */
function tokenFile(root: string): HubTokens {
  const path = join(root, 'hub-token');
  return {
    read: async () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    write: async (_, token) => writeFileSync(path, token),
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
