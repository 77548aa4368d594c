import fc from 'fast-check';

/**
 * The test run draws the same cases every time, so that it says the same of the same commit everywhere.
 * `npm run faults` draws new ones, and prints the seed that brings a failure back.
 */
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  seed: Number(process.env.KEEPSAKE_TEST_SEED ?? 20_261_116),
});
