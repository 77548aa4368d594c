// A test runner for Stryker that loads the tests once and switches mutants on and off: a mutant takes milliseconds, while
// vitest starts a process for each.
import { globSync, readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { type CollectedTest, collecting, newSuite } from './collected-tests.ts';

type Mutant = { id: string };
type MutantRun = {
  activeMutant: Mutant;
  testFilter?: string[];
  hitLimit?: number;
  reloadEnvironment: boolean;
};
/** The name that Stryker's instrumented code expects. */
type Switches = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: unknown;
};
type Ended = { id: string; ms: number; error?: string };

const COLLECTED = pathToFileURL(join(import.meta.dirname, 'collected-tests.ts')).href;
/** Of the usual 100 cases per property: most mutants fail in the first. */
const RUNS_OF_A_LAW = 25;
/** Tests that measure how the code's time grows; they also take longest. */
const ONLY_LONG = /gets through a megabyte/;
const SUCCESS = 0;
const FAILED = 1;

const holder = globalThis as unknown as { __stryker__?: Switches };
holder.__stryker__ ??= {};
const switches = holder.__stryker__;

/** Duration of each test in its last run. */
const times = new Map<string, number>();

const idOf = (test: CollectedTest) => `${test.file}#${test.name}`;

/** Every load has its own copies of the modules in the sandbox, told apart by the query in their URL. */
class Loads {
  readonly #root = pathToFileURL(`${process.cwd()}/`).href;
  readonly #sources = new Map<string, string>();
  #last = 0;

  constructor() {
    registerHooks({
      resolve: (specifier, context, next) => {
        const load = /\?load=\d+$/.exec(context.parentURL ?? '')?.[0];
        if (load === undefined) return next(specifier, context);
        if (specifier === 'vitest') return { url: COLLECTED, shortCircuit: true };
        const found = next(specifier, context);
        return found.url.startsWith(this.#root) ? { ...found, url: `${found.url}${load}` } : found;
      },
      load: (url, context, next) => {
        const [plain = ''] = url.split('?load=');
        if (plain === url || !plain.endsWith('.ts')) return next(url, context);
        return { format: 'module', source: this.#source(fileURLToPath(plain)), shortCircuit: true };
      },
    });
  }

  #source(path: string): string {
    const source = this.#sources.get(path) ?? stripTypeScriptTypes(readFileSync(path, 'utf8'));
    this.#sources.set(path, source);
    return source;
  }

  async tests(files: readonly string[]): Promise<CollectedTest[]> {
    this.#last++;
    collecting.tests = [];
    await import(`${pathToFileURL(resolve('test/seed.ts')).href}?load=${this.#last}`);
    fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: RUNS_OF_A_LAW });
    for (const file of files) {
      collecting.file = resolve(file);
      collecting.suites = [newSuite('')];
      await import(`${pathToFileURL(collecting.file).href}?load=${this.#last}`);
    }
    return collecting.tests.filter((test) => !ONLY_LONG.test(test.name));
  }
}

async function runTest(test: CollectedTest): Promise<Ended> {
  const id = idOf(test);
  const start = performance.now();
  const ended = (error?: unknown): Ended => ({
    id,
    ms: performance.now() - start,
    ...(error === undefined ? {} : { error: error instanceof Error ? error.message : String(error) }),
  });
  collecting.file = test.file;
  let failure: unknown;
  const step = async (work: (...args: unknown[]) => unknown) => {
    try {
      await work({});
    } catch (error) {
      failure ??= error ?? new Error('nothing was thrown');
    }
  };
  for (const suite of test.suites) for (const work of [...suite.beforeAll, ...suite.before]) await step(work);
  if (failure === undefined) await step(test.work);
  for (const suite of test.suites.toReversed())
    for (const work of [...suite.after, ...suite.afterAll]) await step(work);
  times.set(id, performance.now() - start);
  return ended(failure);
}

export class TestsInProcess {
  readonly #loads = new Loads();
  readonly #files = globSync((process.env.KEEPSAKE_MUTANTS_TESTS ?? '').split(' ')).toSorted();
  #warm: CollectedTest[] | undefined;

  capabilities(): { reloadEnvironment: boolean } {
    return { reloadEnvironment: true };
  }

  async dryRun(): Promise<unknown> {
    const tests = await this.#loads.tests(this.#files);
    const results = [];
    for (const test of tests) {
      switches.currentTestId = idOf(test);
      const { id, ms, error } = await runTest(test);
      switches.currentTestId = undefined;
      const result = { id, name: test.name, fileName: test.file, timeSpentMs: ms };
      results.push(
        error === undefined
          ? { ...result, status: SUCCESS }
          : { ...result, status: FAILED, failureMessage: error },
      );
    }
    this.#warm = tests;
    return { status: 'complete', tests: results, mutantCoverage: switches.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, reloadEnvironment }: MutantRun): Promise<unknown> {
    const wanted = testFilter === undefined ? undefined : new Set(testFilter);
    // The shortest first: one failing test is enough.
    const chosen = (tests: CollectedTest[]) =>
      tests
        .filter((test) => wanted === undefined || wanted.has(idOf(test)))
        .toSorted((a, b) => (times.get(idOf(a)) ?? 0) - (times.get(idOf(b)) ?? 0));
    switches.hitLimit = hitLimit;
    if (!reloadEnvironment) {
      const result = await this.#until(chosen(await this.#warmed()), activeMutant.id);
      // A value that was computed once and cached has not met the mutant, so it is computed again.
      if (result.status !== 'survived' || switches.hitCount !== 0) return this.#checked(result);
    }
    return this.#fresh(activeMutant.id, chosen);
  }

  /** With the mutant active before the first module is loaded. */
  async #fresh(mutant: string, chosen: (tests: CollectedTest[]) => CollectedTest[]): Promise<unknown> {
    switches.activeMutant = mutant;
    switches.hitCount = 0;
    try {
      return await this.#until(chosen(await this.#loads.tests(this.#files)), mutant);
    } catch (error) {
      const failureMessage = error instanceof Error ? error.message : String(error);
      return { status: 'killed', killedBy: ['loading'], failureMessage, nrOfTests: 0 };
    } finally {
      switches.activeMutant = undefined;
    }
  }

  async #warmed(): Promise<CollectedTest[]> {
    if (this.#warm !== undefined) return this.#warm;
    this.#warm = await this.#loads.tests(this.#files);
    for (const test of this.#warm) await runTest(test);
    return this.#warm;
  }

  /** A mutant can corrupt a cache; the next mutants then get fresh modules. */
  async #checked(result: { status: string; test?: CollectedTest }): Promise<unknown> {
    const { test, ...said } = result;
    switches.hitCount = undefined;
    if (test !== undefined && (await runTest(test)).error !== undefined) this.#warm = undefined;
    return said;
  }

  async #until(tests: CollectedTest[], mutant: string) {
    switches.activeMutant = mutant;
    switches.hitCount = 0;
    let ran = 0;
    for (const test of tests) {
      const { id, error } = await runTest(test);
      ran++;
      if (switches.hitLimit !== undefined && switches.hitCount > switches.hitLimit) {
        switches.activeMutant = undefined;
        return { status: 'timeout', reason: 'it was reached too often', test };
      }
      if (error === undefined) continue;
      switches.activeMutant = undefined;
      return { status: 'killed', killedBy: [id], failureMessage: error, nrOfTests: ran, test };
    }
    switches.activeMutant = undefined;
    return { status: 'survived', nrOfTests: ran };
  }
}

// A test that a mutant ends early may leave work that fails later.
process.on('unhandledRejection', () => {});

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', injectableClass: TestsInProcess }];
