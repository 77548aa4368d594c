import { cachedArchive } from '../../app/cached-archive.ts';
import { fillReplica, type Replica, type ReplicaState } from '../../app/hub/fill-replica.ts';
import type { Hub } from '../../app/hub/hub.ts';
import { accessTo } from '../../app/hub/repo-access.ts';
import type { HubCaller } from '../../app/hub/sign-in.ts';
import { readStored, type StoredKind } from '../../app/read-stored.ts';
import { bringIndexUp } from '../../app/search/bring-index-up.ts';
import type { World } from '../../app/world.ts';
import { Fault } from '../../core/model/fault.ts';
import { fields, figure, oneOf, record, sessionId, text } from '../../core/model/shape.ts';
import type { HubAccess, HubHead } from '../../ports/hub-database.ts';

/** An archive that a hub has for a repository. */
export type OpenReplica = { world: World; close(): Promise<void> };

/** Where a hub keeps what it answers from: a folder a repository, for this process alone. */
export interface ReplicaPlace {
  open(repo: string): Promise<OpenReplica>;
  /** With all that is in it. */
  remove(repo: string): Promise<void>;
  kept(): Promise<string[]>;
  close(): Promise<void>;
  /** Its files are flushed to the disk: then a thread must wait for it. */
  waitsForDisk: boolean;
}

/** Repositories that a hub keeps ready; those that were asked for longest ago are deleted. */
export const MOST_REPLICAS = 64;
/** How long the first caller waits for a build; once it exists, how long callers wait for new segments. */
const BUILD_MS = 20_000;
const NEWS_MS = 2000;
/** After new segments were put in, the next are waited for a few times as long: under load, several searches share the work. */
const REST_TIMES = 3;
const MOST_REST_MS = 500;
const STATE = 'hub-replica.json';
/** Is there while it is being filled: of one that was cut off nothing is used. */
const FILLING = 'hub-filling';
const STORED: StoredKind<ReplicaState> = {
  schema: fields({
    ...{ version: oneOf(2), repo: text, head: figure, removals: figure },
    streams: record(sessionId),
  }),
  format: ['version', 2],
  damaged: 'It is being rebuilt.',
};

type Ready = Replica & {
  close(): Promise<void>;
  uses: number;
  idle: (() => void)[];
  /** What came in is being put into it. */
  filling?: Promise<void> | undefined;
  /** When the last of that ended, and how long it took. */
  filled?: { at: number; ms: number };
  ended: AbortController;
};

