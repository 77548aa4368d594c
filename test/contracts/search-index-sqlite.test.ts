import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSearchIndex } from '../../src/adapters/index-sqlite/open-search-index.ts';
import { searchIndexContract } from './search-index.ts';

for (const piece of [2_000_000, 2]) {
  searchIndexContract(`index-sqlite, in pieces of ${piece}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keepsake-index-'));
    const index = openSearchIndex(join(folder, 'index.sqlite'), { piece });
    return {
      index,
      async dispose() {
        await index.close();
        await rm(folder, { recursive: true });
      },
    };
  });
}
