import { join } from 'node:path';
import type { HubTokens } from './adapters/remote-hub/hub-store.ts';
import type { Environment } from './config/environment.ts';
import type { Bundles } from './ports/bundles.ts';
import type { Remotes } from './ports/remotes.ts';

/** How long a second sync waits for the first. */
const REMOTE_WAIT_MS = 5000;

/** Loaded when a remote is used. */
export async function loadRemotes({ archive, cwd, home }: Environment, hubToken?: string): Promise<Remotes> {
  const [{ openRemotes }, { openLock }, { remoteVariables }] = await Promise.all([
    import('./adapters/remotes/open-remotes.ts'),
    import('./adapters/archive-fs/lock.ts'),
    import('./config/remote-variables.ts'),
  ]);
  const variables = remoteVariables();
  const git = async (address: string) =>
    (await import('./adapters/remote-git/git-store.ts')).gitStore(
      address,
      join(archive, 'remotes', '.git-stores'),
      variables.git,
    );
  const hub = async (address: string) =>
    (await import('./adapters/remote-hub/hub-store.ts')).hubStore(
      address,
      hubTokens(archive, hubToken ?? variables.hubToken),
    );
  const lock = openLock(join(archive, 'remotes', 'lock.sqlite'), REMOTE_WAIT_MS);
  const kinds = {
    folder: async (path: string) =>
      (await import('./adapters/remote-folder/folder-store.ts')).folderStore(path),
    schemes: {
      s3: async (address: string) =>
        (await import('./adapters/remote-s3/s3-store.ts')).s3Store(address, variables.s3),
      https: hub,
      http: hub,
      'git+ssh': git,
      'git+https': git,
      'git+file': git,
    },
  };
  return openRemotes({ archive, cwd, home }, kinds, (work) => lock.hold(work));
}

/** Tokens of hubs, a file each; one in the environment is used until a device has its own. */
function hubTokens(archive: string, otherwise: string | undefined): HubTokens {
  const load = async () =>
    (await import('./adapters/remotes/remote-files.ts')).remoteFiles(join(archive, 'remotes', '.hubs'));
  const nameOf = (address: string) => Buffer.from(address).toString('base64url').slice(0, 200);
  return {
    read: async (address) =>
      (await (await load()).read(nameOf(address)))?.toString('utf8').trim() || otherwise,
    write: async (address, token) => (await load()).write(nameOf(address), `${token}\n`),
  };
}

/** Loaded when something is exported or imported. */
export function lazyBundles(folder: string): Bundles {
  const load = async () => (await import('./adapters/bundle-file/bundle-file.ts')).bundleFiles(folder);
  return {
    write: async (...asked) => (await load()).write(...asked),
    async *pack(lines) {
      yield* (await load()).pack(lines);
    },
    async *read(...asked) {
      yield* (await load()).read(...asked);
    },
    size: async (path) => (await load()).size(path),
    isPacked: async (path) => (await load()).isPacked(path),
    keep: async (...asked) => (await load()).keep(...asked),
    scratch: async () => (await load()).scratch(),
  };
}
