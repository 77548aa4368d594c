import { shallowReactive } from 'vue';
import { type Answer, beginApi, callApi, type Options, type RouteName } from '../api/call-api.ts';
import { eventStream } from '../api/event-stream.ts';
import { ApiProblem } from '../api/problem.ts';
import type { Job } from '../api/records.ts';
import { jobText } from '../text/job-text.ts';
import { leadOfJob } from './job-lead.ts';
import { nameOfSubject } from './job-names.ts';
import { notify, orReport } from './toasts.ts';

/** A browser has six connections to a server: streams must leave some. */
const MOST_STREAMS = 3;
const POLL_MS = 1500;

/** Long work of the server that this page knows of, by id. */
export const jobs = shallowReactive(new Map<string, Job>());
let streams = 0;
const followed = new Map<string, Promise<Job>>();
/** Their end is shown where it belongs: no message is needed. */
const awaited = new Set<string>();

/** Starts long work and waits for its result; meanwhile it is in the job tray. */
export async function runJob<R extends RouteName>(route: R, ...options: Options<R>): Promise<Answer<R>> {
  const job = await beginApi(route, ...options);
  // A server that was done at once answers with the result itself.
  if (!('jobId' in job)) return job as Answer<R>;
  return resultOf(await follow(job)) as Answer<R>;
}

function resultOf(job: Job): unknown {
  const { state, result, error } = job;
  if (state === 'done') return result;
  const { message, hint, code } = error ?? {
    message: 'It was stopped.',
    code: 'cancelled',
    hint: undefined,
  };
  // Who stopped something is told what it was.
  const more = hint ?? (code === 'cancelled' ? `${jobText(job, nameOfSubject)}.` : undefined);
  throw new ApiProblem({
    code: code as ApiProblem['code'],
    detail: message,
    ...(more ? { hint: more } : {}),
  });
}

/** Takes up the jobs that still run: after a reload they go on being shown, and their end is reported. */
export async function resumeJobs(): Promise<void> {
  const { items } = await callApi('get /api/memory/jobs');
  for (const job of items)
    if (job.endedAt === null && !jobs.has(job.jobId)) void orReport(async () => notifyEnd(await follow(job)));
}

const PREVIEWS: ReadonlySet<string> = new Set(['plan summary', 'plan synthesis']);

function notifyEnd(job: Job): void {
  if (awaited.has(job.jobId)) return;
  resultOf(job);
  // A preview that nobody waits for changed nothing, and is shown nowhere.
  if (PREVIEWS.has(job.kind)) return;
  const text = jobText(job, nameOfSubject);
  const to = leadOfJob(job);
  notify(
    `Done: ${text.charAt(0).toLowerCase()}${text.slice(1)}.`,
    to ? { title: 'Open', to } : { title: 'Reload', run: async () => location.reload() },
  );
}

/** The newest job of its kind that runs or went well: a page that was left meanwhile shows it again. */
export async function lastJob(kind: string, subject: string): Promise<Job | undefined> {
  const { items } = await callApi('get /api/memory/jobs');
  const isIt = (it: Job) => it.kind === kind && it.subject === subject;
  return items.find((it) => isIt(it) && (it.endedAt === null || (it.state === 'done' && it.result !== null)));
}

/** Waits for a job of `lastJob`; what it came to is shown by who waits. */
export async function jobEnd(job: Job): Promise<unknown> {
  if (job.endedAt !== null) return resultOf(job);
  awaited.add(job.jobId);
  return resultOf(await follow(job));
}

export function cancelJob(jobId: string): Promise<Job> {
  return callApi('delete /api/memory/jobs/{jobId}', { params: { jobId } });
}

function follow(job: Job): Promise<Job> {
  const { jobId } = job;
  const known = followed.get(jobId);
  if (known) return known;
  jobs.set(jobId, job);
  const end = (streams < MOST_STREAMS ? stream(jobId) : poll(jobId)).finally(() => {
    followed.delete(jobId);
    setTimeout(() => jobs.delete(jobId), 4000);
  });
  followed.set(jobId, end);
  return end;
}

async function stream(jobId: string): Promise<Job> {
  streams++;
  try {
    for await (const data of eventStream(`/api/memory/jobs/${encodeURIComponent(jobId)}/events`)) {
      const job = JSON.parse(data) as Job;
      jobs.set(jobId, job);
      if (job.endedAt !== null) return job;
    }
  } catch {
    // The stream broke off: asking shows whether the server is still there.
  } finally {
    streams--;
  }
  return poll(jobId);
}

async function poll(jobId: string): Promise<Job> {
  for (;;) {
    const job = await callApi('get /api/memory/jobs/{jobId}', { params: { jobId } });
    jobs.set(jobId, job);
    if (job.endedAt !== null) return job;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
