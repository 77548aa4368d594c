import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HubTokens, hubStore } from '../../src/adapters/remote-hub/hub-store.ts';
import { inviteMember } from '../../src/app/hub/members.ts';
import { addFact } from '../../src/app/layers/facts-edit.ts';
import { preparePurge } from '../../src/app/purge/purge.ts';
import { addRemote } from '../../src/app/remote/add-remote.ts';
import { fetchSession } from '../../src/app/remote/fetch-original.ts';
import { setPrivate } from '../../src/app/remote/private.ts';
import { prepareWholePurge } from '../../src/app/remote/purge-sealed.ts';
import { remoteStatus, retireDevice } from '../../src/app/remote/remote-status.ts';
import { approveRemote, shareProjects } from '../../src/app/remote/share.ts';
import { syncRemote } from '../../src/app/remote/sync-remote.ts';
import { ownDevice } from '../../src/app/segment/remote-record.ts';
import { isLight } from '../../src/app/segment/talk-file.ts';
import { renameSession } from '../../src/app/session/rename.ts';
import { register } from '../../src/app/sync/register.ts';
import { sync } from '../../src/app/sync/sync.ts';
import { Fault } from '../../src/core/model/fault.ts';
import { streamBase } from '../../src/core/model/stream-id.ts';
import { anyOf, chance } from '../faults/chance.ts';
import { differencesOf, knownOf, leftInStore, purgedLeft } from './history-state.ts';
import type { TestHub } from './hub-server.ts';
import { SimDevice, type SimTime } from './sim-device.ts';
import { SimStore } from './sim-store.ts';
import { workSession } from './work.ts';

/** A folder in memory, if there is one: a kill is not a power failure. */
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
  /** With purges of whole sessions, sealed copies purged at once, and light machines. On a hub nobody is light. */
  isWide?: boolean;
};

