import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

const SRC = join(import.meta.dirname, 'src', '/');
const AT_ONCE = join(SRC, 'files-at-once.ts');
const PURE = ['src/core/**/*.test.ts', 'ui/src/**/*.test.ts'];
/** They count what the engine runs, from before the code is loaded, or what their process has open. */
const ALONE = [
  'src/app/layers/one-session-more.test.ts',
  'src/app/sync/sync-work.test.ts',
  'test/e2e/http-downloads.test.ts',
];
/** Part of a server. */
const REPLICAS = 'src/open-replicas.test.ts';
/** They start programs, servers, browsers; most of them wait for one. */
const PROGRAMS = [REPLICAS, 'test/e2e/**/*.test.ts', 'test/faults/**/*.test.ts'];
const PARTS = ['src/**/*.test.ts', 'test/contracts/**/*.test.ts'];

/** As in the build: a command reads and writes at once, without Node's threads. Servers use these: `programs` has them. */
const filesAtOnce: Plugin = {
  name: 'files-at-once',
  enforce: 'pre',
  // Node's own modules are resolved without asking a plugin.
  transform(code, file) {
    const isProgram = file.startsWith(SRC) && !file.endsWith('.test.ts') && file !== AT_ONCE;
    const at = code.replaceAll(/(?<=\b(?:from |import\())'node:fs\/promises'/g, `'${AT_ONCE}'`);
    return isProgram ? { code: at, map: null } : undefined;
  },
};

/** Ends what hangs, and nothing else: how long a test takes depends on what the machine does besides. */
const HANGS_MS = 1_200_000;

export default defineConfig({
  test: {
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    expect: { poll: { timeout: HANGS_MS / 2 } },
    pool: 'forks',
    // Nothing that a file does is left for the next: they need no process each, and find the code loaded and compiled.
    isolate: false,
    // Many tests wait for a program, a browser or the clock: meanwhile another one has the core.
    maxWorkers: 2 * availableParallelism(),
    globalSetup: ['test/run-folder.ts'],
    setupFiles: ['test/seed.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE, isolate: true } },
      { extends: true, test: { name: 'programs', include: PROGRAMS, exclude: ALONE } },
      {
        extends: true,
        plugins: [filesAtOnce],
        test: { name: 'parts', include: PARTS, exclude: [...PURE, ...ALONE, REPLICAS] },
      },
      { extends: true, test: { name: 'pure', include: PURE } },
    ],
  },
});
