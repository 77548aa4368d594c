import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitStore } from '../../src/adapters/remote-git/git-store.ts';
import type { RemoteStore } from '../../src/ports/remotes.ts';
import { remoteStoreContract } from './remote-store.ts';

const device = 'b'.repeat(32);
const nameOf = (seq: number) => `r/${'a'.repeat(32)}/${device}/log/0000000${seq}-${String(seq).repeat(32)}`;

test('what is removed leaves no object on any machine that synced, and no ref once nothing is left', async () => {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-git-store-'));
  try {
    const server = join(root, 'server.git');
    spawnSync('git', ['init', '-q', '--bare', server]);
    const [one, two] = ['one', 'two'].map((it) =>
      gitStore(`git+file://${server}`, join(root, it), process.env),
    ) as [RemoteStore, RemoteStore];
    const objects = (folder: string) =>
      spawnSync(
        'git',
        [
          '-C',
          join(root, folder, readdirSync(join(root, folder))[0]!),
          'cat-file',
          '--batch-all-objects',
          '--batch',
        ],
        { encoding: 'utf8' },
      ).stdout;
    for (const seq of [1, 2]) await one.put(nameOf(seq), Buffer.from(`heron${seq}`));
    await one.flush();
    await two.list('r/');
    expect([objects('one'), objects('two')].map((it) => it.includes('heron1'))).toEqual([true, true]);
    await one.remove(nameOf(1));
    await one.flush();
    expect((await two.list('r/')).map(({ name }) => name)).toEqual([nameOf(2)]);
    expect([objects('one'), objects('two')].map((it) => it.includes('heron1'))).toEqual([false, false]);
    expect([objects('one'), objects('two')].map((it) => it.includes('heron2'))).toEqual([true, true]);
    await one.remove(nameOf(2));
    await one.flush();
    expect(spawnSync('git', ['-C', server, 'for-each-ref'], { encoding: 'utf8' }).stdout).toBe('');
    expect(await two.list('r/')).toEqual([]);
    await two.forget!();
    expect(readdirSync(join(root, 'two'))).toEqual([]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

remoteStoreContract('A bare git repository', async () => {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-git-store-'));
  spawnSync('git', ['init', '-q', '--bare', join(root, 'server.git')]);
  const address = `git+file://${join(root, 'server.git')}`;
  return {
    store: gitStore(address, join(root, 'one'), process.env),
    other: gitStore(address, join(root, 'two'), process.env),
    dispose: async () => rmSync(root, { recursive: true, force: true }),
  };
});
