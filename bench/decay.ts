// Plans retention for 10,000 sessions of one project; the baseline is opening its record, which every command does.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../src/adapters/archive-fs/open-archive.ts';
import { planRetentionRun } from '../src/app/retention/plan.ts';
import type { World } from '../src/app/world.ts';
import { settingsFile } from '../src/config/settings-file.ts';
import { isMain, median, table } from './bench-table.ts';
import { makeSessions, timed } from './made-sessions.ts';

const TURNS = 5;

export async function run(args: string[]): Promise<void> {
  const sessions = Number(args[0] ?? 10_000);
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-bench-'));
  const now = () => new Date().toISOString();
  const archive = openArchive(folder, { now });
  const clock = { now, millis: () => Date.now(), local: (utc: string) => utc };
  const world = { archive, clock, settings: settingsFile(folder, archive.exclusive) } as unknown as World;
  try {
    const project = await makeSessions(archive, sessions);
    const [opened, planned] = [[] as number[], [] as number[]];
    let plan = await planRetentionRun(world);
    for (let turn = 0; turn < TURNS; turn++) {
      opened.push(await timed(() => archive.open(project)));
      planned.push(
        await timed(async () => {
          plan = await planRetentionRun(world);
        }),
      );
    }
    const [floor, whole] = [median(opened), median(planned)];
    table(
      [`${sessions} sessions, ${plan.versions.before} versions`, 'ms', 'multiple of the baseline'],
      [
        ['open the record (baseline)', floor.toFixed(0), '1.00x'],
        ['plan', whole.toFixed(0), `${(whole / floor).toFixed(2)}x`],
      ],
    );
    console.log(
      `\n${plan.create.length} versions to create, ${plan.prune.length} to delete; median of ${TURNS}`,
    );
  } finally {
    await archive.close();
    await rm(folder, { recursive: true });
  }
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
