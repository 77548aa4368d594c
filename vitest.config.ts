import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

const PURE = ['src/core/**/*.test.ts', 'ui/src/**/*.test.ts'];
/** They count what the engine runs, from before the code is loaded, or what their process has open. */
const ALONE = [
  'src/app/layers/one-session-more.test.ts',
  'src/app/sync/sync-work.test.ts',
  'test/e2e/http-downloads.test.ts',
];
/** They start programs, servers, browsers; most of them wait for one. */
const PROGRAMS = ['test/e2e/**/*.test.ts', 'test/faults/**/*.test.ts'];
const PARTS = ['src/**/*.test.ts', 'test/contracts/**/*.test.ts'];

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
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    globalSetup: ['test/run-folder.ts'],
    setupFiles: ['test/seed.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE, isolate: true } },
      { extends: true, test: { name: 'programs', include: PROGRAMS, exclude: ALONE } },
      { extends: true, test: { name: 'parts', include: PARTS, exclude: [...PURE, ...ALONE] } },
      { extends: true, test: { name: 'pure', include: PURE } },
    ],
  },
});
