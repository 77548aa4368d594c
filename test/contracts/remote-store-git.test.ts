import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitStore } from '../../src/adapters/remote-git/git-store.ts';
import type { RemoteStore } from '../../src/ports/remotes.ts';
import { remoteStoreContract } from './remote-store.ts';

const device = 'b'.repeat(32);
const nameOf = (seq: number) => `r/${'a'.repeat(32)}/${device}/log/0000000${seq}-${String(seq).repeat(32)}`;

function objectsIn(folder: string): string {
  const repository = join(folder, readdirSync(folder)[0]!);
  const args = ['-C', repository, 'cat-file', '--batch-all-objects', '--batch'];
  return spawnSync('git', args, { encoding: 'utf8' }).stdout;
}

test('removed content leaves no object on any machine that synced, and no ref once nothing is left', async () => {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-git-store-'));
  try {
    const server = join(root, 'server.git');
    spawnSync('git', ['init', '-q', '--bare', server]);
    const [one, two] = ['one', 'two'].map((it) =>
      gitStore(`git+file://${server}`, join(root, it), process.env),
    ) as [RemoteStore, RemoteStore];
    const objects = (folder: string) => objectsIn(join(root, folder));
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

test('the error names a missing repository, in one sentence', async () => {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-git-store-'));
  try {
    const store = gitStore(`git+file://${join(root, 'none.git')}`, join(root, 'own'), process.env);
    await expect(store.list('r/')).rejects.toThrow(
      /none\.git' does not appear to be a git repository.*[^.]\.$/,
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

/** The environment with a git that ends without having done what it was asked, as long as `cut` names that. */
function cutOffGit(root: string): { env: NodeJS.ProcessEnv; cut: (command: string) => void } {
  const real = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
  const [bin, list] = [join(root, 'bin'), join(root, 'cut')];
  mkdirSync(bin);
  const script = `#!/bin/sh\nfor it in "$@"; do if [ -f '${list}' ] && [ "$it" = "$(cat '${list}')" ]; then exit 128; fi; done\nexec '${real}' "$@"\n`;
  writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
  const cut = (command: string) => (command === '' ? rmSync(list) : writeFileSync(list, command));
  return { env: { ...process.env, PATH: `${bin}:${process.env.PATH}` }, cut };
}

test.skipIf(process.platform === 'win32')(
  'what was removed is gone from the own repository after the next list, where the cleaning was cut off',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'keepsake-git-store-'));
    try {
      const server = join(root, 'server.git');
      spawnSync('git', ['init', '-q', '--bare', server]);
      const { env, cut } = cutOffGit(root);
      const [one, two] = ['one', 'two'].map((it) =>
        gitStore(`git+file://${server}`, join(root, it), env),
      ) as [RemoteStore, RemoteStore];
      for (const seq of [1, 2]) await one.put(nameOf(seq), Buffer.from(`heron${seq}`));
      await one.flush();
      await two.list('r/');
      cut('gc');
      await one.remove(nameOf(1));
      await expect(one.flush()).rejects.toMatchObject({ code: 'remote' });
      await expect(two.list('r/')).rejects.toMatchObject({ code: 'remote' });
      const left = () => ['one', 'two'].map((it) => objectsIn(join(root, it)).includes('heron1'));
      expect(left(), 'it was cut off').toEqual([true, true]);
      cut('');
      await gitStore(`git+file://${server}`, join(root, 'one'), env).list('r/');
      await two.list('r/');
      expect(left()).toEqual([false, false]);
      cut('push');
      await one.put(nameOf(3), Buffer.from('heron3'));
      await expect(one.flush()).rejects.toMatchObject({ code: 'remote' });
      expect(objectsIn(join(root, 'one'))).toContain('heron3');
      cut('');
      await gitStore(`git+file://${server}`, join(root, 'one'), env).list('r/');
      expect(objectsIn(join(root, 'one')), 'it was never sent').not.toContain('heron3');
      const repository = join(root, 'one', readdirSync(join(root, 'one'))[0]!);
      expect(existsSync(join(repository, 'keepsake-unclean'))).toBe(false);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);

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
