import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectFiles } from './project-files.ts';

let home = '';
let root = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-files-'));
  root = join(home, 'project');
  mkdirSync(root);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('writes whole files, makes folders, keeps permissions, leaves nothing beside', async () => {
  await projectFiles.write(root, '_memory/conversations/a.md', 'one');
  chmodSync(join(root, '_memory/conversations/a.md'), 0o640);
  await projectFiles.write(root, '_memory/conversations/a.md', 'two');
  expect(readFileSync(join(root, '_memory/conversations/a.md'), 'utf8')).toBe('two');
  expect(statSync(join(root, '_memory/conversations/a.md')).mode & 0o777).toBe(0o640);
  expect(readdirSync(join(root, '_memory/conversations'))).toEqual(['a.md']);
  expect((await projectFiles.list(root, '_memory', 10)).map(({ name }) => name)).toEqual([
    '_memory/conversations/a.md',
  ]);
});

test.each(['../out.md', '/etc/passwd', 'a/../../out.md', 'a//b', 'a\\..\\b', '.', ''])(
  '%j is no name below a project',
  async (name) => {
    expect(await projectFiles.read(root, name, 10)).toBeUndefined();
    await expect(projectFiles.write(root, name, 'x')).rejects.toMatchObject({ code: 'conflict' });
    expect(readdirSync(home)).toEqual(['project']);
  },
);

test('a link out of the project is neither read nor written through; one that stays inside is', async () => {
  writeFileSync(join(home, 'secret.md'), 'secret');
  symlinkSync(join(home, 'secret.md'), join(root, 'link.md'));
  symlinkSync(home, join(root, 'up'));
  for (const name of ['link.md', 'up/secret.md']) {
    expect(await projectFiles.read(root, name, 100)).toBeUndefined();
    await expect(projectFiles.write(root, name, 'x')).rejects.toMatchObject({ code: 'conflict' });
  }
  expect(readFileSync(join(home, 'secret.md'), 'utf8')).toBe('secret');
  mkdirSync(join(root, 'docs'));
  symlinkSync(join(root, 'docs'), join(root, '_memory'));
  await projectFiles.write(root, '_memory/a.md', 'inside');
  expect(readFileSync(join(root, 'docs', 'a.md'), 'utf8')).toBe('inside');
});

test('a tree leaves out what is installed, built or hidden, follows no link, and says when it is cut', async () => {
  for (const name of [
    'src/a.ts',
    'node_modules/x/index.js',
    '.git/HEAD',
    'dist/a.js',
    '_memory/master.md',
    'b.md',
  ]) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), '');
  }
  symlinkSync(root, join(root, 'src', 'round'));
  expect(await projectFiles.tree(root, 100)).toEqual({ files: ['b.md', 'src/a.ts'], cut: false });
  expect((await projectFiles.tree(root, 1)).cut).toBe(true);
  expect(await projectFiles.tree(join(root, 'none'), 10)).toEqual({ files: [], cut: false });
});

test('reads no more than is asked', async () => {
  writeFileSync(join(root, 'big'), 'x'.repeat(1000));
  expect((await projectFiles.read(root, 'big', 10))?.toString()).toBe('xxxxxxxxxx');
});
