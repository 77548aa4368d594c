import { registerHooks } from 'node:module';

// As in the build: files are read and written without Node's threads.
const AT_ONCE = new URL('../../src/files-at-once.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:fs/promises' && context.parentURL?.includes('/src/') && context.parentURL !== AT_ONCE
      ? { url: AT_ONCE, shortCircuit: true }
      : next(specifier, context),
});
