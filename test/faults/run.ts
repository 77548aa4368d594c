// npm run faults -- PART [ARGUMENTS]: each part prints what was tried and what was lost, corrupt or back after a purge.
type Part = { about: string; load: () => Promise<(args: string[]) => Promise<boolean>> };

const PARTS: Record<string, Part> = {
  kills: {
    about: '[KILLS] [SEED] [STATE-FILE]  every writing command and hook ended with SIGKILL, 10,000 times',
    load: async () => (await import('./kills.ts')).runKills,
  },
  calls: {
    about: '[EVERY] [SEED]  every call to the file system failed once, under every writing command and hook',
    load: async () => (await import('./calls.ts')).runCalls,
  },
  power: {
    about: '[EVERY] [SEED]  the power fails after every write: what was not synced is gone, or some of it',
    load: async () => (await import('./power.ts')).runPower,
  },
  clock: {
    about: '[JUMPS] [SEED]  every writing command and hook in another year, forty years both ways',
    load: async () => (await import('./clock.ts')).runClock,
  },
  manifests: {
    about: '[SEED]  both manifests of every project lost, with versions, compositions and edits in it',
    load: async () => (await import('./manifests.ts')).runManifests,
  },
  fuzz: {
    about: '[LINES] [SEED]  a million lines of all agents with something wrong in them, good ones in between',
    load: async () => (await import('./fuzz.ts')).runFuzz,
  },
  readers: {
    about:
      '[FILES] [SEED] [DIR]  2,000 damaged files of every reader into an archive; of those in a folder where one is given',
    load: async () => (await import('./readers.ts')).runReaders,
  },
  remotes: {
    about:
      '[HISTORIES] [SEED] [STATE-FILE]  5,000 random lives of machines around a store that fails, killed at random steps',
    load: async () => {
      await import('./at-once.ts');
      return (await import('./remotes.ts')).runRemotes;
    },
  },
  sweep: {
    about:
      '[EVERY] [ACT:STEP]  a short life of three machines around a store, killed at every change of a file in turn',
    load: async () => (await import('./remote-sweep.ts')).runRemoteSweep,
  },
  hub: {
    about:
      '[KILLS] [sqlite]  PostgreSQL and one of two hubs ended with SIGKILL in turn, under 8 writers and a follower',
    load: async () => (await import('./hub.ts')).runHub,
  },
  crowd: {
    about: '[HOOKS] [SEED]  200 hooks at once with sync, purge and compose',
    load: async () => (await import('./crowd.ts')).runCrowd,
  },
};

const [name = '', ...args] = process.argv.slice(2);
const isOldForm = name === '' || /^\d+$/.test(name);
if (isOldForm) {
  const { writersAndLaws } = await import('./writers-and-laws.ts');
  process.exitCode = (await writersAndLaws(name === '' ? [] : [name, ...args])) ? 0 : 1;
} else if (Object.hasOwn(PARTS, name)) {
  const run = await PARTS[name]!.load();
  process.exitCode = (await run(args)) ? 0 : 1;
} else {
  console.log(
    'npm run faults -- [KILLS] [SEEDS]  writers of the archive killed, then the laws with new cases\n',
  );
  for (const [known, { about }] of Object.entries(PARTS)) console.log(`  ${known.padEnd(10)} ${about}`);
  process.exitCode = 2;
}
