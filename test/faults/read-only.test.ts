import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openArchive } from '../../src/adapters/archive-fs/open-archive.ts';
import { newProjectChange } from '../../src/core/model/change.ts';
import { toProjectId } from '../../src/core/model/ids.ts';
import { mount, mounted } from './mounted.ts';

const PROJECT = toProjectId('-still');
const CREATE = newProjectChange({
  projectId: PROJECT,
  originalPath: '/still',
  displayName: 'still',
  createdAt: 't',
});
const reopen = (root: string) => openArchive(root, { now: () => '2026-01-01T00:00:00.000Z' });

async function fill(root: string, source: string): Promise<void> {
  const archive = reopen(root);
  await archive.change(PROJECT, [CREATE], [{ at: 't', action: 'create' }]);
  await archive.files.write(PROJECT, 'memory/x.md', 'x');
  await archive.originals.absorb(PROJECT, 's.jsonl', { path: source }, 'copy');
  await archive.close();
}

async function expectReadable(root: string, source: string): Promise<void> {
  const archive = reopen(root);
  const readOnly = { code: 'read-only', message: expect.stringContaining(root) };
  expect((await archive.open(PROJECT))?.notes).toEqual([]);
  expect(await archive.history(PROJECT)).toHaveLength(1);
  expect(String(await archive.files.read(PROJECT, 'memory/x.md'))).toBe('x');
  expect((await archive.originals.absorb(PROJECT, 's.jsonl', { path: source }, 'copy')).status).toBe('same');
  await expect(archive.change(PROJECT, [])).rejects.toMatchObject(readOnly);
  await expect(archive.files.write(PROJECT, 'memory/x.md', 'y')).rejects.toMatchObject(readOnly);
  await expect(archive.files.write(PROJECT, 'summaries/new/folder/x.md', 'y')).rejects.toMatchObject(
    readOnly,
  );
  await expect(archive.files.writeAt(PROJECT, 'memory/x.md', 1, 'y')).rejects.toMatchObject(readOnly);
  await writeFile(source, 'a\nb\n');
  await expect(archive.originals.absorb(PROJECT, 's.jsonl', { path: source }, 'copy')).rejects.toMatchObject(
    readOnly,
  );
  await archive.close();
}

test.skipIf(!mounted.possible)(
  'an archive on a read-only disk is readable and says why it writes nothing (needs root)',
  async () => {
    await mounted('size=1m', async (disk) => {
      const folder = await mkdtemp(join(tmpdir(), 'keepsake-still-'));
      const source = join(folder, 'source.jsonl');
      await writeFile(source, 'a\n');
      await fill(join(disk, 'archive'), source);
      expect(mount('-o', 'remount,ro', disk)).toBe(true);
      await expectReadable(join(disk, 'archive'), source);
      await rm(folder, { recursive: true });
    });
  },
);

test.skipIf(process.getuid?.() === 0)(
  'an archive without write permission is readable and says why (not as root)',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keepsake-still-'));
    const root = join(folder, 'archive');
    const source = join(folder, 'source.jsonl');
    await mkdir(root, { mode: 0o700 });
    await writeFile(source, 'a\n');
    await fill(root, source);
    const all = await readdir(root, { recursive: true, withFileTypes: true });
    for (const entry of all)
      await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o500 : 0o400);
    await chmod(root, 0o500);
    await expectReadable(root, source);
    spawnSync('chmod', ['-R', 'u+w', root]);
    await rm(folder, { recursive: true });
  },
);
