import { type Change, newProjectChange, purgesOf } from '../core/model/change.ts';
import type { HistoryEvent } from '../core/model/history.ts';
import type { ProjectId } from '../core/model/ids.ts';
import type { Manifest } from '../core/model/manifest.ts';
import { displayNameOf, locateProject } from './locate-project.ts';
import type { World } from './world.ts';

/** Sessions whose records wait for one common write. Their files are on the disk by then. */
const BATCH = 50;

export type ProjectSeed = { path: string; displayName?: string; sample?: boolean };

/** The projects that one run works on: each manifest is read once, changes are written in batches. */
export class ProjectBook {
  readonly #world: World;
  readonly #manifests = new Map<ProjectId, Promise<Manifest | undefined>>();
  readonly #waiting = new Map<ProjectId, { changes: Change[]; events: HistoryEvent[]; sessions: number }>();
  readonly #touched = new Set<ProjectId>();
  readonly notes: string[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** The manifest as it stood when this run first asked for it. */
  manifest(project: ProjectId): Promise<Manifest | undefined> {
    let found = this.#manifests.get(project);
    if (!found) {
      found = this.#world.archive.open(project).then((opened) => {
        this.notes.push(...(opened?.notes ?? []));
        return opened?.manifest;
      });
      this.#manifests.set(project, found);
    }
    return found;
  }

  /** The project of a path; made when it is new. */
  async project(seed: ProjectSeed): Promise<ProjectId> {
    const { project, exists } = await locateProject(this.#world, seed.path);
    if (!exists && !this.#waiting.has(project)) await this.#create(project, seed);
    return project;
  }

  async #create(project: ProjectId, seed: ProjectSeed): Promise<void> {
    const at = this.#world.clock.now();
    const gitRemote = await this.#world.git.remote(seed.path);
    const create = newProjectChange({
      projectId: project,
      originalPath: seed.path,
      displayName: seed.displayName ?? displayNameOf(seed.path),
      createdAt: at,
      ...(gitRemote ? { gitRemote } : {}),
      ...(seed.sample ? { sample: true } : {}),
    });
    // At once: a second path with the same sanitised name must find it.
    await this.#world.archive.change(
      project,
      [create],
      [{ at, action: 'create', note: `First session of ${seed.path}.` }],
    );
    this.#touched.add(project);
  }

  async add(project: ProjectId, changes: Change[], events: HistoryEvent[]): Promise<void> {
    const waiting = this.#waiting.get(project) ?? { changes: [], events: [], sessions: 0 };
    waiting.changes.push(...(await this.#guarded(project, changes)));
    waiting.events.push(...events);
    waiting.sessions++;
    this.#waiting.set(project, waiting);
    if (waiting.sessions >= BATCH) await this.#write(project);
  }

  /** Who has looked at the manifest builds on what it said: a session that is purged meanwhile stays so. */
  async #guarded(project: ProjectId, changes: Change[]): Promise<Change[]> {
    const seen = await this.#manifests.get(project);
    if (!seen) return changes;
    return changes.map((change) => {
      const [place, session] = change.at;
      if (place !== 'sessions' || session === undefined) return change;
      return { ...change, unless: { purged: session, beyond: purgesOf(seen, session) } };
    });
  }

  async #write(project: ProjectId): Promise<void> {
    const waiting = this.#waiting.get(project);
    if (!waiting) return;
    await this.#world.archive.change(project, waiting.changes, waiting.events);
    this.#waiting.delete(project);
    this.#touched.add(project);
  }

  /** Writes what waits. */
  async flush(): Promise<void> {
    for (const project of [...this.#waiting.keys()]) await this.#write(project);
  }

  /** The end of a run: writes what waits and folds the logs. */
  async close(): Promise<void> {
    await this.flush();
    for (const project of this.#touched) await this.#world.archive.fold(project);
  }
}
