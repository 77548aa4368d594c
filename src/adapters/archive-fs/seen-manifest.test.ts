import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Manifest } from '../../core/model/manifest.ts';
import { formatManifest, parseManifest, readHead } from './manifest-file.ts';
import { seenManifest } from './seen-manifest.ts';

let root: string;
let folder: string;
const file = () => join(folder, 'manifest.json');
/** As if it had been written a while ago. */
const settle = () => utimesSync(file(), 1_700_000_000, 1_700_000_000);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-seen-'));
  folder = join(root, 'projects', '-app');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file(), '{}');
  settle();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a manifest whose checksum was right is recognized by size and time, and by that checksum', () => {
  expect(seenManifest(folder).isSound('aa')).toBe(false);
  seenManifest(folder).note('aa');
  expect(seenManifest(folder).isSound('aa')).toBe(true);
  expect(seenManifest(folder).isSound('bb')).toBe(false);
  expect(statSync(join(root, 'cache', 'manifests', '-app')).mode & 0o077).toBe(0);
});

test('one that was written since is not, whatever it holds', () => {
  seenManifest(folder).note('aa');
  writeFileSync(file(), '[]');
  expect(seenManifest(folder).isSound('aa')).toBe(false);
  utimesSync(file(), 1_700_000_001, 1_700_000_001);
  expect(seenManifest(folder).isSound('aa')).toBe(false);
});

test('one that was written just now is not noted: a second change may have the same time', () => {
  writeFileSync(file(), '{}');
  seenManifest(folder).note('aa');
  settle();
  expect(seenManifest(folder).isSound('aa')).toBe(false);
});

test('the head of one that was seen is not hashed again, and is as soon as it was written since', async () => {
  const manifest = { version: '1.0.0', gen: 1, projectId: '-app', originalPath: '/app', displayName: 'app' };
  const bytes = formatManifest({ ...manifest, sessions: {} } as unknown as Manifest);
  writeFileSync(file(), bytes);
  settle();
  expect(parseManifest(bytes, file(), seenManifest(folder)).state).toBe('sound');
  // With a wrong sum of its own, by which it would not be taken.
  const changed = Buffer.from(bytes.toString().replace('"displayName":"app"', '"displayName":"apq"'));
  writeFileSync(file(), changed);
  settle();
  expect(await readHead(file(), seenManifest(folder))).toMatchObject({ displayName: 'apq' });
  expect(await readHead(file())).toBe('unsound');
  utimesSync(file(), 1_700_000_002, 1_700_000_002);
  expect(await readHead(file(), seenManifest(folder))).toBe('unsound');
});
