import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { newProjectChange } from '../../core/model/change.ts';
import { toProjectId } from '../../core/model/ids.ts';
import { purgeMarks } from '../../core/purge/forms.ts';
import type { Archive } from '../../ports/archive.ts';
import { diskFault } from './disk-fault.ts';
import { openArchive } from './open-archive.ts';
import { noteFill } from './wipe-note.ts';

const PROJECT = toProjectId('-home-ada-app');
const CREATE = newProjectChange({
  projectId: PROJECT,
  originalPath: '/home/ada/app',
  displayName: 'app',
  createdAt: 't',
});
const NOW = '2026-01-01T00:00:00.000Z';

let folder: string;
let root: string;
let archive: Archive;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepsake-open-'));
  root = join(folder, 'a', 'b');
  archive = openArchive(root, { now: () => NOW });
});
afterEach(async () => {
  await archive.close();
  await rm(folder, { recursive: true });
});

const messages = async () =>
  (await archive.inspect()).filter(({ level }) => level !== 'ok').map(({ message }) => message);

test('opening and reading an archive that is not there makes nothing', async () => {
  await archive.projects();
  await archive.head(PROJECT);
  await archive.open(PROJECT);
  await archive.history(PROJECT);
  await archive.files.read(PROJECT, 'memory/x');
  await archive.files.list(undefined, 'x');
  await archive.originals.list(PROJECT);
  await archive.originals.size(PROJECT, 's.jsonl');
  await archive.sweep();
  expect(await messages()).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
});

test('one purge works at a time, also of two that opened the archive each for itself', async () => {
  const other = openArchive(root, { now: () => NOW });
  const steps: string[] = [];
  let second: Promise<unknown> = Promise.resolve();
  await archive.purging(
    async () => {
      expect(
        await other.purging(
          async () => 'worked',
          () => 'leave',
        ),
      ).toBeUndefined();
      second = other.purging(
        async () => steps.push('second'),
        () => 'wait',
      );
      // What a purge does goes through the lock of writers, which is another one.
      await archive.change(PROJECT, [CREATE]);
      await archive.fold(PROJECT);
      steps.push('first');
    },
    () => 'leave',
  );
  await second;
  expect(steps).toEqual(['first', 'second']);
  await other.close();
});

test('a wait for a purge in another process ends with the stop, and the archive can be closed', async () => {
  await mkdir(root, { recursive: true });
  const held = new DatabaseSync(join(root, 'purge-lock.sqlite'));
  onTestFinished(() => held.close());
  held.exec('BEGIN EXCLUSIVE');
  const other = openArchive(root, { now: () => NOW });
  const stop = new AbortController();
  const waiting = other.purging(
    async () => 'worked',
    () => 'wait',
    stop.signal,
  );
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  await other.close();
});

test('a change made from words that were read before their purge is written without them', async () => {
  await archive.change(PROJECT, [CREATE]);
  const [salt, text] = ['salt', 'heron okafor lamp'];
  const tombstone = { kind: 'text', id: 't1', at: NOW, salt, marks: purgeMarks(text, salt) };
  await archive.change(PROJECT, [{ at: ['tombstones'], append: tombstone }]);
  await archive.change(PROJECT, [{ at: ['overlays'], append: { content: `about ${text}.` } }]);
  await archive.fold(PROJECT, { forget: true });
  expect(await readFile(join(root, 'projects', PROJECT, 'manifest.json'), 'utf8')).not.toContain(text);
  expect(await readFile(join(root, 'projects', PROJECT, 'manifest.json'), 'utf8')).toContain('[purged]');
});

