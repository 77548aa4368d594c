import { defineConfig } from 'vitest/config';

const PURE = ['src/core/**/*.test.ts', 'ui/src/**/*.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Otherwise one core is left to watch, and on a machine with two that is half of it.
    maxWorkers: '100%',
    setupFiles: ['test/seed.ts'],
    projects: [
      // Nothing that one of these does is left for the next: they need no process each.
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      {
        extends: true,
        test: { name: 'whole', include: ['src/**/*.test.ts', 'test/**/*.test.ts'], exclude: PURE },
      },
    ],
  },
});
