import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openArchive } from '../../src/adapters/archive-fs/open-archive.ts';
import { cachedArchive } from '../../src/app/cached-archive.ts';
import { archiveContract, PROJECT } from './archive.ts';

for (const [maxLogLines, cached] of [
  [256, false],
  [1, false],
  [256, true],
] as const) {
  archiveContract(`archive-fs, folding after ${maxLogLines}${cached ? ', cached' : ''}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keepsake-archive-'));
    const opened = openArchive(join(folder, 'archive'), {
      now: () => '2026-01-01T00:00:00.000Z',
      maxLogLines,
    });
    const archive = cached ? cachedArchive(opened) : opened;
    return {
      archive,
      async source(name, text) {
        await writeFile(join(folder, name), text);
        return join(folder, name);
      },
      removeSource: (name) => rm(join(folder, name)),
      async projectRoot() {
        await mkdir(join(folder, 'app'));
        return join(folder, 'app');
      },
      async plant(root, name, text) {
        await mkdir(dirname(join(root, name)), { recursive: true });
        await writeFile(join(root, name), text);
      },
      copy: (name) => readFile(archive.originals.path(PROJECT, name), 'utf8'),
      async dispose() {
        await archive.close();
        await rm(folder, { recursive: true });
      },
    };
  });
}
