import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionFiles } from '../../src/adapters/transcripts/session-files.ts';
import { type SessionFilesUnderTest, sessionFilesContract } from './session-files.ts';

async function make(): Promise<SessionFilesUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-files-'));
  return {
    files: sessionFiles,
    source: async (name, text) => {
      const path = join(folder, name);
      writeFileSync(path, text, { mode: 0o640 });
      return path;
    },
    text: async (path) => readFileSync(path, 'utf8'),
    seen: async (path) => {
      const { size, mtimeMs, dev, ino, mode } = statSync(path);
      return { size, mtimeMs, dev, ino, mode };
    },
    names: async () => readdirSync(folder),
    dispose: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

sessionFilesContract('the file system', make);

test('a file behind a link is edited in its place, and the link stays a link', async () => {
  const it = await make();
  const path = await it.source('a.jsonl', 'one\n');
  const link = join(path, '..', 'link.jsonl');
  symlinkSync(path, link);
  await it.files.edit(
    link,
    { start: 0, was: Buffer.from('one'), bytes: Buffer.from('two') },
    await it.seen(path),
  );
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(await it.text(path)).toBe('two\n');
  await it.dispose();
});

test('files that another program puts beside it are never deleted', async () => {
  const it = await make();
  const path = await it.source('a.jsonl', 'one\n');
  const young = await it.source('.keepsake-0123456789abcdef.tmp', 'half');
  const other = await it.source('.keepsake-mine.tmp', 'other');
  utimesSync(young, 0, 0);
  await it.files.edit(
    path,
    { start: 0, was: Buffer.from('one'), bytes: Buffer.from('two') },
    await it.seen(path),
  );
  expect((await it.names()).sort()).toEqual(
    [young, other, path].map((file) => file.slice(file.lastIndexOf('/') + 1)).sort(),
  );
  await it.dispose();
});
