import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gitFiles } from './git-files.ts';

let folder: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.invalid', ...args], {
    cwd: folder,
    stdio: 'pipe',
  });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-git-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a folder without git has neither remote nor branch', async () => {
  expect(await gitFiles.remote(folder)).toBeUndefined();
  expect(await gitFiles.branch(join(folder, 'gone'))).toBeUndefined();
});

test('a name that is no path has neither, in any current folder', async () => {
  git('init', '-q', '-b', 'main');
  git('remote', 'add', 'origin', 'https://example.invalid/o.git');
  const name = relative(process.cwd(), join(folder, 'notes'));
  expect(await gitFiles.remote(name)).toBeUndefined();
  expect(await gitFiles.branch(name)).toBeUndefined();
});

test('remote and branch are found from a folder below, and credentials are left out', async () => {
  git('init', '-q', '-b', 'feature/one');
  git('remote', 'add', 'upstream', 'https://example.invalid/u.git');
  git('remote', 'add', 'origin', 'https://me:secret-token@example.invalid/o.git');
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  expect(await gitFiles.remote(join(folder, 'a/b'))).toBe('https://example.invalid/o.git');
  expect(await gitFiles.branch(folder)).toBe('feature/one');
});

test('a worktree shares the remote and has its own branch', async () => {
  git('init', '-q', '-b', 'main');
  git('remote', 'add', 'only', 'git@example.invalid:team/app.git');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  git('worktree', 'add', '-q', '-b', 'side', 'tree');
  expect(await gitFiles.remote(join(folder, 'tree'))).toBe('git@example.invalid:team/app.git');
  expect(await gitFiles.branch(join(folder, 'tree'))).toBe('side');
});

test('what a checkout says of its repository', async () => {
  git('init', '-q', '-b', 'main');
  git('config', 'keepsake.identity', 'my # shop');
  git('config', '--add', 'keepsake.scope', 'packages/api');
  git('config', '--add', 'keepsake.scope', 'packages/web');
  git('remote', 'add', 'origin', 'ssh://me:secret@example.invalid/o.git');
  mkdirSync(join(folder, 'packages/api'), { recursive: true });
  expect(await gitFiles.checkout(join(folder, 'packages/api'))).toEqual({
    top: folder,
    remote: 'ssh://me@example.invalid/o.git',
    identity: 'my # shop',
    scopes: ['packages/api', 'packages/web'],
  });
  expect(await gitFiles.checkout(join(folder, 'gone'))).toMatchObject({ top: folder });
});

test('a worktree names its main checkout, also if that is elsewhere', async () => {
  git('init', '-q', '-b', 'main', 'shop');
  git('-C', 'shop', 'commit', '-q', '--allow-empty', '-m', 'first');
  git('-C', 'shop', 'worktree', 'add', '-q', '-b', 'side', '../side');
  const side = await gitFiles.checkout(join(folder, 'side'));
  expect(side).toEqual({ top: join(folder, 'side'), worktreeOf: join(folder, 'shop'), scopes: [] });
  expect(await gitFiles.checkout(join(folder, 'shop'))).toEqual({ top: join(folder, 'shop'), scopes: [] });
});

test('a submodule is a separate repository', async () => {
  git('init', '-q', '-b', 'main', 'part');
  git('-C', 'part', 'commit', '-q', '--allow-empty', '-m', 'first');
  git('init', '-q', '-b', 'main', 'whole');
  git('-C', 'whole', 'remote', 'add', 'origin', 'https://example.invalid/whole.git');
  git(
    '-C',
    'whole',
    '-c',
    'protocol.file.allow=always',
    'submodule',
    '--quiet',
    'add',
    join(folder, 'part'),
    'part',
  );
  const part = await gitFiles.checkout(join(folder, 'whole/part'));
  expect(part?.worktreeOf).toBeUndefined();
  expect(part?.remote).toBe(join(folder, 'part'));
});

test("a remote that is called upstream is nobody's own", async () => {
  git('init', '-q');
  git('remote', 'add', 'upstream', 'https://example.invalid/u.git');
  expect(await gitFiles.remote(folder)).toBeUndefined();
});

test('worktrees and clones have one root commit, a shallow clone has none', async () => {
  git('init', '-q', '-b', 'main', 'shop');
  expect(await gitFiles.rootCommit(join(folder, 'shop'))).toBeUndefined();
  for (const at of [1, 2, 3]) git('-C', 'shop', 'commit', '-q', '--allow-empty', '-m', `step ${at}`);
  git('-C', 'shop', 'worktree', 'add', '-q', '-b', 'side', '../side');
  git('clone', '-q', 'shop', 'copy');
  git('clone', '-q', '--depth', '1', `file://${folder}/shop`, 'shallow');
  const root = git('-C', 'shop', 'rev-list', '--max-parents=0', 'HEAD').toString().trim();
  expect(await gitFiles.rootCommit(join(folder, 'shop'))).toBe(root);
  expect(await gitFiles.rootCommit(join(folder, 'side'))).toBe(root);
  expect(await gitFiles.rootCommit(join(folder, 'copy'))).toBe(root);
  expect(await gitFiles.holds(join(folder, 'copy'), root)).toBe(true);
  expect(await gitFiles.holds(join(folder, 'copy'), 'a'.repeat(40))).toBe(false);
  expect(await gitFiles.rootCommit(join(folder, 'shallow'))).toBeUndefined();
});
