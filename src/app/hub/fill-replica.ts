import type { SessionLine } from '../../core/bundle/bundle-line.ts';
import { claimedName } from '../../core/model/author-name.ts';
import { type Change, newProjectChange } from '../../core/model/change.ts';
import type { FactEdit } from '../../core/model/fact.ts';
import { isSessionId, type ProjectId, type SessionId, sanitizePath } from '../../core/model/ids.ts';
import { secondStreamId } from '../../core/model/stream-id.ts';
import { openSegment } from '../../core/remote/open-segment.ts';
import type { Lane, SegmentName } from '../../core/remote/segment-name.ts';
import type { FollowedSegment, HubAccess, HubSegment } from '../../ports/hub-database.ts';
import { bundlesOf } from '../bundle/reader.ts';
import { originalName } from '../find/session-ref.ts';
import { quickReading } from '../intake/reading.ts';
import { sessionChange } from '../intake/session-change.ts';
import { ownWordsOf, type RemoteAuthor } from '../remote/remote-authors.ts';
import { streamSource } from '../remote/whole-stream.ts';
import { readSegmentLines, type SegmentLine } from '../segment/segment-lines.ts';
import { TALK } from '../segment/session-pieces.ts';
import type { World } from '../world.ts';
import { allEnded } from './all-ended.ts';
import type { Hub } from './hub.ts';
import { authorsWith } from './hub-segments.ts';
import { placeOfRow, type Since, segmentsInOrder, sinceWhen } from './replica-order.ts';
import { continuedSession, nextApart } from './replica-streams.ts';

/** What a hub made of a repository to answer from: an archive of its talk, which can be deleted at any time. */
export type Replica = {
  world: World;
  /** What it calls the repository. */
  name: string;
  state: ReplicaState;
};

export type ReplicaState = {
  version: 2;
  repo: string;
  /** Up to here all is in it. */
  head: number;
  /** How many segments the repository had lost when it was begun: with one more it is rebuilt. */
  removals: number;
  /** What the streams of devices are called in it. */
  streams: Record<string, SessionId>;
};

const PAGE = 1000;
/** Bytes of sessions that are held until they are written. */
const MOST_HELD = 32 * 1024 * 1024;
/** Sessions that one change of the record names. */
const BATCH = 50;
/** Sessions that are written side by side: each waits for the disk several times. */
const SIDE_BY_SIDE = 8;
const MOST_IN_LOG = 200;
/** Segments that are asked for at once, each of some megabytes at most. */
const READ_AHEAD = 4;
/** Bytes of new segments that come with the list of them. */
const WITH_LIST = 1024 * 1024;

export function replicaProject(name: string): ProjectId {
  return sanitizePath(`/${name || 'repository'}`);
}

/** Brings a replica up to all that its repository has. Only what the caller may read comes in: the database asks again each time. */
export async function fillReplica(
  hub: Hub,
  access: HubAccess,
  replica: Replica,
  signal?: AbortSignal,
): Promise<void> {
  const rows = await newSegments(hub, access, replica.state.head);
  const last = rows.at(-1)?.position;
  if (last === undefined) return;
  const since = sinceWhen(rows);
  const filling = new Filling(replica, await authorsIn(hub, access, rows), since);
  await filling.begin();
  const segments = segmentsInOrder(rows, since);
  for (let at = 0; at < segments.length; at += READ_AHEAD) {
    const next = segments.slice(at, at + READ_AHEAD);
    const read = await Promise.all(next.map((row) => row.body ?? hub.database.read(access, row)));
    if (signal?.aborted) return;
    for (const [index, row] of next.entries()) {
      const lines = read[index] && linesOf(hub, access.repo, row, read[index]);
      if (lines) await filling.take(row, lines);
    }
  }
  await filling.finish();
  replica.state.head = last;
}

async function newSegments(hub: Hub, access: HubAccess, after: number): Promise<FollowedSegment[]> {
  const rows: FollowedSegment[] = [];
  for (let at = after; ; ) {
    const page = await hub.database.follow(access, at, PAGE, rows.length === 0 ? WITH_LIST : 0);
    rows.push(...page);
    if (page.length < PAGE) return rows;
    at = page.at(-1)!.position;
  }
}

