import type { HistoryEvent } from '../../core/model/history.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { isGone } from '../find/is-gone.ts';
import { originalName, type SessionRef, subName } from '../find/session-ref.ts';
import { isSpawned } from '../model/spawned-sessions.ts';
import { orProblem } from '../or-problem.ts';
import type { RunOptions, SyncReport } from '../sync-report.ts';
import type { World } from '../world.ts';
import { ChatNames } from './chat-names.ts';
import { type FileIdentity, identifyFile } from './identify-file.ts';
import { describe, type IngestedFile, type IngestFileOptions, ingestFile } from './ingest-file.ts';
import { FilePlaces, folderOf, projectsWith } from './place-file.ts';
import type { ProjectBook, ProjectSeed } from './project-book.ts';
import { readingOf } from './reading.ts';
import { dropState } from './session-state.ts';
import {
  isLeftOut,
  isUnchanged,
  type KnownSource,
  leaveOut,
  remember,
  type SourceCache,
} from './source-cache.ts';

export type IngestFilesOptions = RunOptions & {
  /** The project that is meant for a file, whatever else is known of it. */
  projectOf?: (file: FoundTranscript, identity: FileIdentity) => ProjectSeed | undefined;
  /** The session of a file that its lines do not name. */
  sessionOf?: (file: FoundTranscript) => SessionId | undefined;
  /** Asked for by name: brings unregistered and purged sessions back. */
  explicit?: boolean;
  onTaken?: (project: ProjectId, session: SessionId) => void;
};

type SourceKnown = ReturnType<SourceCache['get']>;

/** One run over files: what it knows of the projects, sessions and names it came by. */
export class IngestRun {
  readonly #world: World;
  readonly #book: ProjectBook;
  readonly #sources: SourceCache;
  readonly #settings = new Map<ProjectId, Promise<IngestFileOptions>>();
  readonly #report: SyncReport;
  readonly #options: IngestFilesOptions;
  readonly #places: FilePlaces;
  readonly #chats: ChatNames;
  /** The project of each session of this run, by its folder and id. */
  readonly #parents = new Map<string, ProjectId>();
  /** Sessions that got a subagent's file. */
  readonly #withSubs = new Map<
    string,
    SessionRef & { agent: Agent; files: [path: string, source: KnownSource][] }
  >();

  constructor(
    world: World,
    book: ProjectBook,
    sources: SourceCache,
    report: SyncReport,
    options: IngestFilesOptions,
  ) {
    this.#world = world;
    this.#book = book;
    this.#sources = sources;
    this.#report = report;
    this.#options = options;
    this.#places = new FilePlaces(world, sources);
    this.#chats = new ChatNames(world);
  }

