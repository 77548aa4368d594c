// npm run faults -- PART [ARGUMENTS]: each part prints what was tried, and what was lost, damaged or back after a purge.
type Part = { about: string; load: () => Promise<(args: string[]) => Promise<boolean>> };

const PARTS: Record<string, Part> = {
  kills: {
    about: '[KILLS] [SEED] [STATE-FILE]  kills every writing command and hook with SIGKILL, 10,000 times',
    load: async () => (await import('./kills.ts')).runKills,
  },
  calls: {
    about: '[EVERY] [SEED]  fails every file system call once, in every writing command and hook',
    load: async () => (await import('./calls.ts')).runCalls,
  },
  power: {
    about:
      '[EVERY] [SEED]  simulates a power failure after every write: all or some of what was not synced is lost',
    load: async () => (await import('./power.ts')).runPower,
  },
  clock: {
    about: '[JUMPS] [SEED]  runs every writing command and hook with the clock up to forty years off',
    load: async () => (await import('./clock.ts')).runClock,
  },
  manifests: {
    about: '[SEED]  loses both manifests of projects with versions, compositions and edits',
    load: async () => (await import('./manifests.ts')).runManifests,
  },
  fuzz: {
    about: '[LINES] [SEED]  reads a million damaged lines of all agents, with good lines in between',
    load: async () => (await import('./fuzz.ts')).runFuzz,
  },
  readers: {
    about:
      '[FILES] [SEED] [DIR]  archives 2,000 damaged files of every reader; DIR: damages the files of this folder instead',
    load: async () => (await import('./readers.ts')).runReaders,
  },
  remotes: {
    about:
      '[HISTORIES] [SEED] [STATE-FILE]  simulates 5,000 random histories of machines around a failing store, killed at random steps',
    load: async () => {
      await import('./at-once.ts');
      return (await import('./remotes.ts')).runRemotes;
    },
  },
  sweep: {
    about:
      '[EVERY] [ACT | ACT-ACT | ACT:STEP] [STATE-FILE]  runs three machines around a store, killed at every change of a file in turn',
    load: async () => (await import('./remote-sweep.ts')).runRemoteSweep,
  },
  hub: {
    about:
      '[KILLS] [sqlite]  kills PostgreSQL and one of two hubs with SIGKILL in turn, under 8 writers and a follower',
    load: async () => (await import('./hub.ts')).runHub,
  },
  crowd: {
    about: '[HOOKS] [SEED]  runs 200 hooks at once with sync, purge and compose',
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
    'npm run faults -- [KILLS] [SEEDS]  kills writers of the archive, then runs the property tests with new cases\n',
  );
  for (const [known, { about }] of Object.entries(PARTS)) console.log(`  ${known.padEnd(10)} ${about}`);
  process.exitCode = 2;
}