/** One random life of several machines around one store, ended by syncs without faults, and what is wrong then. */
export async function playHistory(
  seed: number,
  { steps = MOST_STEPS, trace, hub, isWide = hub === undefined }: HistoryOptions = {},
): Promise<PlayedHistory> {
  const history = new History(seed, trace, { hub, isWide });
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
  /** Machines that said of a session that it is private. */
  readonly #hidden = new Map<string, SimDevice[]>();
  /** Sessions that someone purged as a whole, or was killed at it. */
  readonly #goneSessions = new Set<string>();
  readonly #light = new Set<SimDevice>();
  #key = '';
  /** From then on nothing goes wrong. */
  #isEnding = false;
  readonly #counts = new Map<string, number>();
  #count = 0;

  readonly #hub: TestHub | undefined;

  readonly #isWide: boolean;

  constructor(
    seed: number,
    trace: ((line: string) => void) | undefined,
    { hub, isWide }: { hub: TestHub | undefined; isWide: boolean },
  ) {
    [this.#seed, this.#trace, this.#hub, this.#isWide] = [seed, trace, hub, isWide];
    this.#draw = chance(seed);
    const inner = hub && ((root: string) => hubStore(hub.address, tokenFile(root)));
    this.#store = new SimStore(join(this.#root, 'store'), this.#draw, inner);
  }

  async begin(): Promise<void> {
    const many = 2 + Math.floor(this.#draw() * 2);
    for (let at = 0; at < many; at++) {
      const device = this.#make(String.fromCharCode(97 + at));
      if (at > 0 && this.#isWide && this.#draw() < 0.35) this.#makeLight(device);
      await this.#join(device);
    }
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

  #makeLight(device: SimDevice): void {
    this.#light.add(device);
    this.#note('light machines');
  }

  async #join(device: SimDevice): Promise<void> {
    await this.#say(device, `s-${device.name}`, true);
    const added = await addRemote(device.world, {
      address: this.#store.folder,
      ...(this.#hub
        ? { name: 'home', invite: (await inviteMember(this.#hub.hub, 'owner')).invitation }
        : this.#key === ''
          ? {}
          : { key: this.#key, ...(this.#light.has(device) && { light: true }) }),
    });
    this.#key ||= added.key ?? '';
    await shareProjects(device.world, { all: true });
    await approveRemote(device.world);
    await syncRemote(device.world, 'home');
  }

  async step(): Promise<void> {
    const device = anyOf(this.#living, this.#draw);
    const kind = this.#draw();
    const [drawn] = STEPS.find(([, below]) => kind < below)!;
    const name = drawn === 'purge' && this.#isWide && this.#draw() < 0.5 ? 'purge session' : drawn;
    this.#trace?.(`${device.name} ${name}`);
    if (name === 'sync') await this.#sync(device);
    else if (name === 'say') await this.#say(device, await this.#sessionFor(device));
    else if (name === 'fact') await this.#fact(device);
    else if (name === 'rename') await this.#rename(device);
    else if (name === 'purge') await this.#purge(device);
    else if (name === 'purge session') await this.#purgeSession(device);
    else if (name === 'private') await this.#private(device);
    else if (name === 'harm') this.#store.harm();
    else if (name === 'clone') await this.#clone(device);
    else await this.#die(device);
    if (this.#trace)
      for (const living of this.#living)
        this.#trace(`  ${living.name} ${[...(await knownOf(living, this.#privates)).values()]}`);
  }

  get #living(): SimDevice[] {
    return this.#devices.filter((it) => it.isAlive);
  }

  /** A session of its own, or one that began on another machine and goes on here. */
  async #sessionFor(device: SimDevice): Promise<string> {
    const kind = this.#draw();
    const fresh = () => `s-${device.name}${++this.#count}`;
    if (kind >= 0.5 && kind < 0.8) return fresh();
    const session = `s-${kind < 0.5 ? device.name : anyOf(this.#devices, this.#draw).name}`;
    // What was purged is not said again, and of talk alone no agent can go on.
    if (this.#goneSessions.has(session)) return fresh();
    const isTalk = (await device.manifests()).some(
      ({ sessions }) => sessions[session] && isLight(sessions[session]),
    );
    return isTalk ? fresh() : session;
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
    const known = await this.#allText(device);
    const held = this.#words.filter(({ state, text }) => state === 'there' && known.includes(text));
    if (held.length === 0) return;
    const word = anyOf(held, this.#draw);
    const isDone = await this.#try(device, async (world) => {
      const prepare = this.#isWide ? prepareWholePurge : preparePurge;
      const { carryOut } = await prepare(world, { kind: 'text', text: word.text });
      await carryOut();
    });
    word.state = isDone ? 'purged' : 'unsure';
    if (isDone) {
      word.by = device;
      this.#purged.add(word.text);
    }
  }

  /** With all that was said in it, wherever it went on; a word that its purger did not know may be left. */
  async #purgeSession(device: SimDevice): Promise<void> {
    const held = (await device.manifests()).flatMap(({ projectId, sessions }) =>
      Object.keys(sessions).map((session) => ({ session, text: device.original(projectId, session) })),
    );
    const own = held.filter(({ session }) => !session.includes('@') && !this.#privates.has(session));
    if (own.length === 0) return;
    const { session, text } = anyOf(own, this.#draw);
    const isDone = await this.#try(device, async (world) => {
      const { carryOut } = await prepareWholePurge(world, { kind: 'session', session, project: device.shop });
      await carryOut();
    });
    this.#goneSessions.add(session);
    if (isDone) this.#note('sessions purged');
    for (const word of this.#words) {
      if (word.session !== session || word.state === 'purged') continue;
      const isKnown = isDone && text.includes(word.text);
      word.state = isKnown ? 'purged' : 'unsure';
      if (isKnown) word.by = device;
    }
  }

  async #private(device: SimDevice): Promise<void> {
    const held = (await device.manifests()).flatMap(({ sessions }) => Object.keys(sessions));
    const own = `s-${device.name}`;
    // Wherever it came from, if it is here.
    const session = this.#isWide && this.#draw() < 0.5 ? streamBase(anyOf([own, ...held], this.#draw)) : own;
    // The beginning of an id is enough for one: another session must not be meant.
    if (!held.includes(session)) return;
    const isDone = await this.#try(device, (world) => setPrivate(world, { session, project: device.shop }));
    this.#privates.add(session);
    if (isDone) this.#hidden.set(session, [...(this.#hidden.get(session) ?? []), device]);
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
    const clone = this.#make(name);
    if (this.#light.has(device)) this.#makeLight(clone);
    this.#note('cloned machines');
  }

  async #die(device: SimDevice): Promise<void> {
    if (this.#living.length < 3) return;
    device.isAlive = false;
    this.#note('dead machines');
    await device.close();
    // Someone may notice at once that it never comes back.
    if (this.#draw() < 0.5) await this.#retireDead(anyOf(this.#living, this.#draw));
  }

  /** Ids that no living machine speaks for: as a user reads them off `remote status`. Gives those that were retired now. */
  async #retireDead(device: SimDevice): Promise<Set<string>> {
    const retired = new Set<string>();
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
        if (await this.#try(device, (world) => retireDevice(world, { device: id }))) retired.add(id);
    return retired;
  }

  /** Does something that may be killed, or meet a store that fails. True if it was acknowledged. */
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

  /** Facts and sessions, as the machine has them. */
  async #allText(device: SimDevice): Promise<string> {
    const texts = (await device.manifests()).flatMap(({ projectId, sessions, factEdits }) => [
      JSON.stringify(factEdits ?? []),
      ...Object.keys(sessions).map((id) => device.original(projectId, id)),
    ]);
    return texts.join('\n');
  }

  async end(): Promise<PlayedHistory> {
    this.#store.rate = 0;
    const living = this.#living;
    for (const device of living) await sync(device.world);
    for (const device of living) await syncRemote(device.world, 'home');
    this.#isEnding = true;
    const retired = await this.#retireDead(living[0]!);
    let rounds = await this.#syncUntilQuiet(living);
    const wrong: string[] = rounds === MOST_ROUNDS ? [`not quiet after ${rounds} rounds`] : [];
    let isMore = false;
    for (const device of living) {
      const [status] = await remoteStatus(device.world);
      for (const { id, isRetired } of status?.devices ?? [])
        if (retired.has(id) && !isRetired) wrong.push(`that ${id} is retired did not reach ${device.name}`);
      // Not every machine has heard of every other by then.
      isMore = (await this.#retireDead(device)).size > 0 || isMore;
    }
    if (isMore) rounds = await this.#syncUntilQuiet(living);
    if (isMore && rounds === MOST_ROUNDS) wrong.push(`not quiet after ${rounds} rounds with all retired`);
    this.#note('retirements sent', retired.size);
    if (living.some((device) => this.#light.has(device))) {
      wrong.push(...(await differencesOf(living, this.#privates, 'talk')));
      // A damaged one is noticed when it is asked for, and sent again by its machine's next sync.
      for (let tries = 0; tries < 2; tries++) {
        for (const device of living) await this.#fetchAll(device);
        rounds = await this.#syncUntilQuiet(living);
      }
      if (rounds === MOST_ROUNDS) wrong.push(`not quiet after ${rounds} rounds with all originals`);
    }
    wrong.push(...(await differencesOf(living, this.#privates, 'originals')));
    const kept = this.#words.filter(
      ({ state, by, session }) => state === 'there' && living.includes(by) && !this.#privates.has(session),
    );
    for (const device of living) {
      const known = await this.#allText(device);
      for (const { kind, text, by } of kept)
        if (!known.includes(text)) wrong.push(`${kind} ${text} of ${by.name} is lost on ${device.name}`);
    }
    const gone = this.#words.filter(({ state, by }) => state === 'purged' && living.includes(by));
    wrong.push(
      ...(await purgedLeft(
        living,
        gone.map(({ text }) => text),
      )),
    );
    const hidden = this.#words.filter(({ session }) =>
      this.#hidden.get(session)?.some((device) => living.includes(device)),
    );
    wrong.push(
      ...(await leftInStore(
        living,
        hidden.map(({ text }) => text),
      )),
    );
    this.#note('machines', this.#devices.length);
    this.#note('texts purged', this.#purged.size);
    const said = this.#words.filter(({ state }) => state !== 'unsure').length;
    this.#note('acknowledged words', said);
    for (const counts of [this.#store.faults, ...this.#devices.map(({ kills }) => kills)])
      for (const [what, times] of counts)
        this.#note(counts === this.#store.faults ? what : `killed ${what}`, times);
    return { counts: this.#counts, wrong };
  }

  /** The rounds that it took until nobody had anything to send or to bring. */
  async #syncUntilQuiet(living: SimDevice[]): Promise<number> {
    let rounds = 0;
    for (let isQuiet = false; !isQuiet && rounds < MOST_ROUNDS; rounds++) {
      isQuiet = true;
      for (const device of living) {
        const report = await syncRemote(device.world, 'home');
        const { pulled, pushed, purges, withdrawn } = report;
        this.#trace?.(
          `end ${device.name} ${JSON.stringify({ pulled, pushed, purges, withdrawn })} ${report.notes}`,
        );
        this.#trace?.(`  ${[...(await knownOf(device, this.#privates)).values()]}`);
        const { segments, removed, restored } = pushed;
        const done = pulled.segments + segments + removed + restored + purges + withdrawn;
        // What is said is looked at again by the next sync.
        if (done + report.notes.length > 0) isQuiet = false;
      }
    }
    return rounds;
  }

  /** All originals that only their talk came of. */
  async #fetchAll(device: SimDevice): Promise<void> {
    for (const { projectId, sessions } of await device.manifests())
      for (const row of Object.values(sessions))
        if (isLight(row)) {
          await this.#try(device, (world) =>
            fetchSession(world, { session: row.sessionId, project: projectId }),
          );
          this.#note('originals fetched');
        }
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
