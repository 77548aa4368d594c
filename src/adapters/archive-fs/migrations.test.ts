import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toProjectId } from '../../core/model/ids.ts';
import { manifestSchema } from '../../core/model/manifest.ts';
import type { Archive } from '../../ports/archive.ts';
import { openArchive } from './open-archive.ts';

const PROJECT = toProjectId('-home-ada-app');
const OLD = JSON.stringify(
  {
    version: '1.0.0',
    projectId: PROJECT,
    originalPath: '/home/ada/app',
    displayName: 'app',
    createdAt: '2026-01-20T10:00:00Z',
    lastModified: '2026-01-21T10:00:00Z',
    sessions: {
      abc123: {
        sessionId: 'abc123',
        originalFile: '/home/ada/.claude/projects/-home-ada-app/abc123.jsonl',
        originalTokens: 100_000,
        originalMessages: 450,
        firstTimestamp: '2026-01-15T10:00:00Z',
        lastTimestamp: '2026-01-15T12:00:00Z',
        registeredAt: '2026-01-20T10:00:00Z',
        lastAccessed: '2026-01-20T10:00:00Z',
        metadata: { gitBranch: 'main' },
        keepitMarkers: [
          {
            markerId: 'm1',
            messageUuid: 'u1',
            weight: 0.8,
            content: 'use PostgreSQL',
            position: { start: 0, end: 14 },
            context: '',
          },
        ],
        compressions: [{ versionId: 'v001', file: 'v001_tiered-standard_10k' }],
      },
      spoilt: { sessionId: 'spoilt', originalTokens: 'many' },
    },
    compositions: {},
    settings: {
      defaultCompressionPreset: 'standard',
      autoRegisterNewSessions: true,
      keepitDecayEnabled: true,
    },
  },
  null,
  2,
);

let root: string;
let archive: Archive;
const file = (name: string) => join(root, 'projects', PROJECT, name);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'keepsake-migrate-'));
  await mkdir(file(''), { recursive: true });
  await writeFile(file('manifest.json'), OLD);
  archive = openArchive(root, { now: () => '2026-03-01T00:00:00.000Z' });
});
afterEach(async () => {
  await archive.close();
  await rm(root, { recursive: true });
});

test('a manifest of the time before generations is read with its missing fields at their defaults', async () => {
  const opened = await archive.open(PROJECT);
  expect(manifestSchema.safeParse(opened?.manifest).success).toBe(true);
  expect(opened?.manifest).toMatchObject({
    gen: 0,
    displayName: 'app',
    settings: { keepitDecayEnabled: true },
  });
  expect(opened?.manifest.sessions).toMatchObject({
    abc123: {
      originalTokens: 100_000,
      registered: true,
      metadata: { gitBranch: 'main', gitBranches: ['main'] },
      keepitMarkers: [{ content: 'use PostgreSQL', origin: 'user' }],
      compressions: [
        { versionId: 'part1_v001', file: 'v001_tiered-standard_10k', engine: 'before-keepsake' },
      ],
    },
  });
  expect(opened?.notes.join(' ')).toMatch(/spoilt.*001-before-keepsake/);
  expect(await archive.head(PROJECT)).toMatchObject({ displayName: 'app', gen: 0 });
});

test('reading leaves the old file as it is; the first change keeps it beside and says so in the history', async () => {
  await archive.open(PROJECT);
  expect(await readFile(file('manifest.json'), 'utf8')).toBe(OLD);
  expect(await archive.change(PROJECT, [{ at: ['displayName'], put: 'my app' }])).toEqual({ gen: 1 });
  expect(await readFile(file('manifest.pre-keepsake.json'), 'utf8')).toBe(OLD);
  const opened = await openArchive(root, { now: () => '' }).open(PROJECT);
  expect(opened?.notes).toEqual([]);
  expect(opened?.manifest.displayName).toBe('my app');
  expect(Object.keys(opened?.manifest.sessions ?? {})).toEqual(['abc123']);
  expect((await archive.history(PROJECT)).map(({ action }) => action)).toEqual(['migrate']);
});
