import { LightExchanges } from '../../core/layers/exchanges/light-exchange.ts';
import { factsOf } from '../../core/layers/facts/facts.ts';
import type { ExchangeRecord } from '../../core/model/exchange.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import type { SessionStatement } from '../../core/model/statement.ts';
import { sessionExchanges } from '../layers/exchanges.ts';
import { FACTS_FILE } from '../layers/statement-files.ts';
import { currentStatements } from '../layers/statements.ts';
import { updateMemory } from '../rolling/update.ts';
import { openView } from '../search/open-view.ts';
import type { World } from '../world.ts';
import { AsOfArchive, type KnownHistory, type Moment } from './as-of-archive.ts';
import { IndexByTime, readOnlyIndex } from './as-of-index.ts';

type SessionLayer = { sessionId: string; exchanges: ExchangeRecord[]; statements: SessionStatement[] };

/** A world that knows what was known at a moment, and moves on to later ones. What hooks write in it is forgotten with it. */
export class AsOfWorld {
  readonly world: World;
  readonly #archive: AsOfArchive;
  readonly close: () => Promise<void>;
  readonly #layers = new Map<string, SessionLayer>();
  /** Sessions that memory.md and the facts of a project have. */
  readonly #learned = new Map<ProjectId, Set<string>>();
  #cwd = '';

  static async open(base: World, history: KnownHistory): Promise<AsOfWorld> {
    const opened = await openView(base);
    const archive = new AsOfArchive(base.archive, history);
    return new AsOfWorld(base, archive, new IndexByTime(opened.view, history.timeline), opened.close);
  }

  private constructor(base: World, archive: AsOfArchive, index: IndexByTime, close: () => Promise<void>) {
    this.#archive = archive;
    this.close = close;
    const self = this;
    const { transcripts, clock, git, machine, projectFiles } = base;
    this.world = {
      ...base,
      isHook: true,
      archive: archive.asArchive(),
      index: readOnlyIndex(base.index, () => index.viewOf(archive.moment.known)),
      // The files of today say nothing about that time.
      transcripts: { ...transcripts, find: async () => [], inspect: async () => undefined },
      projectFiles: { ...projectFiles, list: async () => [], read: async () => undefined },
      machine: { ...machine, accessTo: async () => 'missing' },
      git: { ...git, checkout: async () => undefined, remote: async () => undefined },
      clock: { ...clock, now: () => archive.moment.at, millis: () => Date.parse(archive.moment.at) },
      places: {
        ...base.places,
        get cwd() {
          return self.#cwd;
        },
      },
    };
  }

  /** What the sessions until then taught is known in these folders. */
  async moveTo(moment: Moment, folders: readonly ProjectId[], cwd: string): Promise<void> {
    this.#archive.moveTo(moment);
    this.#cwd = cwd;
    for (const folder of folders) {
      const manifest = this.#archive.manifest(folder);
      if (manifest) await this.#learn(manifest);
    }
  }

  /** Moves the time forward; known sessions stay known. */
  setTime(at: string): void {
    this.#archive.setTime(at);
  }

  isKnown(project: ProjectId): boolean {
    return this.#archive.manifest(project) !== undefined;
  }

  /** What was noted for one session is of no use to the next. */
  forget(folders: readonly ProjectId[]): void {
    this.#archive.files.forget(undefined, 'hooks');
    for (const folder of folders) this.#archive.files.forget(folder, 'injections');
  }

  /** As hooks do at the end of each session: memory.md first, then the facts. */
  async #learn(manifest: Manifest): Promise<void> {
    const { projectId } = manifest;
    const known = this.#learned.get(projectId) ?? new Set();
    this.#learned.set(projectId, known);
    const fresh = Object.values(manifest.sessions)
      .filter(({ sessionId }) => !known.has(sessionId))
      .sort((a, b) => (`${a.lastTimestamp} ${a.sessionId}` < `${b.lastTimestamp} ${b.sessionId}` ? -1 : 1));
    if (fresh.length === 0) return;
    for (const { sessionId } of fresh) {
      await updateMemory(this.world, projectId, { session: sessionId });
      known.add(sessionId);
    }
    await this.#makeFacts(manifest);
  }

  async #makeFacts(manifest: Manifest): Promise<void> {
    const { projectId, sessions, factEdits = [] } = manifest;
    const layers: SessionLayer[] = [];
    for (const record of Object.values(sessions))
      if (record.by === undefined) layers.push(await this.#layerOf(projectId, record));
    // Concepts decide nothing of what is injected.
    const facts = { ...factsOf(layers, [], factEdits), refined: REFINE_ENGINE };
    await this.world.archive.files.write(projectId, FACTS_FILE, JSON.stringify(facts));
  }

  async #layerOf(project: ProjectId, record: SessionRecord): Promise<SessionLayer> {
    const key = `${project}/${record.sessionId}`;
    let layer = this.#layers.get(key);
    if (!layer) {
      const light = new LightExchanges();
      layer = {
        sessionId: record.sessionId,
        exchanges: (await sessionExchanges(this.world, project, record)).map(light.of),
        statements: await currentStatements(this.world, project, record),
      };
      this.#layers.set(key, layer);
    }
    return layer;
  }
}
