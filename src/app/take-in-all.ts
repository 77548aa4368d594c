import { Fault, type FaultCode } from '../core/model/fault.ts';
import type { HistoryEvent } from '../core/model/history.ts';
import type { ProjectId, SessionId } from '../core/model/ids.ts';
import { loadTokenCounter } from '../core/text/tokens.ts';
import type { Agent } from '../core/transcript/read-line.ts';
import type { FoundTranscript } from '../ports/transcripts.ts';
import { type FileIdentity, identifyFile } from './identify-file.ts';
import { isGone } from './is-gone.ts';
import { ProjectBook, type ProjectSeed } from './project-book.ts';
import { originalName } from './session-ref.ts';
import { dropState } from './session-state.ts';
import {
  isUnchanged,
  leaveOut,
  loadSources,
  remember,
  type SourceCache,
  saveSources,
} from './source-cache.ts';
import type { RunOptions, SyncReport } from './sync-report.ts';
import { type TakeInOptions, type TakenIn, takeIn } from './take-in.ts';
import type { World } from './world.ts';

/** These end a run: going on would fail again for every file. */
const FATAL = new Set<FaultCode>(['disk-full', 'read-only', 'busy', 'newer-version', 'cancelled']);

export type TakeAllOptions = RunOptions & {
  /** The project of a file whose lines name no folder, or of every file when `force` is set. */
  projectOf: (file: FoundTranscript, identity: FileIdentity) => ProjectSeed;
  /** The session of a file that its lines do not name. */
  sessionOf?: (file: FoundTranscript) => SessionId | undefined;
  /** Asked for by name: brings unregistered and purged sessions back. */
  explicit?: boolean;
  onTaken?: (project: ProjectId, session: SessionId) => void;
};

/** Takes every file in, one after the other; a file that can't be taken is reported and left as it is. */
export async function takeInAll(
  world: World,
  files: FoundTranscript[],
  report: SyncReport,
  options: TakeAllOptions,
): Promise<void> {
  // Settings that can't be read end the run; a project's own that are wrong leave out only its files.
  await world.settings.resolve();
  const sources: SourceCache = options.explicit ? new Map() : await loadSources(world);
  const book = new ProjectBook(world);
  const run = new Run(world, book, sources, report, options);
  const totalBytes = files.reduce((sum, file) => sum + file.size, 0);
  let done = 0;
  try {
    for (const file of files) {
      options.onProgress?.({
        phase: 'read',
        done,
        total: files.length,
        bytes: report.bytes,
        totalBytes,
        current: file.path,
      });
      if (options.signal?.aborted)
        throw new Fault('cancelled', 'Stopped. What was taken in so far is safe; run it again to go on.');
      await run.file(file);
      report.bytes += file.size;
      done++;
    }
  } finally {
    // What one asks for by name is one line in the log, whatever the project's size; a sync folds at its end.
    if (options.explicit) await book.flush();
    else {
      await book.close();
      if (report.found > 0) await saveSources(world, sources);
    }
    report.notes.push(...book.notes);
  }
  options.onProgress?.({ phase: 'read', done, total: files.length, bytes: report.bytes, totalBytes });
}

/** The settings of a project: its own over the global ones. */
export async function runSettings(world: World, project: ProjectId): Promise<TakeInOptions> {
  const head = await world.archive.head(project);
  const { config } = await world.settings.resolve(head?.settings);
  return {
    originals: config.storage.originals,
    extent: config.keepit.extent,
    count: await loadTokenCounter(),
  };
}

class Run {
  readonly #world: World;
  readonly #book: ProjectBook;
  readonly #sources: SourceCache;
  readonly #settings = new Map<ProjectId, Promise<TakeInOptions>>();
  readonly #report: SyncReport;
  readonly #options: TakeAllOptions;

  constructor(
    world: World,
    book: ProjectBook,
    sources: SourceCache,
    report: SyncReport,
    options: TakeAllOptions,
  ) {
    this.#world = world;
    this.#book = book;
    this.#sources = sources;
    this.#report = report;
    this.#options = options;
  }

