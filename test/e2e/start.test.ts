import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const main = readFileSync(join(import.meta.dirname, '../../src/main.ts'), 'utf8');

// The bundler puts what is imported here where all of search is: one such import doubled what `--version` takes.
test('no module of the program is loaded before a command needs it', () => {
  const loaded = [...main.matchAll(/^import (?!type)[^;]*? from '([^']+)';$/gm)].map(([, from]) => from);
  expect(loaded).toEqual(['node:path', './config/version.ts']);
});
