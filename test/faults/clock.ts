import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACTS } from './acts.ts';
import { anyOf, chance } from './chance.ts';
import { printReport, seedFrom } from './fault-report.ts';
import { type Broken, brokenAfterSync, brokenSince, lookAt, nothingBroken, sumOf } from './laws.ts';
import { Life } from './life.ts';
import { makeTemplate } from './make-template.ts';
import { runAct } from './run-act.ts';
import type { Scene } from './scene.ts';

const YEAR_MS = 365.25 * 86_400_000;
const FARTHEST_YEARS = 40;

const RealDate = Date;

/** Shifts the clock of this process by this many milliseconds. */
function shiftClock(by: number): void {
  const now = () => RealDate.now() + by;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });
}

export type ClockReport = { jumps: number; done: number; refused: string[]; broken: Broken };

/** Runs commands and hooks one after the other, each in a different year; the agent's files also have times of any year. */
export async function jumpClock(jumps: number, seed: number): Promise<ClockReport> {
  process.umask(0o077);
  const draw = chance(seed);
  const work = mkdtempSync(join(tmpdir(), 'keepsake-clock-'));
  const root = join(work, 'life');
  await makeTemplate(root);
  const life = new Life(root);
  const report: ClockReport = { jumps: 0, done: 0, refused: [], broken: nothingBroken() };
  const [purged, gone]: [string[], string[]] = [[], []];
  let before = await lookAt(life);
  try {
    for (let n = 400; report.jumps < jumps; n++) {
      const act = anyOf(ACTS, draw);
      const scene: Scene = { life, n, manifests: before.kept.manifests, purged: [...purged, ...gone] };
      act.prepare?.(scene);
      const what = act.does(scene);
      if (!what) continue;
      const years = (draw() * 2 - 1) * FARTHEST_YEARS;
      shiftClock(years * YEAR_MS);
      touchSources(life, draw);
      report.jumps++;
      const { status, printed } = await runAct(life, what);
      if (status === 0) report.done++;
      else if (status >= 60)
        report.refused.push(`${act.name} in ${years.toFixed(0)} years: ${printed.slice(0, 200)}`);
      if (act.forgets && status === 0) purged.push(act.forgets(scene));
      const session = act.takesSession?.(scene);
      if (session) gone.push(session);
      const now = await lookAt(life);
      const where = (text: string) => `${act.name} at ${years.toFixed(1)} years, number ${n}: ${text}`;
      const found = brokenSince(before, now, [{ act, scene, acknowledged: status === 0 }], gone);
      const broken =
        report.jumps % 10 === 0 ? sumOf(found, await brokenAfterSync(life, purged, gone)) : found;
      report.broken = sumOf(report.broken, {
        lost: broken.lost.map(where),
        corrupt: broken.corrupt.map(where),
        back: broken.back.map(where),
      });
      before = await lookAt(life);
    }
  } finally {
    globalThis.Date = RealDate;
  }
  rmSync(work, { recursive: true, force: true });
  return report;
}

function touchSources(life: Life, draw: () => number): void {
  const folder = join(life.root, 'claude', 'projects', '-shop');
  const file = join(folder, anyOf(readdirSync(folder), draw));
  const at = (RealDate.now() + (draw() * 2 - 1) * FARTHEST_YEARS * YEAR_MS) / 1000;
  utimesSync(file, Math.max(1, at), Math.max(1, at));
}

/** [JUMPS] [SEED] */
export async function runClock([jumps = '1000', asked]: string[]): Promise<boolean> {
  const report = await jumpClock(Number(jumps), seedFrom(asked));
  const sound = printReport(
    [
      ['commands and hooks, each in a different year', report.jumps],
      ['done', report.done],
      ['refused with a fault', report.refused.length],
    ],
    report.broken,
  );
  for (const text of report.refused.slice(0, 10)) console.log(`  ${text}`);
  return sound && report.refused.length === 0;
}
