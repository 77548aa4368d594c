import { purgesOf } from '../../core/model/change.ts';
import type { HistoryEvent } from '../../core/model/history.ts';
import { isSessionId, type ProjectId, type SessionId, secondSessionId } from '../../core/model/ids.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { isGone } from '../find/is-gone.ts';
import { originalName, type SessionRef, subName } from '../find/session-ref.ts';
import { isSpawned } from '../model/spawned-sessions.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { orProblem } from '../or-problem.ts';
import type { RunOptions, SyncReport } from '../sync-report.ts';
import type { World } from '../world.ts';
import { afterReread } from './after-reread.ts';
import { ChatNames } from './chat-names.ts';
import { type FileIdentity, identifyFound } from './identify-file.ts';
import { type IngestedFile, type IngestRequest, ingestFile } from './ingest-file.ts';
import { LeftOutFiles } from './left-out-files.ts';
import { FilePlaces, folderOf, projectsWith } from './place-file.ts';
import type { ProjectBook, ProjectSeed } from './project-book.ts';
import { type Reading, readingOf } from './reading.ts';
import { sessionChange } from './session-change.ts';
import { dropState } from './session-state.ts';
import {
  isLeftOut,
  isUnchanged,
  type KnownSource,
  knownSource,
  leaveOut,
  type SourceCache,
} from './source-cache.ts';

export type IngestFilesOptions = RunOptions & {
  /** The project that is meant for a file, whatever else is known of it. */
  projectOf?: (file: FoundTranscript, identity: FileIdentity) => ProjectSeed | undefined;
  /** The session of a file that its lines do not name. */
  sessionOf?: (file: FoundTranscript) => SessionId | undefined;
  /** Asked for by name: brings unregistered and purged sessions back. */
  explicit?: boolean;
  /** It is one session that was asked for, and not a folder or all there are. */
  byName?: boolean;
  onIngested?: (project: ProjectId, session: SessionId) => void;
  /** Before a purged session is brought back, while no purge is at work. */
  onBack?: (ref: SessionRef) => Promise<void>;
  /** Whose sessions they are, where not this user's. */
  by?: string | undefined;
};

type RunInput = IngestFilesOptions & { book: ProjectBook; sources: SourceCache; report: SyncReport };
type SessionRequest = Omit<IngestRequest, 'reading' | 'upTo'>;
export type IngestOutcome = 'added' | 'grown' | 'same' | 'replaced' | 'skipped';

/** One run over files: the projects, sessions and names that it has seen. */
export class IngestRun {
  readonly #world: World;
  readonly #book: ProjectBook;
  readonly #sources: SourceCache;
  readonly #readings = new Map<ProjectId, Promise<Reading>>();
  readonly #report: SyncReport;
  readonly #options: IngestFilesOptions;
  readonly #places: FilePlaces;
  readonly #chats: ChatNames;
  readonly #leftOut: LeftOutFiles;
  /** The project of each session of this run, by its folder and id. */
  readonly #parents = new Map<string, ProjectId>();
  /** Sessions that got a subagent's file. */
  readonly #withSubs = new Map<
    string,
    SessionRef & { agent: Agent; files: [path: string, source: KnownSource][] }
  >();

  constructor(world: World, { book, sources, report, ...options }: RunInput) {
    this.#world = world;
    this.#book = book;
    this.#sources = sources;
    this.#report = report;
    this.#options = options;
    this.#places = new FilePlaces(world, sources);
    this.#chats = new ChatNames(world);
    this.#leftOut = new LeftOutFiles(world, sources, report, options);
  }

  /** Files of unknown agents that no run saw before, in one sentence. */
  noteUnknown(): void {
    this.#leftOut.noteUnknown();
  }

