import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gitFiles } from './git-files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-blame-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main'];
  const { status, stderr } = spawnSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

function commit(text: string, subject: string, date: string): void {
  writeFileSync(join(folder, 'price.ts'), text);
  git('add', '.');
  git('commit', '-q', `--date=${date}`, '-m', subject);
}

test('the commits of a file by their lines, and the one of a line; not what is uncommitted', async () => {
  git('init', '-q');
  commit('one\ntwo\nthree\n', 'feat: prices', '2026-01-01T10:00:00Z');
  commit('one\n\tsummary of two\nthree\n', 'fix: the second', '2026-02-01T10:00:00Z');
  const file = join(folder, 'price.ts');
  writeFileSync(file, 'one\n\tsummary of two\nthree\nfour, not committed\n');
  const all = await gitFiles.blame(file);
  expect(all.map(({ subject, lines, first, ts }) => ({ subject, lines, first, ts }))).toEqual([
    { subject: 'feat: prices', lines: 2, first: 1, ts: '2026-01-01T10:00:00.000Z' },
    { subject: 'fix: the second', lines: 1, first: 2, ts: '2026-02-01T10:00:00.000Z' },
  ]);
  expect((await gitFiles.blame(file, 2)).map(({ subject }) => subject)).toEqual(['fix: the second']);
  expect(await gitFiles.blame(file, 4)).toEqual([]);
  expect(await gitFiles.blame(file, 99)).toEqual([]);
});

test('a repository that names programs in its settings runs none of them', async () => {
  git('init', '-q');
  commit('one\n', 'feat: one', '2026-01-01T10:00:00Z');
  const trap = join(folder, 'trapped');
  const run = `sh -c 'touch ${trap}; cat "$0"'`;
  git('config', 'diff.bad.textconv', run);
  git('config', 'core.fsmonitor', run);
  git('config', 'core.hooksPath', folder);
  writeFileSync(join(folder, '.gitattributes'), '*.ts diff=bad\n');
  expect(await gitFiles.blame(join(folder, 'price.ts'))).toHaveLength(1);
  expect(spawnSync('ls', [trap]).status).not.toBe(0);
});

test('nothing where there is no repository or no such file', async () => {
  expect(await gitFiles.blame(join(folder, 'none.ts'))).toEqual([]);
  expect(await gitFiles.blame(join(folder, 'no', 'folder', 'none.ts'))).toEqual([]);
});
