import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openArchive } from '../../src/adapters/archive-fs/open-archive.ts';
import { sessionFiles } from '../../src/adapters/transcripts/session-files.ts';
import { newProjectChange } from '../../src/core/model/change.ts';
import { toProjectId } from '../../src/core/model/ids.ts';
import type { Archive } from '../../src/ports/archive.ts';
import type { Filled } from './filler.ts';
import { mounted } from './mounted.ts';

const PROJECT = toProjectId('-full');
const CREATE = newProjectChange({
  projectId: PROJECT,
  originalPath: '/full',
  displayName: 'full',
  createdAt: 't',
});
const SOURCE = Array.from({ length: 4000 }, (_, n) => `{"uuid":"${n}","text":"${'x'.repeat(50)}"}\n`).join(
  '',
);
const FILLER = join(import.meta.dirname, 'filler.ts');

let folder: string;
let source: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepsake-full-'));
  source = join(folder, 'source.jsonl');
  await writeFile(source, SOURCE);
});
afterEach(() => rm(folder, { recursive: true }));

const reopen = (root: string) => openArchive(root, { now: () => '2026-01-01T00:00:00.000Z' });

async function begin(root: string): Promise<Archive> {
  const archive = reopen(root);
  await archive.change(PROJECT, [CREATE]);
  return archive;
}

/** All acknowledged writes are there in sound files; then everything works again. */
async function expectSound(root: string, acknowledged: number): Promise<void> {
  const archive = reopen(root);
  const opened = await archive.open(PROJECT);
  expect(opened?.notes).toEqual([]);
  expect(Object.keys(opened?.manifest.sessions ?? {})).toEqual(
    Array.from({ length: acknowledged }, (_, n) => `s${n}`),
  );
  expect(await archive.history(PROJECT)).toHaveLength(acknowledged);
  expect((await readdir(root, { recursive: true })).filter((name) => name.includes('.tmp-'))).toEqual([]);
  await archive.close();
}

async function expectWorking(root: string): Promise<void> {
  const archive = reopen(root);
  const before = Object.keys((await archive.open(PROJECT))?.manifest.sessions ?? {}).length;
  await archive.change(PROJECT, [{ at: ['sessions', 'last'], put: { sessionId: 'last' } }]);
  await archive.fold(PROJECT);
  expect(Object.keys((await archive.open(PROJECT))?.manifest.sessions ?? {})).toHaveLength(before + 1);
  await archive.originals.absorb(PROJECT, 's0.jsonl', { path: source }, 'copy');
  expect(await readFile(archive.originals.path(PROJECT, 's0.jsonl'), 'utf8')).toBe(SOURCE);
  expect(await archive.inspect()).not.toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('.log') }),
  );
  await archive.close();
}

/** Runs the filler with a file size limit of this many KiB. */
function fill(root: string, kind: string, limitKiB: number): Filled {
  const command = `ulimit -f ${limitKiB}; exec "$0" "$@"`;
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', command, process.execPath, FILLER, root, kind, source],
    {
      encoding: 'utf8',
    },
  );
  if (stdout === '') throw new Error(`the filler printed nothing: ${stderr}`);
  return JSON.parse(stdout) as Filled;
}

describe('under a file size limit', () => {
  let root: string;
  beforeEach(async () => {
    root = join(folder, 'archive');
    await (await begin(root)).close();
  });

  test('changes end with disk-full; all earlier ones are there and none is half written', async () => {
    const filled = fill(root, 'change', 64);
    expect(filled.fault).toBe('disk-full');
    expect(filled.message).toContain('manifest.log');
    expect(filled.acknowledged).toBeGreaterThan(20);
    await expectSound(root, filled.acknowledged);
    await expectWorking(root);
  });

  test('an interrupted copy is the beginning of its source, and is finished later', async () => {
    expect(fill(root, 'absorb', 64)).toMatchObject({ acknowledged: 0, fault: 'disk-full' });
    const partial = await readFile(reopen(root).originals.path(PROJECT, 's0.jsonl'), 'utf8');
    expect(SOURCE.startsWith(partial)).toBe(true);
    await expectWorking(root);
  });

  test('a derived file stays unchanged', async () => {
    const { acknowledged, fault } = fill(root, 'write', 64);
    expect(fault).toBe('disk-full');
    expect(acknowledged).toBe(6);
    expect(await reopen(root).files.read(PROJECT, 'memory/x.md')).toHaveLength(60_000);
    await expectSound(root, 0);
  });
});

describe.skipIf(!mounted.possible)('on a small disk (needs root, to mount one)', () => {
  test('changes end with disk-full and work again when there is room', async () => {
    await mounted('size=400k', async (disk) => {
      const root = join(disk, 'archive');
      const archive = await begin(root);
      await archive.files.write(undefined, 'ballast', 'b'.repeat(100_000));
      let acknowledged = 0;
      const change = () =>
        archive.change(
          PROJECT,
          [{ at: ['sessions', `s${acknowledged}`], put: { text: 'x'.repeat(3000) } }],
          [{ at: 't', action: 'register' }],
        );
      const untilFull = async () => {
        for (; acknowledged < 1000; acknowledged++) await change();
      };
      await expect(untilFull()).rejects.toMatchObject({ code: 'disk-full' });
      await expectSound(root, acknowledged);
      await archive.files.remove(undefined, 'ballast');
      const before = acknowledged;
      await expect(untilFull()).rejects.toMatchObject({ code: 'disk-full' });
      expect(acknowledged).toBeGreaterThan(before);
      await expectSound(root, acknowledged);
      await archive.close();
    });
  });

  test('a session to resume that does not fit on the disk is not created, and nothing is stored for it', async () => {
    await mounted('size=64k', async (disk) => {
      const path = join(disk, 'projects', '-shop', 'fresh.jsonl');
      let stored = 0;
      const create = (text: string) => sessionFiles.create(path, text, async () => ++stored);
      await expect(create('x'.repeat(200_000))).rejects.toMatchObject({ code: 'disk-full' });
      expect([stored, await readdir(join(disk, 'projects', '-shop'))]).toEqual([0, []]);
      expect(await create('x'.repeat(10_000))).toBe(1);
    });
  });
});