/** Its signature was checked before it was stored. */
function linesOf(hub: Hub, repo: string, row: HubSegment, bytes: Buffer): SegmentLine[] | undefined {
  const name: SegmentName = { ...row, repo, lane: row.lane as Lane };
  const opened = openSegment(name, bytes, hub, true);
  return opened.state === 'read' ? readSegmentLines(opened.lines) : undefined;
}

async function authorsIn(
  hub: Hub,
  access: HubAccess,
  rows: readonly HubSegment[],
): Promise<Map<string, RemoteAuthor>> {
  const authors = await authorsWith(hub, access, [...new Set(rows.map(({ device }) => device))]);
  return new Map(
    authors.map(({ device, name, mayReview }) => [device, { name: claimedName(name, 'unknown'), mayReview }]),
  );
}

type HeldSession = {
  device: string;
  folder: string;
  session: SessionId;
  at: number;
  bytes: Buffer[];
  line?: SessionLine;
  /** Since when the repository has it. */
  since: number;
};

/** Puts lines of segments into the archive of a replica. */
class Filling {
  readonly #replica: Replica;
  readonly #project: ProjectId;
  readonly #authors: ReadonlyMap<string, RemoteAuthor>;
  readonly #since: Since;
  readonly #held = new Map<string, HeldSession>();
  readonly #taken: Set<string>;
  readonly #written = new Map<SessionId, string>();
  #heldBytes = 0;
  #changes: Change[] = [];
  #stored = 0;