  async file(file: FoundTranscript): Promise<IngestOutcome> {
    let outcome: IngestOutcome = 'skipped';
    const work = async () => {
      outcome = await this.#ingest(file);
      if (outcome === 'skipped' && !isLeftOut(this.#sources.get(file.path), file))
        this.#sources.set(file.path, leaveOut(file));
    };
    this.#report.found++;
    await orProblem(this.#report, file.path, work());
    this.#report[outcome]++;
    return outcome;
  }

  async #ingest(file: FoundTranscript): Promise<IngestOutcome> {
    const known = this.#sources.get(file.path);
    if (isUnchanged(known, file) && (await this.#isKept(known))) {
      if (known.sub === undefined) this.#noteIngested(known, file);
      return 'same';
    }
    if (await this.#leftOut.isKeptOutUnread(file)) return this.#leftOut.note(file, 'notRecorded');
    if (await this.#isCopyOfKept(file)) return 'skipped';
    const staged = await file.stage?.();
    try {
      return await this.#ingestLines(file, known, staged?.path);
    } finally {
      await staged?.remove();
    }
  }

  async #ingestLines(
    file: FoundTranscript,
    known: ReturnType<SourceCache['get']>,
    lines: string | undefined,
  ): Promise<IngestOutcome> {
    // Of rows, the size is how many of them hold what was said.
    const isEmpty = file.size === 0;
    const identity = isEmpty ? undefined : await identifyFound(this.#world, file, lines);
    if (
      !identity ||
      ((known === undefined || 'left' in known) &&
        (await this.#leftOut.isNotUnderstood(identity, lines ?? file.path)))
    )
      return this.#leftOut.unknown(file);
    if (await this.#leftOut.isUnused(identity, lines ?? file.path))
      return this.#leftOut.note(file, 'unusedComposition');
    const meant = this.#options.projectOf?.(file, identity);
    const place = meant
      ? { seed: meant, session: identity.session }
      : await this.#places.placeOf(file, identity);
    if (await this.#leftOut.isKeptOut(file, identity, place)) return this.#leftOut.note(file, 'notRecorded');
    if (identity.agentId) return this.#ingestSubagent(place.seed, identity, file, lines);
    const project = await this.#book.project(place.seed);
    let session = this.#options.sessionOf?.(file) ?? place.session;
    if (identity.agent === 'generic') {
      session = await this.#chats.nameOf(project, await this.#book.manifest(project), session, file);
    }
    session = await this.#ownSession(project, session, identity.agent, file);
    if (!this.#options.explicit && (await this.#isGone(project, session))) {
      this.#sources.set(file.path, leaveOut(file, { project, session }));
      return 'skipped';
    }
    const seen = known && 'left' in known ? undefined : known;
    return this.#ingestSession({ ref: { project, session }, agent: identity.agent, file, seen, lines });
  }

  /** Two agents may call their sessions alike: the second one's gets a name of its own. */
  async #ownSession(
    project: ProjectId,
    session: SessionId,
    agent: Agent,
    file: FoundTranscript,
  ): Promise<SessionId> {
    const known = (await this.#book.manifest(project))?.sessions[session];
    return known && known.metadata.agent !== agent ? secondSessionId(session, agent + file.path) : session;
  }

  /** A history that only repeats a session which the archive has from the agent itself. */
  async #isCopyOfKept({ known }: FoundTranscript): Promise<boolean> {
    const id = known?.copyOf;
    if (id === undefined || this.#options.explicit || !isSessionId(id)) return false;
    return (await projectsWith(this.#world, id)).length > 0;
  }

  async #ingestSession(request: SessionRequest): Promise<IngestOutcome> {
    const { project, session } = request.ref;
    const manifest = await this.#book.manifest(project);
    const isPurged =
      manifest && purgesOf(manifest, session) > 0 && !Object.hasOwn(manifest.sessions, session);
    if (!this.#options.explicit || !isPurged) return this.#putSession(request);
    // Its copy is there before its record: a purge that looks in between would take it for one that is left.
    const work = async () => {
      await this.#options.onBack?.(request.ref);
      const outcome = await this.#putSession(request);
      await this.#book.flush();
      return outcome;
    };
    return oneAtATime(this.#world, work, this.#options.signal);
  }

  async #putSession(request: SessionRequest): Promise<IngestOutcome> {
    const { ref, agent, file } = request;
    // Asked for by name: read from the start, so that a refined file that was changed by hand is repaired.
    if (this.#options.explicit) await dropState(this.#world, ref);
    const reading = await this.#readingOf(ref.project);
    const manifest = await this.#book.manifest(ref.project);
    const before = manifest?.sessions[ref.session];
    const ingested = await ingestFile(this.#world, { ...request, reading, upTo: 'exchanges' });
    const changes = ingested.change ? await afterReread(this.#world, manifest, before, ingested.change) : [];
    if (this.#options.explicit) changes.push({ at: ['sessions', ref.session], merge: { registered: true } });
    const { by } = this.#options;
    if (by !== undefined) changes.push({ at: ['sessions', ref.session], merge: { by } });
    const events = this.#eventsOf(ref.session, ingested).map((event) =>
      by === undefined ? event : { ...event, details: { ...event.details, by } },
    );
    await this.#book.add(ref.project, changes, events);
    this.#sources.set(file.path, knownSource(file, { ...ref, agent, readAt: this.#world.clock.now() }));
    this.#noteIngested(ref, file);
    switch (ingested.status) {
      case 'shrunk':
      case 'replaced': {
        const how = ingested.status === 'shrunk' ? 'shortened' : 'replaced';
        this.#report.notes.push(`${file.path} was ${how}; the archive keeps the earlier content.`);
        return 'replaced';
      }
      case 'new':
        return 'added';
      default:
        return ingested.status === 'grown' ? 'grown' : 'same';
    }
  }

  #readingOf(project: ProjectId): Promise<Reading> {
    let found = this.#readings.get(project);
    if (!found) {
      found = readingOf(this.#world, project);
      this.#readings.set(project, found);
    }
    return found;
  }

  /** Registering what is archived already is an event, too: it may have been unregistered. */
  #eventsOf(session: SessionId, { status, events }: IngestedFile): HistoryEvent[] {
    if (!this.#options.explicit || (status !== 'same' && status !== 'truncated')) return events;
    const note = 'Registered again from the archived copy.';
    return [...events, { at: this.#world.clock.now(), action: 'register', sessionId: session, note }];
  }

  #noteIngested({ project, session }: SessionRef, file: FoundTranscript): void {
    this.#parents.set(`${folderOf(file.path)}\0${session}`, project);
    this.#options.onIngested?.(project, session);
  }

  /** Older clients put a subagent's file beside the sessions: it belongs to the session that it names. */
  async #ingestSubagent(
    seed: ProjectSeed,
    { session, agentId = '', agent }: FileIdentity,
    file: FoundTranscript,
    lines: string | undefined,
  ): Promise<IngestOutcome> {
    const beside = this.#parents.get(`${folderOf(file.path)}\0${session}`);
    const project = beside ?? (await this.#parentElsewhere(session)) ?? (await this.#book.project(seed));
    if (!this.#options.explicit && (await this.#isGone(project, session))) return 'skipped';
    const originals = lines === undefined ? (await this.#readingOf(project)).originals : 'copy';
    const name = subName(session, agentId);
    const path = lines ?? file.path;
    const { status } = await this.#world.archive.originals.absorb(project, name, { path }, originals);
    const parent = this.#withSubs.get(`${project}/${session}`) ?? { project, session, agent, files: [] };
    parent.files.push([file.path, knownSource(file, { agent, project, session, sub: agentId })]);
    this.#withSubs.set(`${project}/${session}`, parent);
    return status === 'new' ? 'added' : status;
  }

  /** Asked for alone, or its session's own file is gone: the archive may have it. */
  async #parentElsewhere(session: SessionId): Promise<ProjectId | undefined> {
    const projects = await projectsWith(this.#world, session);
    return projects.length === 1 ? projects[0] : undefined;
  }

  /** The records of sessions whose subagents came in files of their own name them. */
  async recordSubagents(): Promise<void> {
    for (const { project, session, agent, files } of this.#withSubs.values()) {
      const ref = { project, session };
      const path = this.#world.archive.originals.path(ref.project, originalName(ref.session));
      const work = async () => {
        if (await this.#hasCopy(project, originalName(session))) {
          const reading = await this.#readingOf(project);
          const change = await sessionChange(this.#world, ref, { agent, originalFile: path, ...reading });
          await this.#book.add(project, [change], []);
        }
        // Only now: a run that is stopped earlier must read them again.
        for (const [file, source] of files) this.#sources.set(file, source);
      };
      await orProblem(this.#report, path, work());
    }
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
