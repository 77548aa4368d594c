import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gitFiles } from './git-files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-git-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main'];
  const { status, stderr } = spawnSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

test('the newest commits, loose and packed, newest first', async () => {
  git('init', '-q');
  for (let at = 1; at <= 30; at++) {
    writeFileSync(join(folder, 'a.txt'), String(at));
    git('add', '.');
    // Long alike messages are packed as differences.
    git('commit', '-qm', `step ${at}: ünïcode\n\n${'the same words again and again '.repeat(20)}${at}`);
    if (at === 20) git('gc', '-q', '--aggressive');
  }
  const all = await gitFiles.commits(folder, 100);
  expect(all.map(({ subject }) => subject)).toEqual(
    Array.from({ length: 30 }, (_, at) => `step ${30 - at}: ünïcode`),
  );
  expect(await gitFiles.commits(folder, 3)).toHaveLength(3);
  git('pack-refs', '--all');
  git('gc', '-q');
  expect(await gitFiles.commits(folder, 100)).toEqual(all);
});

test('no history where there is no repository, no commit, or a broken one', async () => {
  expect(await gitFiles.commits(folder, 5)).toEqual([]);
  git('init', '-q');
  expect(await gitFiles.commits(folder, 5)).toEqual([]);
  writeFileSync(join(folder, '.git', 'HEAD'), `${'a'.repeat(40)}\n`);
  expect(await gitFiles.commits(folder, 5)).toEqual([]);
});
