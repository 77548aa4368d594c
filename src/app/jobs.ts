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

/** Long work that someone may watch, leave and come back to. */
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
/** A job's operation and subject. Jobs with the same turn run one after the other; the default turn is the subject. */
export type JobName = { kind: string; subject: string; turn?: string };
export type StartedJob = { job: Job; done: Promise<unknown> };

type JobEntry = {
  job: Job;
  abort: AbortController;
  listeners: Set<() => void>;
  done: PromiseWithResolvers<unknown>;
  /** Who asked takes the result itself, and nobody will ask for it again. */
  waited: boolean;
};
type Around = { clock: Clock; random: Random; toFault: (error: unknown) => Fault };

/** Ended jobs that are still listed, and those whose results are. */
const REMEMBERED = 200;
const WITH_RESULT = 20;
/** Work that runs side by side: more would keep short requests waiting, on the one thread there is. */
const AT_ONCE = 3;

/** Long work of this process, one at a time for each turn, in the order it was asked for. */
export class Jobs {
  readonly #around: Around;
  readonly #jobs = new Map<string, JobEntry>();
  /** The end of the last job of each turn. */
  readonly #last = new Map<string, Promise<unknown>>();
  /** In the order in which they ended. */
  readonly #ended: JobEntry[] = [];
  #free = AT_ONCE;
  readonly #waiting: (() => void)[] = [];
  #closed = false;

  constructor(around: Around) {
    this.#around = around;
  }

  start(
    { kind, subject, turn = subject }: JobName,
    work: (run: JobRun) => Promise<unknown>,
    { waited = false }: { waited?: boolean } = {},
  ): StartedJob {
    if (this.#closed) throw new Fault('busy', 'The server is shutting down and starts no new jobs.');
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
    const done = Promise.withResolvers<unknown>();
    // The job records the error, too: callers that do not wait need not catch it.
    done.promise.catch(() => undefined);
    const entry: JobEntry = { job, abort: new AbortController(), listeners: new Set(), done, waited };
    this.#jobs.set(job.jobId, entry);
    const over = (this.#last.get(turn) ?? Promise.resolve()).then(() => this.#run(entry, work));
    this.#last.set(turn, over);
    void over.then(() => this.#last.get(turn) === over && this.#last.delete(turn));
    return { job, done: done.promise };
  }

  /** Newest first. */
  list(): Job[] {
    return [...this.#jobs.values()].map(({ job }) => job).reverse();
  }

  get(jobId: string): Job {
    const job = this.find(jobId);
    if (job) return job;
    throw new Fault('not-found', `No job ${JSON.stringify(jobId.slice(0, 60))}.`, {
      hint: 'The server keeps the last 200 jobs until it stops.',
    });
  }

  find(jobId: string): Job | undefined {
    return this.#jobs.get(jobId)?.job;
  }

  /** What has not begun never does; what runs stops where it can. One that has ended stays as it is. */
  cancel(jobId: string): Job {
    const job = this.get(jobId);
    const entry = this.#jobs.get(jobId);
    entry?.abort.abort();
    if (entry && job.state === 'queued') {
      this.#end(entry, 'cancelled');
      entry.done.reject(new Fault('cancelled', 'Stopped before it started.'));
    }
    return job;
  }

  /** Called at every change until the job has ended; returns a function that stops listening. */
  follow(jobId: string, listener: () => void): () => void {
    const listeners = this.#jobs.get(jobId)?.listeners;
    listeners?.add(listener);
    return () => listeners?.delete(listener);
  }

  /** Results may contain what must be deleted. */
  forgetResults(): void {
    for (const { job } of this.#ended) job.result = null;
  }

  /** Nothing new begins; waits for what can't be stopped half-way. */
  async close(): Promise<void> {
    this.#closed = true;
    const open = [...this.#jobs.values()].filter(({ job }) => job.endedAt === null);
    for (const { job } of open) this.cancel(job.jobId);
    await Promise.allSettled(open.map(({ done }) => done.promise));
  }

  async #run(entry: JobEntry, work: (run: JobRun) => Promise<unknown>): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      if (entry.job.state === 'queued') await this.#work(entry, work);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  async #work(entry: JobEntry, work: (run: JobRun) => Promise<unknown>): Promise<void> {
    const { job, abort, done, waited } = entry;
    job.state = 'running';
    job.startedAt = this.#around.clock.now();
    this.#notify(entry);
    const onProgress = (progress: JobProgress) => {
      job.progress = { ...progress };
      this.#notify(entry);
    };
    try {
      const result = (await work({ signal: abort.signal, onProgress })) ?? null;
      if (!waited) job.result = result;
      this.#end(entry, 'done');
      done.resolve(result);
    } catch (error) {
      const { code, message, hint } = this.#around.toFault(error);
      job.error = { code, message, ...(hint === undefined ? {} : { hint }) };
      this.#end(entry, code === 'cancelled' ? 'cancelled' : 'failed');
      done.reject(error);
    }
  }

  #end(entry: JobEntry, state: JobState): void {
    entry.job.state = state;
    entry.job.endedAt = this.#around.clock.now();
    this.#notify(entry);
    entry.listeners.clear();
    if (entry.waited) this.#jobs.delete(entry.job.jobId);
    else this.#ended.push(entry);
    while (this.#ended.length > REMEMBERED) this.#jobs.delete(this.#ended.shift()?.job.jobId ?? '');
    // A result can be a whole composition.
    const full = this.#ended.filter(({ job }) => job.result !== null);
    for (const { job } of full.slice(0, Math.max(0, full.length - WITH_RESULT))) job.result = null;
  }

  #notify({ listeners }: JobEntry): void {
    for (const listener of [...listeners]) listener();
  }
}
