import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitStore } from '../../src/adapters/remote-git/git-store.ts';
import { remoteStoreContract } from './remote-store.ts';

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
