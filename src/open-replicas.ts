import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { OpenReplica, ReplicaPlace } from './entrypoints/hub/replicas.ts';
import type { Git } from './ports/git.ts';

const MOST_SLOTS = 64;
const REPO = /^[0-9a-f]{32}$/;

/** A hub reads no checkout: paths in sessions are those of other machines. */
const NO_GIT: Git = {
  remote: async () => undefined,
  checkout: async () => undefined,
  holds: async () => false,
  rootCommit: async () => undefined,
  branch: async () => undefined,
  commits: async () => [],
  blame: async () => [],
};

/** Another one since the machine was last started. */
const BOOT_FILE = '/proc/sys/kernel/random/boot_id';

/**
 * Folders below `root`, of which each process has one for itself; the next process after it continues with it. `owner`: whose data it is.
 * Where the system says that the machine was started again, nothing waits for the disk: everything is rebuilt then.
 */
export async function openReplicas(root: string, owner: string, bootFile = BOOT_FILE): Promise<ReplicaPlace> {
  const { openLock } = await import('./adapters/archive-fs/lock.ts');
  const { withoutSync } = await import('./adapters/archive-fs/write-file.ts');
  const { mkdir, readFile, readdir, rm, writeFile } = await import('node:fs/promises');
  await mkdir(root, { recursive: true, mode: 0o700 });
  const slot = await freeSlot(root, openLock);
  const folder = join(root, slot.name);
  const boot = await readFile(bootFile, 'utf8').catch(() => '');
  const mark = createHash('sha256').update(owner).update(boot).digest('hex');
  const ownerFile = join(folder, 'owner');
  if ((await readFile(ownerFile, 'utf8').catch(() => '')) !== mark) {
    await rm(join(folder, 'repositories'), { recursive: true, force: true });
    await writeFile(ownerFile, mark, { mode: 0o600 });
  }
  const syncAgain = boot === '' ? undefined : withoutSync(folder);
  const place = (repo: string) => {
    if (!REPO.test(repo)) throw new Error('not a repository');
    return join(folder, 'repositories', repo);
  };
  return {
    waitsForDisk: boot === '',
    open: (repo) => openReplica(place(repo)),
    remove: (repo) => rm(place(repo), { recursive: true, force: true }),
    kept: async () =>
      (await readdir(join(folder, 'repositories')).catch(() => [])).filter((name) => REPO.test(name)),
    close: async () => {
      syncAgain?.();
      await slot.leave();
    },
  };
}

type OpenLock = typeof import('./adapters/archive-fs/lock.ts').openLock;

/** The kernel frees it when its process dies. */
async function freeSlot(root: string, openLock: OpenLock): Promise<{ name: string; leave(): Promise<void> }> {
  for (let at = 0; at < MOST_SLOTS; at++) {
    const name = String(at);
    const lock = openLock(join(root, name, 'lock.sqlite'), 0);
    const isOurs = await new Promise<(() => void) | undefined>((resolve, reject) => {
      lock
        .tryHold(() => new Promise<void>((leave) => resolve(leave)))
        .then((held) => held === undefined && resolve(undefined), reject);
    });
    if (isOurs)
      return {
        name,
        leave: async () => {
          isOurs();
          await lock.close();
        },
      };
    await lock.close();
  }
  throw new Error('No folder for the index of a hub is free.');
}

async function openReplica(folder: string): Promise<OpenReplica> {
  const [
    { openArchive },
    { openTranscripts },
    { sessionFiles },
    { systemClock },
    { systemRandom },
    { projectFiles },
    { settingsFile },
    { openSearchIndex, scratchSearchIndex },
    { thisMachine },
    { bundleFiles },
    { VERSION },
  ] = await Promise.all([
    import('./adapters/archive-fs/open-archive.ts'),
    import('./adapters/transcripts/transcripts.ts'),
    import('./adapters/transcripts/session-files.ts'),
    import('./adapters/clock/system-clock.ts'),
    import('./adapters/random/system-random.ts'),
    import('./adapters/project-files/project-files.ts'),
    import('./config/settings-file.ts'),
    import('./adapters/index-sqlite/open-search-index.ts'),
    import('./adapters/machine/this-machine.ts'),
    import('./adapters/bundle-file/bundle-file.ts'),
    import('./config/version.ts'),
  ]);
  const archive = openArchive(folder, { now: systemClock.now });
  const index = openSearchIndex(join(folder, 'index.sqlite'));
  return {
    world: {
      archive,
      transcripts: openTranscripts(folder),
      bundles: bundleFiles(join(folder, 'cache', 'import')),
      sessionFiles,
      clock: systemClock,
      random: systemRandom,
      git: NO_GIT,
      projectFiles,
      settings: settingsFile(folder, archive.exclusive),
      index,
      scratchIndex: scratchSearchIndex,
      machine: thisMachine(VERSION),
      places: {
        archive: folder,
        claude: join(folder, 'none'),
        claudeProjects: [],
        cwd: '',
        home: folder,
        sample: join(folder, 'none'),
        log: join(folder, 'logs', 'keepsake.log'),
      },
    },
    close: async () => {
      await index.close();
      await archive.close();
    },
  };
}
