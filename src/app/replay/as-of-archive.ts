import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { Archive, Opened, ProjectHead } from '../../ports/archive.ts';
import { AsOfFiles } from './as-of-files.ts';
import type { KnownSessions, RepositoriesByTime } from './repositories-by-time.ts';
import type { Timeline } from './timeline.ts';

/** All that is in the archive, with what says when it came to be known. */
export type KnownHistory = {
  timeline: Timeline;
  manifests: readonly Manifest[];
  repositories: RepositoriesByTime;
};

/** A time, and what was known then. */
export type Moment = KnownSessions & { at: string };

/**
 * The archive as it was at a moment: later sessions and edits are not there. Nothing is written to the real one; what was
 * derived from earlier sessions stays in memory and is brought up to each later moment.
 */
export class AsOfArchive {
  readonly files: AsOfFiles;
  readonly #base: Archive;
  readonly #timeline: Timeline;
  readonly #manifests: Map<ProjectId, Manifest>;
  readonly #repositories: RepositoriesByTime;
  readonly #stems: Map<string, number>;
  readonly #opened = new Map<ProjectId, Manifest>();
  #moment: Moment = { at: '', known: 0, own: -1 };

  constructor(base: Archive, { timeline, manifests, repositories }: KnownHistory) {
    this.#base = base;
    this.#timeline = timeline;
    this.#repositories = repositories;
    this.#manifests = new Map(manifests.map((it) => [it.projectId, it]));
    this.#stems = new Map(
      timeline.ended.map(({ projectId, record }, place) => [`${projectId}/${stemOf(record.l1.file)}`, place]),
    );
    this.files = new AsOfFiles(base.files, (project, file) => {
      const place = this.#stems.get(`${project}/${stemOf(file)}`);
      return place !== undefined && place < this.#moment.known;
    });
  }

  get moment(): Moment {
    return this.#moment;
  }

  moveTo(moment: Moment): void {
    this.#moment = moment;
    this.#opened.clear();
  }

  setTime(at: string): void {
    this.#moment = { ...this.#moment, at };
  }

  manifest(project: ProjectId): Manifest | undefined {
    const known = this.#opened.get(project);
    if (known) return known;
    const whole = this.#manifests.get(project);
    if (!whole) return undefined;
    const sessions = Object.fromEntries(
      Object.entries(whole.sessions).filter(([id]) => this.#isKnown(project, id)),
    );
    const many = Object.keys(sessions).length;
    if (many === 0) return undefined;
    const { repository: _, ...rest } = withoutLaterEdits(whole, this.#moment.at);
    const repository = this.#repositories.noteOf(project, this.#moment);
    const made = { ...rest, ...(repository ? { repository } : {}), sessions, gen: many };
    this.#opened.set(project, made);
    return made;
  }

  asArchive(): Archive {
    const base = this.#base;
    const head = async (project: ProjectId) => headOf(this.manifest(project));
    const open = async (project: ProjectId): Promise<Opened | undefined> => {
      const manifest = this.manifest(project);
      return manifest && { manifest, notes: [] };
    };
    const projects = async () => [...this.#manifests.keys()].filter((id) => this.manifest(id));
    return {
      root: base.root,
      originals: { ...base.originals, absorb: refuse, extend: refuse, remove: refuse },
      files: this.files,
      places: { ...base.places, enter: refuse, leave: refuse },
      unrecorded: base.unrecorded,
      device: async () => 'replay',
      mayHold: async (_, texts) => texts.map(() => true),
      projects,
      stamps: async () => {
        const found = (await projects()).map((id): [ProjectId, string] => [id, `${this.manifest(id)!.gen}`]);
        return new Map(found);
      },
      listStamp: async () => '',
      head,
      open,
      // Notes for the record of a project: nothing that is said depends on them.
      change: async (project) => ({ gen: this.manifest(project)?.gen ?? 0 }),
      changeFrom: async () => undefined,
      fold: async () => undefined,
      history: async () => [],
      removeProject: refuse,
      sweep: async () => [],
      wipe: refuse,
      withoutPurged: async (text) => text,
      lookAgain: refuse,
      inspect: async () => [],
      exclusive: (work) => work(),
      purging: refuse,
      close: async () => undefined,
    };
  }

  #isKnown(project: ProjectId, session: string): boolean {
    const place = this.#timeline.placeOf(project, session);
    return place !== undefined && place < this.#moment.known;
  }
}

function withoutLaterEdits(manifest: Manifest, at: string): Manifest {
  const { factEdits, conceptEdits, overlays } = manifest;
  return {
    ...manifest,
    compositions: {},
    parts: {},
    links: [],
    overlays: overlays.filter((it) => it.at < at),
    ...(factEdits ? { factEdits: factEdits.filter((it) => it.at < at) } : {}),
    ...(conceptEdits ? { conceptEdits: conceptEdits.filter((it) => it.at < at) } : {}),
  };
}

function headOf(manifest: Manifest | undefined): ProjectHead | undefined {
  if (!manifest) return undefined;
  const { projectId, originalPath, displayName, gen, settings, repository } = manifest;
  return { projectId, originalPath, displayName, gen, settings, ...(repository ? { repository } : {}) };
}

/** `memory/sessions/2026-01-05_ab12.l1.jsonl` and the files beside it have one stem. */
function stemOf(file: string): string {
  return file.replace(/\.(?:l1\.jsonl|l2\.json|statements\.json)$/, '');
}

async function refuse(): Promise<never> {
  throw new Fault('read-only', 'A replay changes nothing in the archive.');
}