test('everything it makes is private', async () => {
  const source = join(folder, 'source');
  await writeFile(source, 'x');
  await archive.change(PROJECT, [CREATE], [{ at: NOW, action: 'create' }]);
  await archive.change(PROJECT, []);
  await archive.files.write(undefined, 'x/y', 'z');
  await archive.files.writeAt(PROJECT, 'memory/z', 0, 'z');
  await archive.originals.absorb(PROJECT, 's1/tool-results/1.txt', { path: source }, 'copy');
  const names = await readdir(root, { recursive: true });
  expect(names).toContain('lock.sqlite');
  for (const name of ['.', ...names]) {
    const { mode } = await stat(join(root, name));
    expect(`${name} ${(mode & 0o077).toString(8)}`).toBe(`${name} 0`);
  }
  expect(await messages()).toEqual([]);
});

test('manifest.json is one JSON document, a session a line', async () => {
  await archive.change(PROJECT, [CREATE, { at: ['sessions', 's1'], put: { sessionId: 's1' } }]);
  await archive.change(PROJECT, [{ at: ['sessions', 's2'], put: { sessionId: 's2' } }]);
  await archive.fold(PROJECT);
  const text = await readFile(join(root, 'projects', PROJECT, 'manifest.json'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ version: '1.0.0', gen: 2, sessions: { s1: {}, s2: {} } });
  expect(text.split('\n').filter((line) => /^"s\d":/.test(line))).toHaveLength(2);
});

test('sweep removes unfinished writes, but not those of the last hour', async () => {
  await archive.files.write(PROJECT, 'memory/x', 'x');
  const temp = join(root, 'projects', PROJECT, 'memory', '.tmp-0123-x');
  await writeFile(temp, 'half');
  const at = (ms: number) => openArchive(root, { now: () => new Date(ms).toISOString() });
  expect(await at(Date.now()).sweep()).toEqual([]);
  expect(await at(Date.now() + 7_200_000).sweep()).toEqual([`projects/${PROJECT}/memory/.tmp-0123-x`]);
  expect(await archive.files.list(PROJECT, 'memory')).toEqual(['x']);
});

test('a folder that a killed first change left empty is no finding', async () => {
  await archive.change(PROJECT, [CREATE]);
  await mkdir(join(root, 'projects', 'chats'), { mode: 0o700 });
  expect(await messages()).toEqual([]);
  await writeFile(join(root, 'projects', 'chats', 'notes.txt'), 'Ada', { mode: 0o600 });
  expect(await messages()).toEqual([expect.stringContaining('neither a manifest')]);
});

test('inspect names what is wrong and what to do', async () => {
  await archive.change(PROJECT, [CREATE, { at: ['sessions', 's1'], put: { sessionId: 's1' } }]);
  await archive.files.write(PROJECT, 'memory/open', 'x');
  await chmod(join(root, 'projects', PROJECT, 'memory', 'open'), 0o644);
  await writeFile(join(root, 'projects', PROJECT, '.tmp-left'), '', { mode: 0o600 });
  await writeFile(join(root, 'projects', PROJECT, 'manifest.log'), 'torn', { mode: 0o600 });
  await mkdir(join(root, 'projects', '-stray', 'originals'), { recursive: true, mode: 0o700 });
  const found = await messages();
  for (const words of [
    'other users',
    'interrupted write',
    'unfinished line',
    'neither a manifest',
    'is missing',
  ]) {
    expect(found.filter((message) => message.includes(words))).toHaveLength(1);
  }
  expect(found).toHaveLength(5);
});

describe('the lock', () => {
  test('held by another makes a hook leave at once, and is free when it is given back', async () => {
    const { DatabaseSync } = await import('node:sqlite');
    await archive.change(PROJECT, [CREATE]);
    const other = new DatabaseSync(join(root, 'lock.sqlite'));
    other.exec('BEGIN EXCLUSIVE');
    const hook = openArchive(root, { now: () => NOW, lockWaitMs: 0 });
    await expect(hook.change(PROJECT, [])).rejects.toMatchObject({ code: 'busy' });
    const waiting = archive.change(PROJECT, []);
    other.exec('ROLLBACK');
    other.close();
    expect(await waiting).toEqual({ gen: 2 });
    expect(await hook.change(PROJECT, [])).toEqual({ gen: 3 });
    await hook.close();
  });

  test('is taken anew when its file was removed meanwhile', async () => {
    await archive.change(PROJECT, [CREATE]);
    await rm(root, { recursive: true });
    expect(await archive.change(PROJECT, [CREATE])).toEqual({ gen: 1 });
    expect(await readdir(root)).toContain('lock.sqlite');
  });
});

