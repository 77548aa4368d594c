import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { isSessionId } from '../../core/model/ids.ts';
import type { Manifest, Tombstone } from '../../core/model/manifest.ts';
import { secondStreamId, streamBase } from '../../core/model/stream-id.ts';
import { isSameBeginning, isSameStart } from '../bundle/import-sessions.ts';
import { bundlesOf } from '../bundle/reader.ts';
import { originalName } from '../find/session-ref.ts';
import { projectsOf } from '../repository/repositories.ts';
import { isLight } from '../segment/talk-file.ts';
import type { World } from '../world.ts';

/** A stream of a session as it is here. */
export type HeldStream = {
  project: ProjectId;
  session: SessionId;
  /** Only what was said in it is here. */
  isLight: boolean;
  /** It is on its way in: what it will be. */
  coming?: string;
};

/** The sessions of a repository that are here, in any of its folders. */
export class HeldStreams {
  readonly #world: World;
  readonly manifests: ReadonlyMap<ProjectId, Manifest | undefined>;
  readonly #byBase = new Map<string, HeldStream[]>();

  private constructor(world: World, manifests: Map<ProjectId, Manifest | undefined>) {
    [this.#world, this.manifests] = [world, manifests];
  }

  /** Of the repository that these folders are of. */
  static async of(world: World, some: readonly ProjectId[]): Promise<HeldStreams> {
    const folders = new Set(some);
    for (const folder of some) for (const other of await projectsOf(world, folder)) folders.add(other);
    const manifests = new Map<ProjectId, Manifest | undefined>();
    for (const folder of folders) manifests.set(folder, (await world.archive.open(folder))?.manifest);
    const held = new HeldStreams(world, manifests);
    // Copies count, not records: one whose record is not written yet is here anyway.
    for (const [project, manifest] of manifests)
      for (const name of await world.archive.originals.list(project)) {
        const session = /^([^/]+)\.jsonl$/.exec(name)?.[1];
        if (session === undefined || !isSessionId(session)) continue;
        const record = manifest?.sessions[session];
        held.#put({ project, session, isLight: record !== undefined && isLight(record) });
      }
    return held;
  }

  #put(stream: HeldStream): void {
    const base = streamBase(stream.session);
    const others = (this.#byBase.get(base) ?? []).filter((it) => !isSameStream(it, stream));
    this.#byBase.set(base, [...others, stream]);
  }

  /** A stream that comes in: the next one is compared with what is here then. */
  async expect(stream: HeldStream & { coming: string }): Promise<void> {
    const known = this.streams(stream.session).find((it) => isSameStream(it, stream));
    const before = known && known.isLight === stream.isLight ? await this.#size(known) : 0;
    if (((await bundlesOf(this.#world).size(stream.coming)) ?? 0) > before) this.#put(stream);
  }

  async #size({ project, session, coming }: HeldStream): Promise<number> {
    if (coming !== undefined) return (await bundlesOf(this.#world).size(coming)) ?? 0;
    return (await this.#world.archive.originals.size(project, originalName(session))) ?? 0;
  }

  /** All streams of a session, the one by its own id first. */
  streams(session: string): HeldStream[] {
    const all = this.#byBase.get(streamBase(session)) ?? [];
    return all.toSorted((a, b) => a.session.length - b.session.length);
  }

  /** Sessions that are here in more than one stream. */
  several(): HeldStream[][] {
    return [...this.#byBase.values()].filter((streams) => streams.length > 1);
  }

  /** Purges of a session that is in none of the folders. */
  purges(session: SessionId): Tombstone[] {
    const folders = [...this.manifests.values()].filter((it) => it !== undefined);
    if (folders.some(({ sessions }) => Object.hasOwn(sessions, session))) return [];
    const stones = folders.flatMap(({ tombstones }) => tombstones);
    return stones.filter(({ kind, id }) => kind === 'session' && id === session);
  }

  record({ project, session }: HeldStream) {
    return this.manifests.get(project)?.sessions[session];
  }

  /** Whether words of this author go into it: nobody adds any to what someone else said. Undefined: this user, who may claim it. */
  isFor(stream: HeldStream, author: string | undefined): boolean {
    const record = stream.coming === undefined ? this.record(stream) : undefined;
    return author === undefined || record === undefined || record.by === author;
  }

  /** The stream of its author that begins like this file, or continues where it ends. At most one can be extended by it. */
  async matching(
    streams: readonly HeldStream[],
    path: string,
    author?: string,
  ): Promise<HeldStream | undefined> {
    for (const stream of streams)
      if (this.isFor(stream, author) && (await this.#isSame(stream, path))) return stream;
    return undefined;
  }

  /**
   * Whether all of an author's words are known in it: in their own, in this user's, or in one that says just the same. What someone else
   * said more may be made up.
   */
  coversAll(stream: HeldStream, author: string | undefined, isSame: boolean): boolean {
    return isSame || this.isFor(stream, author) || this.record(stream)?.by === undefined;
  }

  /** Whether a stream of someone else has all of this file: it is a copy. */
  async isCopy(streams: readonly HeldStream[], path: string, author: string | undefined): Promise<boolean> {
    const size = (await bundlesOf(this.#world).size(path)) ?? 0;
    for (const stream of streams) {
      if (this.isFor(stream, author)) continue;
      const held = await this.#size(stream);
      const isCovered = size <= held && this.coversAll(stream, author, size === held);
      if (isCovered && (await this.#isSame(stream, path))) return true;
    }
    return false;
  }

  #isSame({ project, session, coming }: HeldStream, path: string): Promise<boolean> {
    return coming
      ? isSameBeginning(this.#world, coming, path)
      : isSameStart(this.#world, project, originalName(session), path);
  }

  /** For a stream that none here is the beginning of. */
  freeId(session: SessionId, device: string): SessionId {
    const taken = new Set<string>(this.streams(session).map((it) => it.session));
    return taken.has(session) ? secondStreamId(session, device, (id) => taken.has(id)) : session;
  }

  /** What a device's talk of a session was kept as, where its original has not come. */
  lightOf(session: SessionId, device: string, author: string | undefined): HeldStream | undefined {
    const light = this.streams(session).filter((it) => it.isLight && this.isFor(it, author));
    const second = secondStreamId(session, device, () => false);
    return light.find((it) => it.session === second) ?? light.find((it) => it.session === session);
  }
}

export function isSameStream(
  a: { project: ProjectId; session: SessionId },
  b: { project: ProjectId; session: SessionId },
): boolean {
  return a.session === b.session && a.project === b.project;
}
