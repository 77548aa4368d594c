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

test('a name that is no path has neither, wherever one stands', async () => {
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