  async file(file: FoundTranscript): Promise<void> {
    this.#report.found++;
    try {
      const outcome = await this.#take(file);
      this.#report[outcome]++;
      if (outcome === 'skipped') this.#sources.set(file.path, leaveOut(file));
    } catch (error) {
      if (!(error instanceof Fault) || FATAL.has(error.code)) throw error;
      this.#report.skipped++;
      this.#report.problems.push({
        path: file.path,
        message: error.message,
        ...(error.hint ? { hint: error.hint } : {}),
      });
    }
  }

  async #take(file: FoundTranscript): Promise<'added' | 'grown' | 'same' | 'replaced' | 'skipped'> {
    const known = this.#sources.get(file.path);
    if (isUnchanged(known, file) && (await this.#isKept(known.project, known.session))) {
      this.#options.onTaken?.(known.project, known.session);
      return 'same';
    }
    const identity = file.size === 0 ? undefined : await identifyFile(this.#world, file.path);
    if (!identity) return this.#skip(file);
    const project = await this.#book.project(this.#options.projectOf(file, identity));
    if (identity.agentId) return this.#takeSub(project, identity, file);
    const session = this.#options.sessionOf?.(file) ?? identity.session;
    if (!this.#options.explicit && (await this.#isGone(project, session))) return 'skipped';
    return this.#takeSession(project, session, identity.agent, file, known?.size ?? 0);
  }

  async #takeSession(
    project: ProjectId,
    session: SessionId,
    agent: Agent,
    file: FoundTranscript,
    knownSize: number,
  ): Promise<'added' | 'grown' | 'same' | 'replaced'> {
    // Asked for by name: read from the start, so that a refined file that was changed by hand is mended.
    if (this.#options.explicit) await dropState(this.#world, project, session);
    const taken = await takeIn(
      this.#world,
      { project, session },
      agent,
      file,
      await this.#settingsOf(project),
    );
    const changes = this.#options.explicit
      ? [...taken.changes, { at: ['sessions', session], merge: { registered: true } }]
      : taken.changes;
    // Two files with one id: the shorter is no truncation of the longer.
    const shrunk = taken.status === 'truncated' && file.size < knownSize;
    await this.#book.add(
      project,
      changes,
      shrunk ? [this.#cutShort(session, file.path)] : this.#told(session, taken),
    );
    this.#sources.set(file.path, remember(file, agent, project, session));
    this.#options.onTaken?.(project, session);
    if (taken.status === 'replaced' || shrunk) {
      this.#report.notes.push(
        `${file.path} was ${shrunk ? 'cut short' : 'replaced'}; the archive keeps all it had.`,
      );
      return 'replaced';
    }
    if (taken.status === 'new') return 'added';
    return taken.status === 'grown' ? 'grown' : 'same';
  }

  #settingsOf(project: ProjectId): Promise<TakeInOptions> {
    let found = this.#settings.get(project);
    if (!found) {
      found = runSettings(this.#world, project);
      this.#settings.set(project, found);
    }
    return found;
  }

  #cutShort(session: SessionId, path: string): HistoryEvent {
    const note = `All that was archived is kept, although the file was cut short: ${path}`;
    return { at: this.#world.clock.now(), action: 'replaced', sessionId: session, note };
  }

  /** Registering what is archived already is told too: it may have been unregistered. */
  #told(session: SessionId, { status, events }: TakenIn): HistoryEvent[] {
    if (!this.#options.explicit || (status !== 'same' && status !== 'truncated')) return events;
    const note = 'Registered again from what was archived already.';
    return [...events, { at: this.#world.clock.now(), action: 'register', sessionId: session, note }];
  }

  /** Older clients put a subagent's file beside the sessions: it belongs to the session that it names. */
  async #takeSub(project: ProjectId, identity: FileIdentity, file: FoundTranscript): Promise<'skipped'> {
    const { originals } = await this.#settingsOf(project);
    const name = `${identity.session}/subagents/agent-${identity.agentId}.jsonl`;
    await this.#world.archive.originals.absorb(project, name, file.path, originals);
    return 'skipped';
  }

  #skip(file: FoundTranscript): 'skipped' {
    if (file.size === 0) return 'skipped';
    const message = `${file.path} holds no line of any agent that Keepsake knows.`;
    const hint = 'It was left out. Chats of other tools: `keepsake import PATH --project NAME`.';
    // A stray file among the agent's own is no failure; one that was asked for is.
    if (this.#options.explicit) this.#report.problems.push({ path: file.path, message, hint });
    else this.#report.notes.push(message);
    return 'skipped';
  }

  async #isKept(project: ProjectId, session: SessionId): Promise<boolean> {
    if (this.#options.explicit) return false;
    const manifest = await this.#book.manifest(project);
    if (!manifest || !Object.hasOwn(manifest.sessions, session)) return false;
    return (await this.#world.archive.originals.size(project, originalName(session))) !== undefined;
  }

  async #isGone(project: ProjectId, session: SessionId): Promise<boolean> {
    const manifest = await this.#book.manifest(project);
    return manifest !== undefined && isGone(manifest, session);
  }
}
