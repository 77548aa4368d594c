// Exports and imports everything, next to `tar | gzip` of the same folder and to the sync that an import replaces.
import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { exportBundle } from '../src/app/bundle/export.ts';
import { importBundle } from '../src/app/bundle/import.ts';
import { sync } from '../src/app/sync/sync.ts';
import { makeWorld } from '../test/made/world.ts';
import { isMain, mebibytes, table } from './bench-table.ts';

type Row = { name: string; seconds: number; bytes?: number };

export async function run(args: string[]): Promise<void> {
  const [folder] = args;
  if (!folder) throw new Error('Missing folder of transcripts. Usage: npm run bench -- life DIR');
  const [from, to] = [makeWorld(), makeWorld()];
  const rows: Row[] = [];
  const time = async (name: string, work: () => unknown, file?: string) => {
    const start = performance.now();
    await work();
    const seconds = (performance.now() - start) / 1000;
    rows.push({ name, seconds, ...(file ? { bytes: statSync(file).size } : {}) });
  };
  const shell = (command: string) => {
    const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  const at = (name: string) => join(from.places.home, name);
  try {
    await time('sync, which an import replaces', () => sync(from, { from: [folder] }));
    const projects = join(from.archive.root, 'projects');
    const originals = await from.machine.treeBytes(projects);
    const [tarred, masked, whole] = [at('all.tar.gz'), at('masked.keepsake.gz'), at('whole.keepsake.gz')];
    await time('tar | gzip', () => shell(`tar -cf - -C '${projects}' . | gzip > '${tarred}'`), tarred);
    await time('export', () => exportBundle(from, { out: masked, all: true }), masked);
    await time('export --secrets', () => exportBundle(from, { out: whole, all: true, secrets: true }), whole);
    mkdirSync(at('untarred'));
    await time('gunzip | tar x', () => shell(`gunzip < '${tarred}' | tar -xf - -C '${at('untarred')}'`));
    await time('import --dry-run', () => importBundle(to, masked, { dryRun: true }));
    await time('import into an empty archive', () => importBundle(to, masked, { mine: true }));
    await time('the same import again', () => importBundle(to, masked, { mine: true }));
    console.log(
      `${mebibytes(originals)} MiB in ${projects}; peak ${mebibytes(process.resourceUsage().maxRSS * 1024)} MiB\n`,
    );
    const floor = rows.find(({ name }) => name === 'tar | gzip')!;
    table(
      ['what', 'seconds', 'MiB/s', 'of tar | gzip', 'MiB', 'of its size'],
      rows.map(({ name, seconds, bytes }) => [
        name,
        seconds.toFixed(2),
        (originals / 1048576 / seconds).toFixed(0),
        `${(seconds / floor.seconds).toFixed(2)}x`,
        bytes === undefined ? '' : mebibytes(bytes),
        bytes === undefined ? '' : `${(bytes / floor.bytes!).toFixed(2)}x`,
      ]),
    );
  } finally {
    for (const world of [from, to]) await world.remove();
  }
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
