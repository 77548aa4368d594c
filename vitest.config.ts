import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'ui/src/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Otherwise one core is left to watch, and on a machine with two that is half of it.
    maxWorkers: '100%',
    setupFiles: ['test/seed.ts'],
  },
});
