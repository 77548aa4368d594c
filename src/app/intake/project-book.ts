import { type Change, newProjectChange, purgesOf } from '../../core/model/change.ts';
import type { HistoryEvent } from '../../core/model/history.ts';
import { type ProjectId, sanitizePath } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { displayNameOf, isUnplaced, type Located, locateProject } from '../find/locate-project.ts';
import { ifReadable } from '../or-fault.ts';
import { newRepositoryNote, noteRepository } from '../repository/note-repository.ts';
import { shareSettings } from '../repository/share-settings.ts';
import type { World } from '../world.ts';
import { restoredOverlays } from './restore-overlays.ts';

/** Sessions whose records wait for one common write. Their files are on the disk by then. */
const BATCH = 50;

/** A project by its path; with `project` by its id, where the path may be unknown (''). */
export type ProjectSeed = {
  path: string;
  project?: ProjectId;
  displayName?: string;
  sample?: boolean;
  /** The address of its repository, as a session states it. */
  repository?: string;
};

/** The projects that one run works on: each manifest is read once, changes are written in batches. */
export class ProjectBook {
  readonly #world: World;
  readonly #manifests = new Map<ProjectId, Promise<Manifest | undefined>>();
  readonly #waiting = new Map<ProjectId, { changes: Change[]; events: HistoryEvent[]; sessions: number }>();
  readonly #touched = new Set<ProjectId>();
  /** Projects that were asked for their repository in this run, with what a session stated. */
  readonly #asked = new Set<string>();
  readonly notes: string[] = [];
  /** Sessions that were purged after they were read, as `PROJECT/SESSION`: nothing was written of them. */
  readonly purged = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** The manifest at the time when this run first asked for it. */
  manifest(project: ProjectId): Promise<Manifest | undefined> {
    let found = this.#manifests.get(project);
    if (!found) {
      const opening = ifReadable(this.#world.archive.open(project), (note) => this.notes.push(note));
      found = opening.then(async (opened) => {
        if (opened?.rebuilt) await this.#bringBack(project);
        this.notes.push(...(opened?.notes ?? []));
        // What had to be recovered is rewritten by the fold at the end, whether something changes or not.
        if (opened && opened.notes.length > 0) this.#touched.add(project);
        return opened?.manifest;
      });
      this.#manifests.set(project, found);
    }
    return found;
  }

  /** The user's changes to keepits are also in the history. */
  async #bringBack(project: ProjectId): Promise<void> {
    const changes = await restoredOverlays(this.#world, project);
    if (changes.length > 0) await this.#world.archive.change(project, changes);
  }

  /** The project of a path; made when it is new. */
  async project(seed: ProjectSeed): Promise<ProjectId> {
    const { project, exists, unplaced } = await this.#locate(seed);
    if (!exists && !this.#waiting.has(project)) await this.#create(project, seed);
    if (unplaced) await this.#settle(project, seed.path);
    if (exists && !seed.sample) await this.#noteRepository(project, seed.repository);
    return project;
  }

  async #locate({ path, project }: ProjectSeed): Promise<Located> {
    if (project === undefined) return locateProject(this.#world, path);
    const head = await this.#world.archive.head(project);
    if (!head) return { project, exists: false };
    const fits = path !== '' && sanitizePath(path) === project && isUnplaced(head);
    return { project, exists: true, ...(fits ? { unplaced: true } : {}) };
  }

  /** The path of a project that was known by its folder's name only. */
  async #settle(project: ProjectId, path: string): Promise<void> {
    const head = await this.#world.archive.head(project);
    const merge = {
      originalPath: path,
      // A name that the user gave stays.
      ...(head?.displayName === project ? { displayName: displayNameOf(path) } : {}),
    };
    const note = `Path found: ${path}`;
    await this.#world.archive.change(
      project,
      [{ at: [], merge }],
      [{ at: this.#world.clock.now(), action: 'rename', note }],
    );
    this.#touched.add(project);
  }

  /** A worktree goes away: whose it was is noted as soon as it is known. */
  async #noteRepository(project: ProjectId, stated: string | undefined): Promise<void> {
    // A folder that says nothing may be named by one of its sessions.
    const question = `${project} ${stated ?? ''}`;
    if (this.#asked.has(question)) return;
    this.#asked.add(question);
    if (await noteRepository(this.#world, project, { stated, mayComeLater: true }))
      this.#touched.add(project);
  }

  async #create(project: ProjectId, seed: ProjectSeed): Promise<void> {
    const at = this.#world.clock.now();
    // Of a project that is meant by its id, another path than its own says nothing.
    const path = seed.project === undefined || sanitizePath(seed.path) === project ? seed.path : '';
    const repository = seed.sample
      ? undefined
      : await newRepositoryNote(this.#world, { path, stated: seed.repository });
    const create = newProjectChange({
      projectId: project,
      originalPath: path,
      displayName: seed.displayName ?? (path === '' ? project : displayNameOf(path)),
      createdAt: at,
      ...(repository ? { repository: { ...repository, since: at } } : {}),
      ...(seed.sample ? { sample: true } : {}),
    });
    // At once: a second path with the same sanitized name must find it.
    await this.#world.archive.change(
      project,
      [create],
      [{ at, action: 'create', note: `First session of ${path || project}.` }],
    );
    if (repository) await shareSettings(this.#world, project);
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

  /** Callers that read the manifest rely on it: a session purged meanwhile stays purged. */
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
    const { purged = [] } = await this.#world.archive.change(project, waiting.changes, waiting.events);
    for (const session of purged) this.purged.add(`${project}/${session}`);
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
