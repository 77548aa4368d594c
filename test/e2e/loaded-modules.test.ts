import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadedWith } from '../../scripts/loaded-with.ts';

const SOURCES = join(import.meta.dirname, '..', '..', 'src');

/** What makes memory from sessions is large; what only reads it must not load it. */
const MAKES = [
  'app/layers/update.ts',
  'core/statements/statements-of.ts',
  'core/layers/concepts/concepts.ts',
  'core/text/redact.ts',
  'app/intake/ingest-file.ts',
];
const READS = [
  'entrypoints/cli/commands/search.ts',
  'entrypoints/cli/commands/sessions.ts',
  'entrypoints/hooks/on-prompt.ts',
  'entrypoints/hooks/on-start.ts',
  'app/inject/prompt-passages.ts',
  'hook-main.ts',
];

it.each(READS)('%s loads nothing that makes memory', (entry) => {
  const loaded = loadedWith(entry);
  expect(MAKES.filter((file) => loaded.has(join(SOURCES, file)))).toEqual([]);
});

it.each(['entrypoints/cli/commands/search.ts', 'entrypoints/cli/commands/recall.ts'])(
  '%s loads nothing that reads the files of agents',
  (entry) => {
    const readers = ['core/transcript/readers.ts', 'app/search/index-sessions.ts'];
    const loaded = loadedWith(entry);
    expect(readers.filter((file) => loaded.has(join(SOURCES, file)))).toEqual([]);
  },
);

it.each(MAKES)('%s exists', (file) => {
  expect(loadedWith(file).size).toBeGreaterThan(1);
});

it('a module that is imported only for its types, or later, is not loaded', () => {
  const loaded = loadedWith('entrypoints/cli/print/found.ts');
  expect(loaded.has(join(SOURCES, 'app/search/search.ts'))).toBe(true);
  expect(loaded.has(join(SOURCES, 'app/layers/facts-edit.ts'))).toBe(false);
});
