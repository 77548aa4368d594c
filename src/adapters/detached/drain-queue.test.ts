import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { QueuedWork, WorkInput } from '../../core/model/detached-work.ts';
import { Fault } from '../../core/model/fault.ts';
import { clearMark, isDetachedRunning, LONGEST_MS, setMark } from './detached-process.ts';
import { type Drain, drainQueue } from './drain-queue.ts';
import { finishWork } from './finish-work.ts';
import { addWork, dueWork, queueFolder, waitingWork, workFile } from './work-queue.ts';

let archive: string;
beforeEach(() => {
  archive = mkdtempSync(join(tmpdir(), 'keepsake-queue-'));
});
afterEach(() => rmSync(archive, { recursive: true }));

const input = (event: string): WorkInput => ({ event, started: '' });
const drain = (run: (work: QueuedWork, from: WorkInput) => void, more: Partial<Drain> = {}): Drain => ({
  hold: (work) => work(),
  run: async (work, from) => run(work, from),
  failed: async () => {},
  untilMs: Number.POSITIVE_INFINITY,
  ...more,
});
const done: string[] = [];
beforeEach(() => {
  done.length = 0;
});
const note = ({ kind, key }: QueuedWork, { event }: WorkInput) => void done.push(`${kind} ${key} ${event}`);

describe('a queue of work', () => {
  test('is worked through in its order, each session once with what was said last, and then it is empty', async () => {
    addWork(archive, 'session-end', 'aaaaaaaa', input('first'));
    addWork(archive, 'memory', 'bbbbbbbb', input('b'));
    addWork(archive, 'session-end', 'aaaaaaaa', input('last'));
    expect(await drainQueue(archive, drain(note))).toBe(true);
    expect(done).toEqual(['session-end aaaaaaaa last', 'memory bbbbbbbb b']);
    expect(readdirSync(queueFolder(archive))).toEqual([]);
  });

  test('keeps what is added while it is worked on, of the same session too', async () => {
    addWork(archive, 'session-end', 'aaaaaaaa', input('1'));
    const run = (work: QueuedWork, from: WorkInput) => {
      note(work, from);
      if (done.length < 3) addWork(archive, 'session-end', 'aaaaaaaa', input(String(done.length + 1)));
    };
    await drainQueue(archive, drain(run));
    expect(done).toEqual([1, 2, 3].map((n) => `session-end aaaaaaaa ${n}`));
    expect(waitingWork(archive)).toEqual([]);
  });

  test('keeps what failed, continues with the rest, and tries again later: a few times immediately, then rarely', async () => {
    addWork(archive, 'session-end', 'aaaaaaaa', input('bad'));
    addWork(archive, 'session-end', 'bbbbbbbb', input('good'));
    const errors: unknown[] = [];
    const run = (work: QueuedWork, from: WorkInput) => {
      note(work, from);
      if (from.event === 'bad') throw new Error('no');
    };
    for (let n = 0; n < 8; n++)
      await drainQueue(archive, drain(run, { failed: async (error) => void errors.push(error) }));
    expect(done).toEqual([
      'session-end aaaaaaaa bad',
      'session-end bbbbbbbb good',
      ...Array(3).fill('session-end aaaaaaaa bad'),
    ]);
    expect(errors).toHaveLength(4);
    const [left] = waitingWork(archive);
    expect(left).toMatchObject({ key: 'aaaaaaaa', tries: 4 });
    expect(dueWork(archive)).toEqual([]);
    const before = new Date(Date.now() - 11 * 60_000);
    utimesSync(workFile(archive, left!), before, before);
    expect(dueWork(archive)).toEqual([left]);
  });

  test('counts a try before it is made: a process that is killed in the middle cannot', async () => {
    addWork(archive, 'session-end', 'aaaaaaaa', input('1'));
    const seen: QueuedWork[][] = [];
    await drainQueue(
      archive,
      drain(() => void seen.push(waitingWork(archive))),
    );
    expect(seen).toMatchObject([[{ key: 'aaaaaaaa', tries: 1 }]]);
  });

  test('is left alone while another process is at it, and what is no entry is no work', async () => {
    addWork(archive, 'session-end', 'aaaaaaaa', input('1'));
    const busy = async () => {
      throw new Fault('busy', 'Another process.');
    };
    expect(await drainQueue(archive, drain(note, { hold: busy }))).toBe(false);
    expect(waitingWork(archive)).toMatchObject([{ tries: 0 }]);
    writeFileSync(join(queueFolder(archive), 'session-end.cccccccc.1-a.0'), '{"torn');
    writeFileSync(join(queueFolder(archive), 'somebody.txt'), 'x');
    await drainQueue(archive, drain(note));
    expect(done).toEqual(['session-end aaaaaaaa 1']);
    expect(readdirSync(queueFolder(archive))).toEqual(['somebody.txt']);
  });

  test('begins nothing after its time', async () => {
    addWork(archive, 'session-end', 'aaaaaaaa', input('1'));
    await drainQueue(archive, drain(note, { untilMs: performance.now() - 1 }));
    expect([done, waitingWork(archive).length]).toEqual([[], 1]);
  });

  test('what somebody needs is done first by them, or waited for while another process is at it', async () => {
    addWork(archive, 'memory', 'aaaaaaaa', input('other'));
    addWork(archive, 'session-end', 'bbbbbbbb', input('wanted'));
    let looks = 0;
    const hold: Drain['hold'] = async (work) => {
      if (looks++ < 3) throw new Fault('busy', 'Another process.');
      return work();
    };
    const isWanted = ({ kind }: QueuedWork) => kind === 'session-end';
    await finishWork(archive, { ...drain(note, { hold }), isWanted });
    expect([looks, done]).toEqual([4, ['session-end bbbbbbbb wanted']]);
    expect(waitingWork(archive)).toMatchObject([{ kind: 'memory' }]);
    await finishWork(archive, { ...drain(note), isWanted });
    expect(done).toHaveLength(1);
  });
});

describe('the mark of the process that works', () => {
  beforeEach(() => addWork(archive, 'memory', 'aaaaaaaa', input('')));

  test('holds while that process is there', () => {
    expect(isDetachedRunning(archive)).toBe(false);
    setMark(archive, process.pid);
    expect(isDetachedRunning(archive)).toBe(true);
    clearMark(archive, process.pid + 1);
    expect(isDetachedRunning(archive)).toBe(true);
    clearMark(archive, process.pid);
    expect(isDetachedRunning(archive)).toBe(false);
  });

  test('counts for nothing once its process is gone, or older than one can be', () => {
    setMark(archive, spawnSync(process.execPath, ['-e', '0']).pid);
    expect(isDetachedRunning(archive)).toBe(false);
    setMark(archive, process.pid);
    const long = new Date(Date.now() - LONGEST_MS - 6000);
    utimesSync(join(queueFolder(archive), '.running'), long, long);
    expect(isDetachedRunning(archive)).toBe(false);
    writeFileSync(join(queueFolder(archive), '.running'), 'no number');
    expect(isDetachedRunning(archive)).toBe(false);
  });
});

test('a process ends at its time, in the middle of whatever it does', () => {
  const file = join(import.meta.dirname, 'end-after.ts');
  const code = `import(${JSON.stringify(file)}).then(({ endAfter }) => { endAfter(200); for (;;); })`;
  expect(spawnSync(process.execPath, ['-e', code]).signal).toBe('SIGKILL');
});
