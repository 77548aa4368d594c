// `npm run faults [kills]`: the kill test, longer.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killRun } from './kill-run.ts';

const kills = Number(process.argv[2] ?? process.env.FAULT_KILLS ?? 2000);
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
if (bad.length > 0) console.log(`The archive is kept for a look: ${folder}`);
else await rm(folder, { recursive: true });
process.exitCode = bad.length > 0 ? 1 : 0;
