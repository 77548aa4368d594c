// Plants small errors into the named folders, one at a time, and counts those that the closest tests find.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fetchedPackage } from '../test/made/fetched-package.ts';
import { MUTATED_FOLDERS, type MutatedFolder } from './mutants/folders.ts';

const STRYKER = '10.1.1';
/** Percent of the mutants in each folder. */
const GOAL = 85;
const RESULTS = join('.cache', 'mutants');
/** A runner keeps every copy of the modules that it loaded, so it is restarted after this many. */
const RUNS_OF_A_RUNNER = 400;

type Mutant = {
  status: string;
  coveredBy?: string[];
  mutatorName: string;
  replacement?: string;
  location: { start: { line: number } };
};
type Report = { files: Record<string, { mutants: Mutant[] }> };

const FOUND = ['Killed', 'Timeout'];
const MISSED = ['Survived', 'NoCoverage'];

/** Stryker would keep these forever, since no test is known to reach code that runs when a module is loaded. */
function forgetUnreached(path: string): void {
  if (!existsSync(path)) return;
  const known: Report = JSON.parse(readFileSync(path, 'utf8'));
  for (const file of Object.values(known.files))
    file.mutants = file.mutants.filter(
      ({ status, coveredBy }) => !MISSED.includes(status) || (coveredBy ?? []).length > 0,
    );
  writeFileSync(path, JSON.stringify(known));
}

/** Continues where the last run of the folder stopped: only changed code is tried again. */
function tryMutants({ name, mutated, tests }: MutatedFolder): Report {
  mkdirSync(RESULTS, { recursive: true });
  const report = join(RESULTS, `${name}.report.json`);
  const known = join(RESULTS, `${name}.json`);
  forgetUnreached(known);
  const settings = join(RESULTS, `${name}.settings.json`);
  const value = {
    testRunner: 'in-process',
    plugins: [join(import.meta.dirname, 'mutants', 'test-runner.ts')],
    mutate: [...mutated, '!**/*.test.ts'],
    coverageAnalysis: 'perTest',
    ignorePatterns: ['/.git', '/bench', '/dist', '/docs', '/plugin', '/sample', '/ui'],
    tempDirName: join(RESULTS, 'sandbox'),
    // Nothing is compiled there.
    tsconfigFile: 'none',
    concurrency: availableParallelism(),
    maxTestRunnerReuse: RUNS_OF_A_RUNNER,
    timeoutMS: 60_000,
    // On a busy machine the first run takes long; the usual five minutes would end it.
    dryRunTimeoutMinutes: 120,
    incremental: true,
    incrementalFile: known,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    logLevel: 'error',
    allowConsoleColors: false,
  };
  rmSync(report, { force: true });
  writeFileSync(settings, JSON.stringify(value));
  const program = join(fetchedPackage('@stryker-mutator/core', STRYKER), 'bin', 'stryker.js');
  const env = {
    ...process.env,
    KEEPSAKE_MUTANTS_TESTS: tests.join(' '),
    NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
  };
  const { status } = spawnSync(process.execPath, [program, 'run', settings], {
    stdio: ['ignore', 2, 2],
    env,
  });
  if (status !== 0) process.exit(status ?? 1);
  return JSON.parse(readFileSync(report, 'utf8'));
}

function score(mutants: readonly Mutant[]): string {
  const count = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const [found, all] = [count(...FOUND), count(...FOUND, ...MISSED)];
  const share = all === 0 ? 100 : (100 * found) / all;
  return `${share.toFixed(1).padStart(5)}%  found ${found} of ${all} (${count('Survived')} survived, ${count('NoCoverage')} in code that no test runs)`;
}

const asked = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
const unknown = asked.filter((name) => !MUTATED_FOLDERS.some((folder) => folder.name === name));
const isListed = process.argv.includes('--list');
if (unknown.length > 0) {
  console.error(
    `${unknown.join(', ')}: no such folder. Choose from ${MUTATED_FOLDERS.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
let isBelow = false;
for (const folder of MUTATED_FOLDERS.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  const { files } = tryMutants(folder);
  const mutants = Object.values(files).flatMap((file) => file.mutants);
  console.log(`${folder.name.padEnd(10)} ${score(mutants)}`);
  for (const [path, file] of Object.entries(files)) {
    console.log(`  ${score(file.mutants)}  ${path}`);
    if (!isListed) continue;
    for (const { status, mutatorName, replacement, location } of file.mutants)
      if (MISSED.includes(status))
        console.log(
          `    ${path}:${location.start.line} ${mutatorName}: ${(replacement ?? '').replace(/\s+/g, ' ').slice(0, 100)}`,
        );
  }
  const found = mutants.filter(({ status }) => FOUND.includes(status)).length;
  const all = mutants.filter(({ status }) => [...FOUND, ...MISSED].includes(status)).length;
  if (found * 100 < GOAL * all) isBelow = true;
}
if (isBelow) {
  console.error(`A folder is below ${GOAL}%. To list the missed mutants: npm run mutants -- FOLDER --list`);
  process.exitCode = 1;
}
