import { Fault } from '../core/model/fault.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';

export type JobProgress = {
  done: number;
  total: number;
  bytes?: number;
  totalBytes?: number;
  phase?: string;
  current?: string;
};

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

/** Long work that somebody may watch, leave and come back to. */
export type Job = {
  jobId: string;
  /** What is done, as `compress`. */
  kind: string;
  /** What it is done to. */
  subject: string;
  state: JobState;
  progress: JobProgress | null;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
  result: unknown;
  error: { code: string; message: string; hint?: string } | null;
};

export type JobRun = { signal: AbortSignal; onProgress: (progress: JobProgress) => void };
/** What is done to what. Work of one turn is done one after the other; the subject is the turn unless said. */
export type JobName = { kind: string; subject: string; turn?: string };
export type StartedJob = { job: Job; done: Promise<unknown> };

type Kept = { job: Job; abort: AbortController; listeners: Set<() => void>; done: Promise<unknown> };
type Around = { clock: Clock; random: Random; toFault: (error: unknown) => Fault };

/** Ended jobs that are still told of, and those whose results are. */
const REMEMBERED = 200;
const WITH_RESULT = 20;

/** Long work of this process, one at a time for each turn, in the order it was asked for. */
export class Jobs {
  readonly #around: Around;
  readonly #jobs = new Map<string, Kept>();
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(around: Around) {
    this.#around = around;
  }

  /** `waited`: who asked takes the result itself, and nobody will ask for it again. */
  start(
    { kind, subject, turn = subject }: JobName,
    work: (run: JobRun) => Promise<unknown>,
    { waited = false }: { waited?: boolean } = {},
  ): StartedJob {
    const job: Job = {
      jobId: this.#around.random.uuid(),
      kind,
      subject,
      state: 'queued',
      progress: null,
      createdAt: this.#around.clock.now(),
      startedAt: null,
      endedAt: null,
      result: null,
      error: null,
    };
    const before = this.#last.get(turn) ?? Promise.resolve();
    const kept: Kept = { job, abort: new AbortController(), listeners: new Set(), done: before };
    this.#jobs.set(job.jobId, kept);
    kept.done = before.then(() => this.#run(kept, work, waited));
    const settled = kept.done.then(nothing, nothing);
    this.#last.set(turn, settled);
    void settled.then(() => {
      if (this.#last.get(turn) === settled) this.#last.delete(turn);
      this.#forgetOld();
    });
    return { job, done: kept.done };
  }

  /** Newest first. */
  list(): Job[] {
    return [...this.#jobs.values()].map(({ job }) => job).reverse();
  }

  get(jobId: string): Job {
    return this.#kept(jobId).job;
  }

  /** What has not begun never does; what runs stops where it can. One that has ended stays as it is. */
  cancel(jobId: string): Job {
    const kept = this.#kept(jobId);
    kept.abort.abort();
    if (kept.job.state === 'queued') this.#end(kept, 'cancelled');
    return kept.job;
  }

  /** Called at every change until the job has ended; gives back what ends the listening. */
  follow(jobId: string, listener: () => void): () => void {
    const { listeners } = this.#kept(jobId);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Nothing new begins; waits for what can't be stopped half-way. */
  async close(): Promise<void> {
    for (const { job } of this.#jobs.values()) if (job.endedAt === null) this.cancel(job.jobId);
    await Promise.all([...this.#jobs.values()].map(({ done }) => done.then(nothing, nothing)));
  }

  async #run(kept: Kept, work: (run: JobRun) => Promise<unknown>, waited: boolean): Promise<unknown> {
    const { job, abort } = kept;
    if (job.state !== 'queued') throw new Fault('cancelled', 'Stopped before it began.');
    job.state = 'running';
    job.startedAt = this.#around.clock.now();
    this.#tell(kept);
    const onProgress = (progress: JobProgress) => {
      job.progress = { ...progress };
      this.#tell(kept);
    };
    try {
      const result = (await work({ signal: abort.signal, onProgress })) ?? null;
      if (!waited) job.result = result;
      this.#end(kept, 'done');
      return result;
    } catch (error) {
      const fault = this.#around.toFault(error);
      const { code, message, hint } = fault;
      job.error = { code, message, ...(hint === undefined ? {} : { hint }) };
      this.#end(kept, code === 'cancelled' ? 'cancelled' : 'failed');
      throw error;
    }
  }

  #end(kept: Kept, state: JobState): void {
    kept.job.state = state;
    kept.job.endedAt = this.#around.clock.now();
    this.#tell(kept);
    kept.listeners.clear();
  }

  #tell({ listeners }: Kept): void {
    for (const listener of [...listeners]) listener();
  }

  #kept(jobId: string): Kept {
    const kept = this.#jobs.get(jobId);
    if (kept) return kept;
    throw new Fault('not-found', `No job ${JSON.stringify(jobId.slice(0, 60))}.`, {
      hint: 'Jobs are told of until the server ends, the last 200 of them.',
    });
  }

  #forgetOld(): void {
    const ended = [...this.#jobs.values()].filter(({ job }) => job.endedAt !== null);
    for (const { job } of ended.slice(0, Math.max(0, ended.length - REMEMBERED)))
      this.#jobs.delete(job.jobId);
    // A result can be a whole composition.
    for (const { job } of ended.slice(0, Math.max(0, ended.length - WITH_RESULT))) job.result = null;
  }
}

function nothing(): void {}
