import { afterEach, expect, test, vi } from 'vitest';
import { Jobs } from '../../app/jobs.ts';
import { Fault } from '../../core/model/fault.ts';
import { jobEvents } from './job-events.ts';

afterEach(() => void vi.useRealTimers());

function begin() {
  let count = 0;
  const jobs = new Jobs({
    clock: { now: () => 'now', millis: () => 0, local: (iso) => iso },
    random: { uuid: () => `job-${++count}` },
    toFault: () => new Fault('internal', 'Odd.'),
  });
  const { promise, resolve } = Promise.withResolvers<string>();
  let report: (done: number) => void = () => undefined;
  const { job } = jobs.start({ kind: 'k', subject: 's' }, ({ onProgress }) => {
    report = (done) => onProgress({ done, total: 4 });
    return promise;
  });
  const follow = vi.spyOn(jobs, 'follow');
  const reader = jobEvents(jobs, job.jobId).pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => (await reader.read()).value;
  return { jobs, follow, reader, next, report: (done: number) => report(done), end: resolve };
}

test('sends the state immediately, simultaneous changes as one, the result, and ends', async () => {
  const { next, report, end, reader } = begin();
  expect(await next()).toContain('"state":"running"');
  report(1);
  report(2);
  report(3);
  expect(await next()).toMatch(/^event: job\ndata: .*"done":3.*\nid: \d+\n\n$/);
  end('whole');
  expect(await next()).toContain('"result":"whole"');
  expect((await reader.read()).done).toBe(true);
});

test('gives a sign of life while nothing happens', async () => {
  vi.useFakeTimers();
  const { next } = begin();
  await next();
  const waiting = next();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await waiting).toBe(': still here\n\n');
});

test('a client that leaves gets nothing more, and leaves no timer', async () => {
  vi.useFakeTimers();
  const { next, reader, jobs, follow } = begin();
  await next();
  const left = vi.fn();
  const [job] = jobs.list();
  expect(follow).toHaveBeenCalledTimes(1);
  jobs.follow(job?.jobId ?? '', left);
  await reader.cancel();
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});
