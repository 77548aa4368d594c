// Statistics of 10,000 sessions; the baselines are readdir + stat of the same folder, and opening its record.
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../src/adapters/archive-fs/open-archive.ts';
import { thisMachine } from '../src/adapters/machine/this-machine.ts';
import { openTranscripts } from '../src/adapters/transcripts/transcripts.ts';
import { readStats } from '../src/app/maintenance/stats.ts';
import type { World } from '../src/app/world.ts';
import { settingsFile } from '../src/config/settings-file.ts';
import { isMain, median, table } from './bench-table.ts';
import { makeSessions, timed } from './made-sessions.ts';

const TURNS = 3;

export async function run(args: string[]): Promise<void> {
  const sessions = Number(args[0] ?? 10_000);
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-bench-'));
  const now = () => new Date().toISOString();
  const archive = openArchive(folder, { now });
  const world = {
    archive,
    clock: { now, millis: () => Date.now(), local: (utc: string) => utc },
    settings: settingsFile(folder, archive.exclusive),
    machine: thisMachine('0.0.0'),
    transcripts: openTranscripts(folder),
  } as unknown as World;
  try {
    const project = await makeSessions(archive, sessions, true);
    const [walked, opened, read] = [[] as number[], [] as number[], [] as number[]];
    let files = 0;
    for (let turn = 0; turn < TURNS; turn++) {
      walked.push(
        await timed(async () => {
          files = await walk(folder);
        }),
      );
      opened.push(await timed(() => archive.open(project)));
      read.push(await timed(() => readStats(world)));
    }
    const [floor, record, whole] = [median(walked), median(opened), median(read)];
    table(
      [`${sessions} sessions, ${files} files`, 'ms', 'multiple of readdir + stat'],
      [
        ['readdir + stat (baseline)', floor.toFixed(0), '1.00x'],
        ['open the record', record.toFixed(0), `${(record / floor).toFixed(2)}x`],
        ['stats', whole.toFixed(0), `${(whole / floor).toFixed(2)}x`],
      ],
    );
    console.log(`\nmedian of ${TURNS}`);
  } finally {
    await archive.close();
    await rm(folder, { recursive: true });
  }
}

async function walk(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  for (const entry of files) await lstat(join(entry.parentPath, entry.name));
  return files.length;
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
