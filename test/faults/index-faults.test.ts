import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSearchIndex } from '../../src/adapters/index-sqlite/open-search-index.ts';
import { indexUpdate } from '../made/index-update.ts';
import { checkIndex } from './check-index.ts';
import { EVERYWHERE, type IndexAck, SHARED } from './index-writer.ts';

const KILLS = 15;
const LANES = 8;
const ROUNDS = 15;

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepsake-index-'));
  path = join(folder, 'index.sqlite');
});
afterEach(() => rm(folder, { recursive: true }));

test('a writer killed at random points leaves the old or the new state, and everything it acknowledged', async () => {
  let acknowledged = 0;
  for (let n = 0; n < KILLS; n++) {
    // Long updates, so that most kills hit one.
    const writer = start(['a', '0', '1500']);
    await writer.first;
    await pause(Math.random() * 120);
    writer.child.kill('SIGKILL');
    const acks = await writer.done;
    acknowledged += acks.length;
    const index = openSearchIndex(path);
    expect(await checkIndex(index)).toEqual([]);
    const to = (await index.cursors()).get('-home-ada-app/session/a-left')?.to;
    expect((await index.marks()).get('a')).toBe(String(to));
    await index.close();
  }
  expect(acknowledged).toBeGreaterThanOrEqual(KILLS);
  expect((await readdir(folder)).filter((name) => !name.startsWith('index.sqlite'))).toEqual([]);
});

test('eight processes that write at once lose nothing, and readers always see complete states', async () => {
  const index = openSearchIndex(path);
  await index.update([indexUpdate(SHARED, 0, [EVERYWHERE])]);
  const writers = Array.from({ length: LANES }, (_, n) => start([`lane${n}`, String(ROUNDS), '30']));
  let running = true;
  const all = Promise.all(writers.map(({ done }) => done)).finally(() => {
    running = false;
  });
  let searches = 0;
  while (running) {
    expect(await checkIndex(index)).toEqual([]);
    searches++;
    await pause(5);
  }
  const acks = (await all).map((lines) => lines.at(-1)!);
  expect(searches).toBeGreaterThan(3);
  const cursors = await index.cursors();
  for (const { lane, to } of acks) expect(cursors.get(`-home-ada-app/session/${lane}-right`)?.to).toBe(to);
  expect(cursors.get(`-home-ada-app/session/${SHARED}`)?.to).toBe(10 + LANES * ROUNDS * 10);
  expect(await checkIndex(index)).toEqual([]);
  await index.close();
});

test('processes that all create a missing index at once create one', async () => {
  const writers = Array.from({ length: LANES }, (_, n) => start([`lane${n}`, '1', '3']));
  await Promise.all(writers.map(({ done }) => done));
  const index = openSearchIndex(path);
  expect((await index.cursors()).size).toBe(LANES * 2);
  expect(await checkIndex(index)).toEqual([]);
  await index.close();
  expect(await readdir(folder)).toEqual(['index.sqlite']);
});

test('processes that destroy and fill it at once never see a mixture', async () => {
  const crowd = Array.from({ length: 4 }, (_, n) => start([`lane${n}`, '40'], 'index-destroyer.ts'));
  await Promise.all(crowd.map(({ done }) => done));
  const index = openSearchIndex(path);
  expect(await checkIndex(index)).toEqual([]);
  await index.update([indexUpdate('last', 0, [EVERYWHERE])]);
  expect(await checkIndex(index)).toEqual([]);
  await index.close();
});

/** `first` resolves with the first acknowledged write, `done` with all of them when the process has ended. */
function start(args: string[], program = 'index-writer.ts') {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), path, ...args]);
  let output = '';
  let errors = '';
  const first = new Promise<void>((resolve) => {
    child.stdout.on('data', (data) => {
      output += data;
      resolve();
    });
    child.on('close', () => resolve());
  });
  child.stderr.on('data', (data) => {
    errors += data;
  });
  const done = new Promise<IndexAck[]>((resolve, reject) => {
    child.on('close', (status, signal) => {
      if (status !== 0 && signal !== 'SIGKILL') reject(new Error(errors));
      const lines = output.split('\n').slice(0, -1);
      resolve(lines.map((line) => JSON.parse(line) as IndexAck));
    });
  });
  return { child, first, done };
}
