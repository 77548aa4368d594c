import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killRun } from './kill-run.ts';

/** Kills writers of the archive at random points, then runs the core's property tests with new cases. */
export async function writersAndLaws([first, second]: string[]): Promise<boolean> {
  const kills = Number(first ?? process.env.FAULT_KILLS ?? 2000);
  const seeds = Number(second ?? 5);
  let sound = kills === 0 || (await writersKilled(kills));
  for (let done = 0; done < seeds; done++) sound = lawsHold(randomInt(2 ** 31)) && sound;
  return sound;
}

async function writersKilled(kills: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-faults-'));
  const began = performance.now();
  const report = await killRun({
    folder,
    kills,
    lanes: 3,
    checkEvery: 100,
    onProgress(done, acknowledged) {
      if (done % 50 === 0) console.error(`${done} of ${kills} killed, ${acknowledged} writes acknowledged`);
    },
  });
  const rows: [string, number][] = [
    ['writers killed with SIGKILL', report.kills],
    ['writes acknowledged', report.acknowledged],
    ['checks of the whole archive', report.checks],
    ['corrupt', report.corrupt.length],
    ['acknowledged writes lost', report.lost.length],
    ['dangling', report.dangling.length],
    ['seconds', Math.round((performance.now() - began) / 1000)],
  ];
  for (const [what, count] of rows) console.log(`${what.padEnd(30)}${String(count).padStart(8)}`);
  const bad = [...report.corrupt, ...report.lost, ...report.dangling];
  for (const what of bad.slice(0, 20)) console.log(`  ${what}`);
  if (bad.length > 0) console.log(`The archive is kept for inspection: ${folder}`);
  else await rm(folder, { recursive: true });
  return bad.length === 0;
}

/** Runs the tests next to the source once, with the cases of this seed. */
function lawsHold(seed: number): boolean {
  const run = spawnSync(join('node_modules', '.bin', 'vitest'), ['run', 'src', '--reporter=dot'], {
    env: { ...process.env, KEEPSAKE_TEST_SEED: String(seed) },
    encoding: 'utf8',
  });
  const held = run.status === 0;
  console.log(`laws with KEEPSAKE_TEST_SEED=${seed}: ${held ? 'hold' : 'broken'}`);
  if (!held) console.log(run.stdout, run.stderr);
  return held;
}