test.each([
  ['ENOSPC', 'write', 'disk-full'],
  ['EDQUOT', 'write', 'disk-full'],
  ['EFBIG', 'write', 'disk-full'],
  ['EROFS', 'write', 'read-only'],
  ['EACCES', 'write', 'read-only'],
  ['EPERM', 'write', 'read-only'],
  ['EACCES', 'read', 'unreadable'],
  ['EISDIR', 'read', 'unreadable'],
  ['ENOENT', 'read', 'not-found'],
] as const)('%s on %s is the fault %s, with the file named', (code, doing, fault) => {
  const made = diskFault(Object.assign(new Error(code), { code }), '/x/y', doing);
  expect(made).toMatchObject({ code: fault, message: expect.stringContaining('/x/y') });
});

test('a text that a killed purge overwrote by half is overwritten whole by the next purge, and a file written anew is left alone', async () => {
  const [path, other] = [join(folder, 'half.txt'), join(folder, 'anew.txt')];
  const kill = async (file: string) => {
    await writeFile(file, 'The customer is [purgsgate today.');
    await noteFill(root, file, [[16, 26]]);
  };
  await kill(path);
  await archive.wipe([], { overwrite: true, only: [] });
  expect(await readFile(path, 'utf8')).toBe('The customer is [purged]   today.');
  await kill(other);
  await writeFile(join(folder, 'new'), 'Another text altogether, of as many.');
  await rename(join(folder, 'new'), other);
  await archive.wipe([], { overwrite: true, only: [] });
  expect(await readFile(other, 'utf8')).toBe('Another text altogether, of as many.');
});

test('a damaged note of what a killed purge left to overwrite is kept aside and reported', async () => {
  const [path, cache] = [join(folder, 'half.txt'), join(root, 'cache')];
  await writeFile(path, 'The customer is [purgsgate today.');
  await noteFill(root, path, [[16, 26]]);
  const damaged = (await readFile(join(cache, 'wiping.json'))).subarray(0, 30);
  await writeFile(join(cache, 'wiping.json'), damaged);
  for (let run = 0; run < 2; run++) await archive.wipe([], { overwrite: true, only: [] });
  const names = (await readdir(cache)).filter((name) => name.startsWith('wiping.json'));
  expect(names).toEqual([expect.stringMatching(/^wiping\.json\.damaged-\w{8}$/)]);
  expect(await readFile(join(cache, names[0]!))).toEqual(damaged);
  expect(await messages()).toEqual([expect.stringContaining('half of a purged text may remain')]);
});

test('a look overwrites nothing, also where a killed purge left something to overwrite', async () => {
  const path = join(folder, 'half.txt');
  await writeFile(path, 'The customer is [purgsgate today.');
  await noteFill(root, path, [[16, 26]]);
  await archive.wipe([], { overwrite: false, only: [] });
  expect(await readFile(path, 'utf8')).toBe('The customer is [purgsgate today.');
  await archive.wipe([], { overwrite: true, only: [] });
  expect(await readFile(path, 'utf8')).toBe('The customer is [purged]   today.');
});

test('a file that was made anew under the number of the old one is left alone', async () => {
  const [path, note] = [join(folder, 'half.txt'), join(root, 'cache', 'wiping.json')];
  await writeFile(path, 'Another text altogether, of as many.');
  await noteFill(root, path, [[16, 26]]);
  const noted = JSON.parse(await readFile(note, 'utf8'));
  await writeFile(note, JSON.stringify({ ...noted, born: 1 }));
  await archive.wipe([], { overwrite: true, only: [] });
  expect(await readFile(path, 'utf8')).toBe('Another text altogether, of as many.');
});
