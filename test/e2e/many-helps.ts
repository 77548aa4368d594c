import { run } from '../../src/entrypoints/cli/run.ts';

// A program: runs command lines that open no archive, one after the other in one process. After what each prints comes its
// status between two zero bytes.
const lines = JSON.parse(process.argv[2] ?? '[]') as string[][];
const environment = {
  home: '',
  cwd: '',
  editor: undefined,
  debug: false,
  color: false,
  columns: undefined,
  timeZone: () => 'UTC',
};
const notHere = () => {
  throw new Error('A help needs nothing of the world.');
};
for (const argv of lines) {
  const status = await run(argv, {
    version: '',
    environment,
    openWorld: notHere,
    log: notHere,
    openInstaller: notHere,
    openAgentInstaller: notHere,
    startAgent: notHere,
    openHub: notHere,
    openReplicas: notHere,
    withoutArchive: notHere,
    variable: notHere,
    site: '',
    stay: notHere,
    runHook: notHere,
    workOff: notHere,
    leaveRemotes: notHere,
    takeUpWork: notHere,
  });
  process.stdout.write(`\0${status}\0`);
}
