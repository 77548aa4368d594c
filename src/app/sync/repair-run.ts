import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { isOutdated, REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import { originalName } from '../find/session-ref.ts';
import { afterReread } from '../intake/after-reread.ts';
import { identifyFile } from '../intake/identify-file.ts';
import type { ProjectBook } from '../intake/project-book.ts';
import { readingOf } from '../intake/reading.ts';
import { sessionChange } from '../intake/session-change.ts';
import { orProblem } from '../or-problem.ts';
import type { RunOptions, SyncReport } from '../sync-report.ts';
import type { World } from '../world.ts';

/** Without a record it is in the archive but not in the manifest. */
export type Unrefined = { session: SessionId; record: SessionRecord | undefined };

type RepairInput = { book: ProjectBook; report: SyncReport; options: RunOptions; all: Unrefined[] };

/** Repairs one session after the other, with progress. Completed ones stay: the next sync continues after them. */
export class RepairRun {
  readonly #world: World;
  readonly #book: ProjectBook;
  readonly #report: SyncReport;
  readonly #options: RunOptions;
  readonly #total: number;
  readonly #totalBytes: number;
  #done = 0;
  #bytes = 0;
  #rebuilt = 0;

  constructor(world: World, { book, report, options, all }: RepairInput) {
    this.#world = world;
    this.#book = book;
    this.#report = report;
    this.#options = options;
    this.#total = all.length;
    this.#totalBytes = all.reduce((sum, { record }) => sum + (record?.originalBytes ?? 0), 0);
  }

  /** False when it was stopped. */
  async project(project: ProjectId, all: Unrefined[]): Promise<boolean> {
    for (const found of all) {
      this.#show(found.session);
      if (this.#options.signal?.aborted) return false;
      // A copy that can't be read is the trouble of its own session.
      const path = this.#world.archive.originals.path(project, originalName(found.session));
      const isRepaired = await orProblem(this.#report, path, this.#repair(project, found));
      if (isRepaired && found.record && isOutdated(found.record)) this.#rebuilt++;
      this.#done++;
      this.#bytes += found.record?.originalBytes ?? 0;
    }
    if (all.length > 0) this.#show();
    return true;
  }

  /** What was rebuilt, in one sentence. */
  report(): void {
    if (this.#rebuilt === 0) return;
    const sessions = this.#rebuilt === 1 ? '1 session' : `${this.#rebuilt} sessions`;
    this.#report.notes.push(
      `Rebuilt ${sessions} that an older version of Keepsake had read. Your edits are unchanged.`,
    );
  }

  async #repair(project: ProjectId, { session, record }: Unrefined): Promise<void> {
    const path = this.#world.archive.originals.path(project, originalName(session));
    // A record that nothing was read for yet does not know its agent.
    const stated = record && record.engine > 0 ? (record.metadata.agent as Agent) : undefined;
    // Older versions took files of any agent for Claude Code's, and found nothing in them.
    const isDoubtful = stated === undefined || (record !== undefined && isEmpty(record));
    const agent = isDoubtful ? (await identifyFile(this.#world, path))?.agent : stated;
    if (!agent) return record && stated ? this.#leaveOut(project, record) : undefined;
    const reading = await readingOf(this.#world, project);
    const originalFile = record?.originalFile ?? '';
    const options = { agent, originalFile, ...reading };
    const change = await sessionChange(this.#world, { project, session }, options);
    const note = 'Found in the archive but not in the manifest.';
    await this.#book.add(
      project,
      await afterReread(this.#world, await this.#book.manifest(project), record, change),
      record ? [] : [{ at: this.#world.clock.now(), action: 'recover', sessionId: session, note }],
    );
    if (!record) this.#report.notes.push(`Session ${session} was restored from its archived copy.`);
  }

  /** Out of the lists; its copy stays, as after `keepsake unregister`. */
  async #leaveOut(project: ProjectId, { sessionId }: SessionRecord): Promise<void> {
    const note =
      'The file is not from a supported agent and contains no messages. The archived copy is kept.';
    await this.#book.add(
      project,
      [{ at: ['sessions', sessionId], merge: { registered: false, engine: REFINE_ENGINE } }],
      [{ at: this.#world.clock.now(), action: 'unregister', sessionId, note }],
    );
    this.#report.notes.push(
      `Session ${sessionId} was removed from the lists because its file is not from a supported agent. The archived copy is kept.`,
    );
  }

  #show(current?: string): void {
    this.#options.onProgress?.({
      phase: 'rebuild',
      done: this.#done,
      total: this.#total,
      bytes: this.#bytes,
      totalBytes: this.#totalBytes,
      ...(current === undefined ? {} : { current }),
    });
  }
}

/** Nothing was said in it, as far as it was read. */
function isEmpty({ l1, originalMessages }: SessionRecord): boolean {
  return l1.lines === 0 && originalMessages === 0;
}
