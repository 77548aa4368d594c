import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeLog } from './log-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('lines are appended to a private file', async () => {
  const file = join(folder, 'logs', 'keepsake.log');
  expect(await writeLog(file, 'T1', 'one')).toBe(true);
  await writeLog(file, 'T2', 'two\n');
  expect(readFileSync(file, 'utf8')).toBe('T1 one\nT2 two\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a full log is turned over, and three files stay', async () => {
  const file = join(folder, 'k.log');
  for (let i = 0; i < 6; i++) await writeLog(file, 'T', `line ${i}`, 5);
  expect(readdirSync(folder).sort()).toEqual(['k.log', 'k.log.1', 'k.log.2']);
  expect(readFileSync(file, 'utf8')).toBe('T line 5\n');
  expect(readFileSync(`${file}.2`, 'utf8')).toBe('T line 3\n');
});

test('a log that cannot be written breaks nothing', async () => {
  writeFileSync(join(folder, 'file'), '');
  expect(await writeLog(join(folder, 'file', 'k.log'), 'T', 'x')).toBe(false);
});