/** What a hub answers members from: an archive and an index for each repository, made from its segments when it is first asked for. */
export class Replicas {
  readonly #hub: Hub;
  readonly #place: ReplicaPlace;
  readonly #most: number;
  readonly #ready = new Map<string, Ready>();
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(hub: Hub, place: ReplicaPlace, most = MOST_REPLICAS) {
    [this.#hub, this.#place, this.#most] = [hub, place, most];
  }

  /**
   * Answers from what a repository has now, if the caller may read it, and still may when the answer is ready. Of what comes in faster
   * than it can be put into the index, the last may be missing; nothing that is gone is ever there.
   */
  async read<T>(caller: HubCaller, repo: string, work: (world: World) => Promise<T>): Promise<T> {
    for (;;) {
      const access = await accessTo(this.#hub, caller, { repo, right: 'read' });
      const head = await this.#hub.database.head(access);
      const replica = await this.#inTurn(repo, () => this.#opened(access, head));
      try {
        // Something in it was deleted meanwhile: once more.
        if (!(await this.#upToDate(access, replica, head))) continue;
        const answer = await work(replica.world);
        await this.#hub.database.head({ ...access, now: this.#hub.clock.now() });
        return answer;
      } finally {
        this.#release(replica);
      }
    }
  }

  /** Deletes what holds segments that are gone. For all that is kept, since other hubs delete segments, too. */
  async sweep(): Promise<void> {
    const now = new Map((await this.#hub.database.repos()).map((repo) => [repo.id, repo]));
    for (const repo of await this.#place.kept())
      await this.#inTurn(repo, async () => {
        const known = this.#ready.get(repo)?.state ?? (await this.#storedState(repo));
        if (known?.removals !== now.get(repo)?.removals) await this.#drop(repo);
      });
  }

  async drop(repo: string): Promise<void> {
    await this.#inTurn(repo, () => this.#drop(repo));
  }

  async close(): Promise<void> {
    for (const repo of [...this.#ready.keys()]) await this.#inTurn(repo, () => this.#close(repo));
    await this.#place.close();
  }

  #inTurn<T>(repo: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(repo) ?? Promise.resolve()).then(work);
    const ended = Promise.allSettled([turn]).then(() => {
      if (this.#turns.get(repo) === ended) this.#turns.delete(repo);
    });
    this.#turns.set(repo, ended);
    return turn;
  }

  async #opened({ repo }: HubAccess, { removals }: HubHead): Promise<Ready> {
    if (this.#ready.get(repo) && this.#ready.get(repo)?.state.removals !== removals) await this.#drop(repo);
    const replica = this.#ready.get(repo) ?? (await this.#open(repo, removals));
    // The one that was used last is the last to go.
    this.#ready.delete(repo);
    this.#ready.set(repo, replica);
    replica.uses++;
    this.#dropOldest();
    return replica;
  }

  /** Continues when nobody waits any more. False if it was abandoned. */
  async #upToDate(access: HubAccess, replica: Ready, { head }: HubHead): Promise<boolean> {
    const isBuilt = replica.state.head > 0;
    const until = performance.now() + (isBuilt ? NEWS_MS : BUILD_MS);
    while (replica.state.head < head) {
      if (replica.ended.signal.aborted) return false;
      const isOwn = replica.filling === undefined;
      replica.filling ??= this.#fill(access, replica).finally(() => {
        replica.filling = undefined;
      });
      const became = await outcomeWithin(replica.filling, until - performance.now());
      if (became === 'late' && isBuilt) return true;
      if (became === 'late')
        throw new Fault('busy', 'The index of this repository is being built.', {
          hint: 'Try again in a moment.',
        });
      // What someone else was refused meanwhile says nothing about this caller.
      if (became !== 'done' && isOwn) throw became.error;
    }
    return !replica.ended.signal.aborted;
  }

  async #open(repo: string, removals: number): Promise<Ready> {
    const state = await this.#storedState(repo);
    const isGood = state?.repo === repo && state.removals === removals;
    if (!isGood) await this.#place.remove(repo);
    const { world, close } = await this.#place.open(repo);
    const name = (await this.#hub.database.repos()).find(({ id }) => id === repo)?.name ?? '';
    const fresh: ReplicaState = { version: 2, repo, head: 0, removals, streams: {} };
    const ready = { world: { ...world, archive: cachedArchive(world.archive) }, close, name };
    return { ...ready, state: isGood ? state : fresh, uses: 0, idle: [], ended: new AbortController() };
  }

  async #storedState(repo: string): Promise<ReplicaState | undefined> {
    if (!(await this.#place.kept()).includes(repo)) return undefined;
    const { world, close } = await this.#place.open(repo);
    try {
      if ((await world.archive.files.read(undefined, FILLING)) !== undefined) return undefined;
      return (await readStored(world, undefined, STATE, STORED)).value;
    } finally {
      await close();
    }
  }

  async #fill(access: HubAccess, replica: Ready): Promise<void> {
    const { world, state } = replica;
    const isFirst = state.head === 0;
    await restAfter(replica);
    if (replica.ended.signal.aborted) return;
    const started = performance.now();
    await world.archive.files.writeAt(undefined, FILLING, 0, '1');
    await fillReplica(this.#hub, access, replica, replica.ended.signal);
    if (replica.ended.signal.aborted) return;
    // Later on each search does it.
    if (isFirst) await bringIndexUp(world);
    await world.archive.files.write(undefined, STATE, JSON.stringify(state));
    await world.archive.files.remove(undefined, FILLING);
    const at = performance.now();
    replica.filled = { at, ms: at - started };
  }

  /** Each in its own turn: nobody waits for it here. */
  #dropOldest(): void {
    const over = Math.max(0, this.#ready.size - this.#most);
    for (const [repo, { uses }] of [...this.#ready].slice(0, over))
      if (uses === 0)
        void Promise.allSettled([
          this.#inTurn(repo, async () => {
            if (this.#ready.get(repo)?.uses === 0) await this.#drop(repo);
          }),
        ]);
  }

  async #drop(repo: string): Promise<void> {
    await this.#close(repo);
    await this.#place.remove(repo);
  }

  /** Whoever reads it now reads on; nobody else gets it. */
  async #close(repo: string): Promise<void> {
    const replica = this.#ready.get(repo);
    if (!replica) return;
    this.#ready.delete(repo);
    replica.ended.abort();
    await replica.filling?.catch(() => undefined);
    if (replica.uses > 0) await new Promise<void>((resolve) => replica.idle.push(resolve));
    await replica.close();
  }

  #release(replica: Ready): void {
    replica.uses--;
    if (replica.uses === 0) for (const resolve of replica.idle.splice(0)) resolve();
  }
}

/** What comes in meanwhile is put in with the rest. */
async function restAfter({ filled, ended: { signal } }: Ready): Promise<void> {
  if (!filled || signal.aborted) return;
  const left = filled.at + Math.min(MOST_REST_MS, REST_TIMES * filled.ms) - performance.now();
  if (left <= 1) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, left);
    signal.addEventListener('abort', end);
  });
}

async function outcomeWithin(work: Promise<void>, ms: number): Promise<'done' | 'late' | { error: unknown }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms), 'late');
  });
  const done = work.then(
    () => 'done' as const,
    (error: unknown) => ({ error }),
  );
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}
