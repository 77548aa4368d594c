import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import * as real from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as own from './files-at-once.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-files-at-once-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const STREAMS = new Set([
  'readableWebStream',
  'readLines',
  'createReadStream',
  'createWriteStream',
  'getAsyncId',
  'pull',
  'pullSync',
  'writer',
]);

type Files = Pick<typeof real, Exclude<keyof typeof own, 'leaveToThreads'>>;

/** What a call gives, or the code that it fails with. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => (typeof value === 'bigint' || value === undefined ? value : JSON.parse(JSON.stringify(value))),
    (error: NodeJS.ErrnoException) => ({ code: error.code, syscall: error.syscall }),
  );
}

/** Every function once where it works and once where it can't, in a folder of its own. */
async function story(files: Files, folder: string): Promise<unknown[]> {
  mkdirSync(folder);
  const at = (name: string) => join(folder, name);
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value ?? null).replaceAll(folder, ''));
  const seen: unknown[] = [];
  const note = async (call: Promise<unknown>) => seen.push(plain(await outcome(call)));
  await note(files.writeFile(at('a'), 'one'));
  await note(files.appendFile(at('a'), ' two'));
  await note(files.readFile(at('a'), 'utf8'));
  await note(files.readFile(at('none')));
  await note(files.mkdir(at('b/c'), { recursive: true }));
  await note(files.mkdir(at('b')));
  await note(files.rename(at('a'), at('b/a')));
  await note(files.rename(at('a'), at('b/a')));
  await note(files.link(at('b/a'), at('b/same')));
  await note(files.link(at('b/a'), at('b/same')));
  await note(files.symlink('a', at('b/way')));
  await note(files.readlink(at('b/way')));
  await note(files.realpath(at('b/way')));
  await note(files.realpath(at('none')));
  await note(files.copyFile(at('b/a'), at('b/copy')));
  await note(files.readdir(at('b')));
  await note(files.readdir(at('b/a')));
  await note(files.stat(at('b/way')).then(({ size }) => size));
  await note(files.lstat(at('b/way')).then((it) => it.isSymbolicLink()));
  await note(files.stat(at('none')));
  await note(files.chmod(at('b/a'), 0o600));
  await note(files.stat(at('b/a')).then(({ mode }) => mode & 0o777));
  await note(files.access(at('b/a'), files.constants.R_OK));
  await note(files.access(at('none')));
  await note(files.statfs(folder).then(({ bsize }) => bsize));
  await note(files.utimes(at('b/a'), 1, 2));
  await note(files.stat(at('b/a')).then(({ mtimeMs }) => mtimeMs));
  await note(files.mkdtemp(at('tmp-')).then((made) => files.rmdir(made)));
  await note(files.rmdir(at('b')));
  await note(files.rm(at('none')));
  await note(files.rm(at('none'), { force: true }));
  await note(files.open(at('none'), 'r'));
  seen.push(plain(await handleStory(files, at('file'))));
  await note(files.rm(at('b'), { recursive: true }));
  await note(files.readdir(folder));
  return seen;
}

async function handleStory(files: Files, path: string): Promise<unknown[]> {
  const file = await files.open(path, 'wx+');
  const seen: unknown[] = [];
  const note = async (call: Promise<unknown>) => seen.push(await outcome(call));
  await note(file.write('hello '));
  await note(file.write(Buffer.from('xxworld'), 2, 5).then(({ bytesWritten }) => bytesWritten));
  await note(file.write(Buffer.from('H'), 0, 1, 0).then(({ bytesWritten }) => bytesWritten));
  await note(file.appendFile('!'));
  const buffer = Buffer.alloc(5);
  await note(file.read(buffer, 0, 5, 6).then(({ bytesRead }) => [bytesRead, buffer.toString()]));
  await note(file.read(buffer, 1, 2, 100).then(({ bytesRead }) => bytesRead));
  await note(file.stat().then(({ size }) => size));
  await note(file.sync());
  await note(file.datasync());
  await note(file.truncate(3));
  await note(file.chmod(0o640));
  await note(file.stat().then(({ uid, gid }) => file.chown(uid, gid)));
  await note(file.writev([Buffer.from('a'), Buffer.from('bc')], 0).then(({ bytesWritten }) => bytesWritten));
  const parts = [Buffer.alloc(1), Buffer.alloc(2)];
  await note(file.readv(parts, 0).then(({ bytesRead }) => [bytesRead, ...parts.map(String)]));
  await note(file.utimes(1, 2));
  await note(file.stat().then(({ size, mode, mtimeMs }) => [size, mode & 0o777, mtimeMs]));
  await note(file.close());
  await note(file.close());
  await note(
    file.stat().then(
      () => 'open',
      () => 'closed',
    ),
  );
  await note(
    files.open(path, 'r').then(async (again) => [await again.readFile('utf8'), await again.close()]),
  );
  await note(files.open(path, 'wx'));
  return seen;
}

describe('files read and written at once', () => {
  test('every call gives what node gives, and fails as it does', async () => {
    const theirs = await story(real, join(root, 'theirs'));
    expect(await story(own as unknown as Files, join(root, 'own'))).toEqual(theirs);
    expect(theirs).toContainEqual({ code: 'ENOENT', syscall: 'open' });
  });

  test('a process that stays leaves them to the threads', async () => {
    vi.resetModules();
    const { leaveToThreads, ...files } = await import('./files-at-once.ts');
    leaveToThreads();
    const theirs = await story(real, join(root, 'theirs'));
    expect(await story(files as unknown as Files, join(root, 'own'))).toEqual(theirs);
    const file = (await files.open(join(root, 'file'), 'w')) as unknown as real.FileHandle;
    expect(file.constructor.name).toBe('FileHandle');
    await file.close();
  });

  test('an open file can all that one of node can, but streams', async () => {
    const [theirs, mine] = [await real.open(join(root, 'a'), 'w'), await own.open(join(root, 'b'), 'w')];
    const missing = Object.getOwnPropertyNames(Object.getPrototypeOf(theirs)).filter(
      (name) => !(name in mine),
    );
    expect(missing.filter((name) => !STREAMS.has(name))).toEqual([]);
    await Promise.all([theirs.close(), mine.close()]);
  });

  test('a timer gets its turn while files are read', async () => {
    let rang = false;
    setTimeout(() => {
      rang = true;
    }, 1);
    for (let calls = 0; !rang && calls < 1_000_000; calls++) await own.stat(root);
    expect(rang).toBe(true);
  });
});
