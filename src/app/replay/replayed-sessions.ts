import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import { fields, oneOf, text } from '../../core/model/shape.ts';
import type { SessionMoments } from '../../core/replay/moment.ts';
import type { ReplayedInjection } from '../../core/replay/replay-case.ts';
import { readL1 } from '../find/read-l1.ts';
import { ifReadable } from '../or-fault.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';
import type { AsOfWorld } from './as-of-world.ts';
import { readMoments, replayInjections } from './replay-session.ts';
import { injectionsShape, momentsShape } from './session-shapes.ts';
import type { TimedSession, Timeline } from './timeline.ts';

/** Grows when a replay would say something else of the same sessions. */
const REPLAY_ENGINE = 6;

export type ReplayedSession = TimedSession & {
  moments: SessionMoments;
  /** What hooks would have said; absent where the session was not asked for. */
  injections?: ReplayedInjection[];
};

/** One file per session, so that a stopped replay can continue. `key`: what the injections depend on. */
type ReplayFile = {
  version: 2;
  own: string;
  moments: SessionMoments;
  key?: string;
  injections?: ReplayedInjection[];
};

const REPLAY_FILE: StoredKind<ReplayFile> = {
  schema: fields(
    { version: oneOf(2), own: text, moments: momentsShape },
    { key: text, injections: injectionsShape },
  ),
  format: ['version', 2],
  damaged: 'Keepsake replays the session again.',
};
const FOLDER = 'replay';

export class ReplayedSessions {
  readonly #world: World;
  readonly #timeline: Timeline;
  readonly #settings: string;

  /** `settings`: what a hook may say depends on them. */
  constructor(world: World, timeline: Timeline, settings: string) {
    this.#world = world;
    this.#timeline = timeline;
    this.#settings = settings;
  }

  /** The moments of a session; with `ask` what hooks would have said to it. */
  async of(session: TimedSession, ask?: AskHooks): Promise<ReplayedSession> {
    const { projectId, record } = session;
    const name = `${FOLDER}/${shortHash(projectId, 8)}/${record.sessionId}.json`;
    const own = shortHash(JSON.stringify([REPLAY_ENGINE, record.l1.bytes, record.engine]), 16);
    const stored = (await readStored(this.#world, undefined, name, REPLAY_FILE)).value;
    const known = stored?.own === own ? stored : undefined;
    const key = shortHash(
      JSON.stringify([
        own,
        this.#timeline.hashOf(this.#timeline.knownBefore(session)),
        this.#settings,
        // Folders may be joined or split after a replay.
        ask?.folders ?? [],
      ]),
      16,
    );
    if (known && (!ask || (known.key === key && known.injections)))
      return {
        ...session,
        moments: known.moments,
        ...(ask && known.injections ? { injections: known.injections } : {}),
      };
    const moments = known?.moments ?? (await readMoments(this.#world, session));
    const injections = ask && (await this.#asked(session, moments, ask));
    const file: ReplayFile = { version: 2, own, moments, ...(injections ? { key, injections } : {}) };
    await this.#world.archive.files.write(undefined, name, JSON.stringify(file));
    return { ...session, moments, ...(injections ? { injections } : {}) };
  }

  async #asked(
    session: TimedSession,
    { prompts }: SessionMoments,
    { asOf, folders }: AskHooks,
  ): Promise<ReplayedInjection[]> {
    const { projectId, record } = session;
    const world = await asOf();
    const known = this.#timeline.knownAt(session);
    await world.moveTo({ at: record.firstTimestamp, ...known }, folders, record.metadata.cwd ?? '');
    const project = [projectId, ...folders].find((it) => world.isKnown(it));
    if (project === undefined) return [];
    const lines =
      (await ifReadable(readL1(this.#world, { projectId, l1: record.l1 }), this.#world.report)) ?? [];
    const found = await replayInjections(world, session, project, { lines, prompts });
    world.forget(folders);
    return found;
  }
}

/** A world as of a time, opened when it is first needed, and the folders of the session's project, the main one first. */
export type AskHooks = { asOf: () => Promise<AsOfWorld>; folders: readonly ProjectId[] };
