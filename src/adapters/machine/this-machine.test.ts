import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { thisMachine } from './this-machine.ts';

let folder: string;
const machine = thisMachine('1.2.3');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-machine-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('versions name Keepsake, Node and SQLite', async () => {
  const versions = await machine.versions();
  expect(versions.keepsake).toBe('1.2.3');
  expect(versions.node).toBe(process.versions.node);
  expect(versions.sqlite).toMatch(/^\d+\.\d+/);
});

test('missing, dangling and writable paths are distinguished', async () => {
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
  writeFileSync(join(folder, 'file'), 'x');
  expect(await machine.accessTo(join(folder, 'none'))).toBe('missing');
  expect(await machine.accessTo(join(folder, 'link'))).toBe('dangling');
  expect(await machine.accessTo(join(folder, 'file'))).toBe('write');
});

test('a tree weighs what its files weigh', async () => {
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  writeFileSync(join(folder, 'a/one'), '12345');
  writeFileSync(join(folder, 'a/b/two'), '123');
  expect(await machine.treeBytes(folder)).toBe(8);
  expect(await machine.treeBytes(join(folder, 'none'))).toBe(0);
  expect(await machine.freeBytes(folder)).toBeGreaterThan(0);
});
