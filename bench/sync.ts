// A whole sync as a user runs it: into an empty archive, again with nothing new, and next to a plain recursive copy.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTranscripts } from '../src/adapters/transcripts/transcripts.ts';
import { isMain, mebibytes, table } from './bench-table.ts';

const KEEPSAKE = join(import.meta.dirname, '..', 'bin', 'keepsake');

export async function run(args: string[]): Promise<void> {
  const folder = args[0];
  if (!folder) throw new Error('Missing folder of transcripts. Usage: npm run bench -- sync DIR');
  const files = await openTranscripts().find(folder, []);
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const home = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  const env = { ...process.env, HOME: home, CLAUDE_MEMORY_DIR: join(home, 'archive') };
  const sync = () => {
    const { status, stderr } = spawnSync(process.execPath, [KEEPSAKE, 'sync', '--from', folder], {
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  };
  const time = (work: () => void): number => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  try {
    const rows: [string, number][] = [
      ['plain copy of the folder', time(() => cpSync(folder, join(home, 'copy'), { recursive: true }))],
      ['sync into an empty archive', time(sync)],
      ['sync with nothing new', time(sync)],
    ];
    console.log(`${files.length} sessions, ${mebibytes(bytes)} MiB\n`);
    table(
      ['what', 'seconds', 'MiB/s'],
      rows.map(([name, ms]) => [name, (ms / 1000).toFixed(2), (bytes / 1048576 / (ms / 1000)).toFixed(0)]),
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
