import {
  chmodSync,
  lstatSync,
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
import { replaceUserFile } from './replace-user-file.ts';

let folder: string;
let app: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-replace-'));
  app = join(folder, 'app');
  mkdirSync(app);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('keeps the permissions of a file, and leaves nothing beside it', async () => {
  const file = join(app, 'CLAUDE.md');
  writeFileSync(file, 'old');
  chmodSync(file, 0o664);
  await replaceUserFile(file, Buffer.from('new'), app);
  expect([readFileSync(file, 'utf8'), readdirSync(app)]).toEqual(['new', ['CLAUDE.md']]);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o664);
});

test('writes through a link inside the project, which stays a link', async () => {
  writeFileSync(join(app, 'AGENTS.md'), 'old');
  symlinkSync('AGENTS.md', join(app, 'CLAUDE.md'));
  await replaceUserFile(join(app, 'CLAUDE.md'), Buffer.from('new'), app);
  expect(readFileSync(join(app, 'AGENTS.md'), 'utf8')).toBe('new');
  expect(lstatSync(join(app, 'CLAUDE.md')).isSymbolicLink()).toBe(true);
});

test('refuses a link that leads out, and says when it cannot write', async () => {
  writeFileSync(join(folder, 'outside.md'), 'old');
  symlinkSync('../outside.md', join(app, 'CLAUDE.md'));
  await expect(replaceUserFile(join(app, 'CLAUDE.md'), Buffer.from('new'), app)).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(readFileSync(join(folder, 'outside.md'), 'utf8')).toBe('old');
  const gone = join(folder, 'gone', 'CLAUDE.md');
  await expect(replaceUserFile(gone, Buffer.from('new'), app)).rejects.toMatchObject({ code: 'read-only' });
});
