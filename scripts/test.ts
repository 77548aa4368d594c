// The whole test command: setup, checks, build, tests, and a closing line that counts them.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, constants, setPriority, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

type Step = { name: string; command: string; args: string[] };

const bin = (name: string) =>
  join('node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);

/** Programs that the tests call, each with its Debian package. If one with `skips` is missing, the named tests are skipped. */
const NEEDED = [
  { command: 'git', debian: 'git' },
  // The PostgreSQL server comes from npm: test/made/postgres-server.ts.
  { command: 'pg_dump', debian: 'postgresql-client' },
  { command: 'chromium', debian: 'chromium', skips: 'the tests in a browser' },
];
/** Their output is far above the closing line, among that of the tests. */
const failedChecks: string[] = [];
const INSTALL_MS = 1_000_000;

function onPath(command: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((dir) => existsSync(join(dir, command)));
}

/** Installs what is missing if possible; returns false if the tests cannot run without it. */
function setUp(): boolean {
  const isMissing = ({ command }: { command: string }) => !onPath(command);
  const install = [
    'install',
    '-y',
    '--no-install-recommends',
    ...NEEDED.filter(isMissing).map(({ debian }) => debian),
  ];
  if (NEEDED.some(isMissing) && process.getuid?.() === 0 && onPath('apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    for (const args of [['update', '-q'], install])
      spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: INSTALL_MS });
  }
  for (const { command, debian, skips } of NEEDED.filter(isMissing)) {
    const what = skips === undefined ? 'the tests need it' : `${skips} are skipped`;
    console.error(`${command} is missing: ${what}. Get it with: apt-get install ${debian}`);
  }
  return NEEDED.every((need) => need.skips !== undefined || !isMissing(need));
}

/** Uses what the tests leave of the machine, and prints its output in one piece when it ends. */
function runBeside({ name, command, args }: Step): Promise<boolean> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => printed.push(bytes));
  return new Promise((resolve) => {
    const end = (isGood: boolean) => {
      console.log(`\n== ${name}\n${Buffer.concat(printed)}`);
      if (!isGood) failedChecks.push(name);
      resolve(isGood);
    };
    child.on('error', (error) => {
      printed.push(Buffer.from(error.message));
      end(false);
    });
    child.on('close', (status) => end(status === 0));
  });
}

/** One process per core. */
async function runAll(steps: Step[]): Promise<boolean[]> {
  const waiting = [...steps];
  const ended: boolean[] = [];
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) ended.push(await runBeside(step));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return ended;
}

/** Prints what it prints at once. */
function runAloud({ name, command, args }: Step): Promise<boolean> {
  console.log(`\n== ${name}`);
  const child = spawn(command, args, { stdio: 'inherit' });
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message);
      resolve(false);
    });
    child.on('close', (status) => resolve(status === 0));
  });
}

/** Runs alone: it deletes files while no check runs. */
const build: Step = { name: 'build', command: process.execPath, args: ['scripts/build.ts'] };
/** The longest runs first. */
const checks: Step[] = [
  {
    name: 'import rules',
    command: bin('depcruise'),
    args: ['src', 'bench', 'test', 'ui/src', '--config', '.dependency-cruiser.cjs'],
  },
  { name: 'types', command: bin('tsc'), args: [] },
  { name: 'types of the page', command: bin('vue-tsc'), args: ['-p', 'ui'] },
  { name: 'unused code', command: bin('knip'), args: [] },
  { name: 'format and lint', command: bin('biome'), args: ['check', '--error-on-warnings'] },
  { name: 'package', command: bin('publint'), args: [] },
];

let passed = 0;
let failed = 0;
let skipped = 0;
if (!setUp()) failed++;
const isBuilt = await runAloud(build);

const scratch = mkdtempSync(join(tmpdir(), 'keepsake-test-'));
const report = join(scratch, 'report.json');
// Most tests wait for something: the checks have the cores meanwhile.
const checking = runAll(checks);
const ended = await runAloud({
  name: 'tests',
  command: bin('vitest'),
  args: [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
});
for (const isGood of [isBuilt, ...(await checking)]) {
  if (isGood) passed++;
  else failed++;
}
if (existsSync(report)) {
  const counts = JSON.parse(readFileSync(report, 'utf8'));
  passed += counts.numPassedTests;
  skipped += counts.numPendingTests + counts.numTodoTests;
  // A file that cannot be loaded, or an error outside any test, fails the run without a failed test.
  failed += Math.max(counts.numFailedTests, counts.numFailedTestSuites > 0 || !ended ? 1 : 0);
} else failed++;
rmSync(scratch, { recursive: true, force: true });

if (failedChecks.length > 0) console.log(`\nfailed checks: ${failedChecks.join(', ')}`);
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 ? 1 : 0;