  async file(file: FoundTranscript): Promise<void> {
    this.#report.found++;
    if (!(await orProblem(this.#report, file.path, this.#counted(file)))) this.#report.skipped++;
  }

  async #counted(file: FoundTranscript): Promise<void> {
    const outcome = await this.#take(file);
    this.#report[outcome]++;
    if (outcome === 'skipped' && !isLeftOut(this.#sources.get(file.path), file))
      this.#sources.set(file.path, leaveOut(file));
  }

  async #take(file: FoundTranscript): Promise<'added' | 'grown' | 'same' | 'replaced' | 'skipped'> {
    const known = this.#sources.get(file.path);
    if (isUnchanged(known, file) && (await this.#isKept(known))) {
      if (known.sub === undefined) this.#took(known, file);
      return 'same';
    }
    const staged = await file.stage?.();
    try {
      return await this.#takeLines(file, known, staged?.path);
    } finally {
      await staged?.remove();
    }
  }

  async #takeLines(
    file: FoundTranscript,
    known: SourceKnown,
    lines: string | undefined,
  ): Promise<'added' | 'grown' | 'same' | 'replaced' | 'skipped'> {
    const isEmpty = file.size === 0 && lines === undefined;
    const identity = isEmpty ? undefined : await identifyFile(this.#world, lines ?? file.path);
    if (!identity) return this.#skip(file);
    const meant = this.#options.projectOf?.(file, identity);
    const place = meant
      ? { seed: meant, session: identity.session }
      : await this.#places.placeOf(file, identity);
    if (identity.agentId) return this.#takeSub(place.seed, identity, file, lines);
    const project = await this.#book.project(place.seed);
    let session = this.#options.sessionOf?.(file) ?? place.session;
    if (identity.agent === 'generic') {
      session = await this.#chats.nameOf(project, await this.#book.manifest(project), session, file);
    }
    if (!this.#options.explicit && (await this.#isGone(project, session))) {
      this.#sources.set(file.path, leaveOut(file, { project, session }));
      return 'skipped';
    }
    const seen = known && 'left' in known ? undefined : known;
    return this.#takeSession({ project, session }, identity.agent, file, seen, lines);
  }

  async #takeSession(
    { project, session }: SessionRef,
    agent: Agent,
    file: FoundTranscript,
    seen: KnownSource | undefined,
    lines: string | undefined,
  ): Promise<'added' | 'grown' | 'same' | 'replaced'> {
    // Asked for by name: read from the start, so that a refined file that was changed by hand is mended.
    if (this.#options.explicit) await dropState(this.#world, project, session);
    const taken = await ingestFile(this.#world, { project, session }, agent, file, {
      ...(await this.#settingsOf(project)),
      seen,
      lines,
    });
    const changes = this.#options.explicit
      ? [...taken.changes, { at: ['sessions', session], merge: { registered: true } }]
      : taken.changes;
    // Two files with one id: the shorter is no truncation of the longer.
    const shrunk = taken.status === 'truncated' && file.size < (seen?.size ?? 0);
    await this.#book.add(
      project,
      changes,
      shrunk ? [this.#cutShort(session, file.path)] : this.#told(session, taken),
    );
    this.#sources.set(file.path, remember(file, agent, project, session));
    this.#took({ project, session }, file);
    if (taken.status === 'replaced' || shrunk) {
      this.#report.notes.push(
        `${file.path} was ${shrunk ? 'cut short' : 'replaced'}; the archive keeps all it had.`,
      );
      return 'replaced';
    }
    if (taken.status === 'new') return 'added';
    return taken.status === 'grown' ? 'grown' : 'same';
  }

  #settingsOf(project: ProjectId): Promise<IngestFileOptions> {
    let found = this.#settings.get(project);
    if (!found) {
      found = readingOf(this.#world, project);
      this.#settings.set(project, found);
    }
    return found;
  }

  #cutShort(session: SessionId, path: string): HistoryEvent {
    const note = `All that was archived is kept, although the file was cut short: ${path}`;
    return { at: this.#world.clock.now(), action: 'replaced', sessionId: session, note };
  }

  /** Registering what is archived already is told too: it may have been unregistered. */
  #told(session: SessionId, { status, events }: IngestedFile): HistoryEvent[] {
    if (!this.#options.explicit || (status !== 'same' && status !== 'truncated')) return events;
    const note = 'Registered again from what was archived already.';
    return [...events, { at: this.#world.clock.now(), action: 'register', sessionId: session, note }];
  }

  #took({ project, session }: SessionRef, file: FoundTranscript): void {
    this.#parents.set(`${folderOf(file.path)}\0${session}`, project);
    this.#options.onTaken?.(project, session);
  }

  /** Older clients put a subagent's file beside the sessions: it belongs to the session that it names. */
  async #takeSub(
    seed: ProjectSeed,
    { session, agentId = '', agent }: FileIdentity,
    file: FoundTranscript,
    lines: string | undefined,
  ): Promise<'added' | 'grown' | 'same' | 'replaced' | 'skipped'> {
    const beside = this.#parents.get(`${folderOf(file.path)}\0${session}`);
    const project = beside ?? (await this.#parentElsewhere(session)) ?? (await this.#book.project(seed));
    if (!this.#options.explicit && (await this.#isGone(project, session))) return 'skipped';
    const originals = lines === undefined ? (await this.#settingsOf(project)).originals : 'copy';
    const name = subName(session, agentId);
    const path = lines ?? file.path;
    const { status } = await this.#world.archive.originals.absorb(project, name, path, originals);
    const parent = this.#withSubs.get(`${project}/${session}`) ?? { project, session, agent, files: [] };
    parent.files.push([file.path, remember(file, agent, project, session, agentId)]);
    this.#withSubs.set(`${project}/${session}`, parent);
    return status === 'new' ? 'added' : status;
  }

  /** Asked for alone, or its session's own file is gone: the archive may have it. */
  async #parentElsewhere(session: SessionId): Promise<ProjectId | undefined> {
    const projects = await projectsWith(this.#world, session);
    return projects.length === 1 ? projects[0] : undefined;
  }

  /** The records of sessions whose subagents came in files of their own name them. */
  async tellOfSubs(): Promise<void> {
    for (const { project, session, agent, files } of this.#withSubs.values()) {
      const ref = { project, session };
      const path = this.#world.archive.originals.path(ref.project, originalName(ref.session));
      const work = async () => {
        if (await this.#hasCopy(project, originalName(session))) {
          const settings = await this.#settingsOf(project);
          const { change } = await describe(this.#world, ref, agent, path, settings);
          await this.#book.add(project, [change], []);
        }
        // Only now: a run that is stopped before this must look at them again.
        for (const [file, source] of files) this.#sources.set(file, source);
      };
      await orProblem(this.#report, path, work());
    }
  }

  #skip(file: FoundTranscript): 'skipped' {
    if (file.size === 0) return 'skipped';
    const message = `${file.path} holds no line of any agent that Keepsake knows.`;
    const hint = 'It was left out. Chats of other tools: `keepsake import PATH --project NAME`.';
    // A stray file among the agent's own is no failure; one that was asked for is.
    if (this.#options.explicit) this.#report.problems.push({ path: file.path, message, hint });
    else if (!isLeftOut(this.#sources.get(file.path), file)) this.#report.notes.push(message);
    return 'skipped';
  }

  async #isKept({ project, session, sub }: KnownSource): Promise<boolean> {
    if (this.#options.explicit) return false;
    const manifest = await this.#book.manifest(project);
    if (!manifest || !Object.hasOwn(manifest.sessions, session)) return false;
    return this.#hasCopy(project, sub === undefined ? originalName(session) : subName(session, sub));
  }

  async #hasCopy(project: ProjectId, name: string): Promise<boolean> {
    return (await this.#world.archive.originals.size(project, name)) !== undefined;
  }

  async #isGone(project: ProjectId, session: SessionId): Promise<boolean> {
    if (await isSpawned(this.#world, session)) return true;
    const manifest = await this.#book.manifest(project);
    return manifest !== undefined && isGone(manifest, session);
  }
}
