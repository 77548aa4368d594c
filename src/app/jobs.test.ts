import { expect, test } from 'vitest';
import { Fault } from '../core/model/fault.ts';
import { Jobs } from './jobs.ts';

function makeJobs(): Jobs {
  let count = 0;
  const random = { uuid: () => `job-${++count}` };
  const clock = { now: () => '2026-01-01T00:00:00.000Z', millis: () => 0, local: (iso: string) => iso };
  const toFault = (error: unknown) => (error instanceof Fault ? error : new Fault('internal', 'Odd.'));
  return new Jobs({ clock, random, toFault });
}

/** Work that ends when it is told to. */
function held(): { work: () => Promise<string>; end: (result: string) => void; begun: () => boolean } {
  const { promise, resolve } = Promise.withResolvers<string>();
  let begun = false;
  const work = () => {
    begun = true;
    return promise;
  };
  return { work, end: resolve, begun: () => begun };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('the result of long work stays, however many short ones end meanwhile and after', async () => {
  const jobs = makeJobs();
  const long = held();
  const { job, done } = jobs.start({ kind: 'verify', subject: 'all' }, long.work);
  const short = async (n: number) => {
    for (let i = 0; i < n; i++)
      await jobs.start({ kind: 'sync', subject: 's' }, async () => i, { waited: true }).done;
  };
  await short(250);
  long.end('whole');
  await done;
  await short(250);
  expect(jobs.get(job.jobId)).toMatchObject({ state: 'done', result: 'whole' });
  expect(jobs.list()).toEqual([job]);
});

test('of ended work the last 200 jobs are listed, with the last 20 results', async () => {
  const jobs = makeJobs();
  const first = held();
  const early = jobs.start({ kind: 'first', subject: 'first' }, first.work);
  for (let i = 0; i < 230; i++) await jobs.start({ kind: 'k', subject: 's' }, async () => i).done;
  first.end('last to end');
  await early.done;
  const all = jobs.list();
  expect(all).toHaveLength(200);
  expect(all.filter(({ result }) => result !== null)).toHaveLength(20);
  expect(jobs.find(early.job.jobId)?.result).toBe('last to end');
});

test('a canceled job that waits ends immediately for those who wait for it, and never starts', async () => {
  const jobs = makeJobs();
  const first = held();
  const second = held();
  const running = jobs.start({ kind: 'a', subject: 's' }, first.work);
  const waiting = jobs.start({ kind: 'b', subject: 's' }, second.work);
  jobs.cancel(waiting.job.jobId);
  await expect(waiting.done).rejects.toMatchObject({ code: 'cancelled' });
  expect(running.job.state).toBe('running');
  first.end('done');
  await running.done;
  await settled();
  expect([waiting.job.state, second.begun()]).toEqual(['cancelled', false]);
});

test('three run side by side; the next begins when one ends, and one that fails frees its place', async () => {
  const jobs = makeJobs();
  const all = Array.from({ length: 5 }, held);
  const started = all.map(({ work }, i) => jobs.start({ kind: 'k', subject: `s${i}` }, work));
  await settled();
  expect(all.map(({ begun }) => begun())).toEqual([true, true, true, false, false]);
  all[1]?.end('x');
  await started[1]?.done;
  await settled();
  expect(all.map(({ begun }) => begun())).toEqual([true, true, true, true, false]);
  for (const { end } of all) end('x');
  await Promise.all(started.map(({ done }) => done));
  const failing = () => Promise.reject(new Fault('busy', 'No.'));
  for (let i = 0; i < 5; i++)
    await expect(jobs.start({ kind: 'k', subject: 's' }, failing).done).rejects.toThrow('No.');
  expect(await jobs.start({ kind: 'k', subject: 's' }, async () => 'well').done).toBe('well');
});

test('once it is closed nothing starts, and running work is asked to stop and waited for', async () => {
  const jobs = makeJobs();
  let stopped = false;
  const { done } = jobs.start({ kind: 'k', subject: 's' }, async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await settled();
    stopped = true;
    throw new Fault('cancelled', 'Stopped.');
  });
  done.catch(() => undefined);
  await settled();
  await jobs.close();
  expect(stopped).toBe(true);
  expect(() => jobs.start({ kind: 'k', subject: 's' }, async () => 1)).toThrow('starts no new jobs');
});

test('results are forgotten when they may hold what must be gone', async () => {
  const jobs = makeJobs();
  const { job, done } = jobs.start({ kind: 'k', subject: 's' }, async () => 'secret');
  await done;
  jobs.forgetResults();
  expect(jobs.get(job.jobId)).toMatchObject({ state: 'done', result: null });
});

test('a client that left gets nothing more', async () => {
  const jobs = makeJobs();
  const { work, end } = held();
  const { job, done } = jobs.start({ kind: 'k', subject: 's' }, work);
  let reports = 0;
  const leave = jobs.follow(job.jobId, () => reports++);
  await settled();
  expect(reports).toBe(1);
  leave();
  end('x');
  await done;
  expect(reports).toBe(1);
});
