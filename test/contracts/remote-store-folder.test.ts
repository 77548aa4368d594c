import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderStore } from '../../src/adapters/remote-folder/folder-store.ts';
import { remoteStoreContract } from './remote-store.ts';

remoteStoreContract('A folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-store-'));
  return {
    store: folderStore(folder),
    other: folderStore(folder),
    dispose: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

test('a folder that is not mounted is a fault, not an empty store', async () => {
  const folder = join(tmpdir(), 'keepsake-not-there', 'at-all');
  await expect(folderStore(folder).list('r/')).rejects.toMatchObject({ code: 'remote' });
});

test('other files in the folder are left alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-store-'));
  try {
    mkdirSync(join(folder, 'r', 'x'), { recursive: true });
    writeFileSync(join(folder, 'r', 'x', '.tmp-half'), 'half');
    writeFileSync(join(folder, 'r', 'x', 'a.sync-conflict-20260101.txt'), 'other');
    expect(await folderStore(folder).list('r/')).toEqual([]);
    await expect(folderStore(folder).get('../outside')).rejects.toMatchObject({ code: 'internal' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