  constructor(replica: Replica, authors: ReadonlyMap<string, RemoteAuthor>, since: Since) {
    [this.#replica, this.#authors, this.#since] = [replica, authors, since];
    this.#project = replicaProject(replica.name);
    this.#taken = new Set(Object.values(replica.state.streams));
  }

  async begin(): Promise<void> {
    const { world, name } = this.#replica;
    if (await world.archive.head(this.#project)) return;
    const projectId = this.#project;
    const createdAt = world.clock.now();
    const change = newProjectChange({
      projectId,
      originalPath: '',
      displayName: name || 'repository',
      createdAt,
    });
    await world.archive.change(projectId, [change], []);
  }

  async take(row: HubSegment, lines: readonly SegmentLine[]): Promise<void> {
    const author = this.#authors.get(row.device);
    if (!author) return;
    const from = { device: row.device, since: this.#since.get(placeOfRow(row)) ?? row.position };
    let folder = '';
    let open: HeldSession | undefined;
    for (const line of ownWordsOf(lines, author)) {
      if (line.t === 'project') folder = line.id;
      else if (line.t === 'piece') open = line.file === TALK ? this.#open(from, folder, line) : undefined;
      else if (line.t === 'data' && open) this.#put(open, line);
      else if (line.t === 'eof') open = undefined;
      else if (line.t === 'session') this.#named(row.device, folder, line);
      else if (line.t === 'fact') this.#offer(line.edit, author);
    }
    if (this.#heldBytes > MOST_HELD) await this.#write();
  }

  #open(
    { device, since }: Pick<HeldSession, 'device' | 'since'>,
    folder: string,
    { session, at }: { session: string; at: number },
  ): HeldSession | undefined {
    const key = streamSource(device, folder, session);
    const known = this.#held.get(key);
    if (!isSessionId(session)) return undefined;
    // Sealed again from its start: the last one counts.
    if (known && at > known.at) return known;
    const opened: HeldSession = { device, folder, session, at, bytes: [], since: known?.since ?? since };
    this.#held.set(key, opened);
    return opened;
  }

  #put(
    held: HeldSession,
    { text, base64 }: { text?: string | undefined; base64?: string | undefined },
  ): void {
    const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
    held.bytes.push(bytes);
    this.#heldBytes += bytes.length;
  }

  #named(device: string, folder: string, line: SessionLine): void {
    const held = this.#held.get(streamSource(device, folder, line.record.sessionId));
    if (held) held.line = line;
  }

  /** What members say about facts for the team; the rest of their facts is theirs. */
  #offer(edit: FactEdit, { name }: RemoteAuthor): void {
    if (edit.action !== 'promote' && edit.action !== 'team-review') return;
    this.#changes.push({ at: ['factEdits'], append: { ...edit, author: name }, unique: 'editId' });
  }

  async finish(): Promise<void> {
    await this.#write();
    const { world } = this.#replica;
    await this.#store();
    // A few changes stay in the log: readers combine both.
    if (this.#stored > MOST_IN_LOG) await world.archive.fold(this.#project);
  }

  async #write(): Promise<void> {
    const { config } = await this.#replica.world.settings.resolve({});
    const reading = quickReading(config);
    // Of two sessions with one id, the one that came first keeps it, however often this is made anew.
    const waiting = [...this.#held.values()]
      .filter(({ bytes }) => bytes.length > 0)
      .sort((a, b) => a.since - b.since);
    while (waiting.length > 0) {
      const next = nextApart(waiting, SIDE_BY_SIDE);
      await allEnded(next.map((held) => this.#session(held, reading)));
      if (this.#changes.length >= 2 * BATCH) await this.#store();
    }
    this.#held.clear();
    this.#heldBytes = 0;
  }

  async #session(held: HeldSession, reading: ReturnType<typeof quickReading>): Promise<void> {
    const { world, state } = this.#replica;
    const key = streamSource(held.device, held.folder, held.session);
    const by = this.#authors.get(held.device)?.name ?? 'unknown';
    const isNew = state.streams[key] === undefined && !this.#taken.has(held.session);
    const session = state.streams[key] ?? (await this.#placeOf(held, by));
    // Before it is written: the next one must not take the same name.
    this.#taken.add(session);
    if (!(await this.#copy(held, originalName(session)))) {
      if (isNew) this.#taken.delete(session);
      return;
    }
    state.streams[key] = session;
    this.#written.set(session, by);
    const ref = { project: this.#project, session };
    const change = await sessionChange(world, ref, { agent: TALK, originalFile: '', ...reading });
    const { registeredAt, lastAccessed, registered, name: called } = held.line?.record ?? {};
    const init = { registeredAt, lastAccessed, registered: registered ?? true, compressions: [], by };
    const title =
      called === undefined ? {} : { name: [...called.replace(/\p{Cc}+/gu, ' ')].slice(0, 200).join('') };
    const defined = Object.fromEntries(
      Object.entries({ ...init, ...title }).filter(([, value]) => value !== undefined),
    );
    this.#changes.push({ at: change.at, init: defined }, change);
  }

  async #placeOf({ session, device, at, bytes }: HeldSession, author: string): Promise<SessionId> {
    if (!this.#taken.has(session)) return session;
    const { world } = this.#replica;
    const incoming = { session, author, bytes };
    const same = at === 0 ? await continuedSession(world, this.#project, incoming, this.#written) : undefined;
    return same ?? secondStreamId(session, device, (id) => this.#taken.has(id));
  }

  /** False where the beginning is not here: its segment is not there yet. */
  async #copy({ at, bytes }: HeldSession, name: string): Promise<boolean> {
    const { world } = this.#replica;
    const size = (await world.archive.originals.size(this.#project, name)) ?? 0;
    if (at > size) return false;
    const { originals } = world.archive;
    if (at === size && (await originals.extend(this.#project, name, at, Buffer.concat(bytes)))) return true;
    const scratch = await bundlesOf(world).scratch();
    try {
      let left = at;
      const path = world.archive.originals.path(this.#project, name);
      for await (const piece of left > 0 ? world.sessionFiles.read(path) : []) {
        scratch.write(piece.subarray(0, left));
        left -= Math.min(left, piece.length);
      }
      for (const piece of bytes) scratch.write(piece);
      scratch.close();
      await world.archive.originals.absorb(this.#project, name, { path: scratch.path }, 'copy');
      return true;
    } finally {
      await scratch.remove();
    }
  }

  async #store(): Promise<void> {
    if (this.#changes.length > 0) await this.#replica.world.archive.change(this.#project, this.#changes, []);
    this.#stored += this.#changes.length;
    this.#changes = [];
  }
}
