// A process that runs the real commands and hooks and logs their writes; then it simulates a power failure after each write.
// Started with `--import watched-files.ts`; its last line on stdout is the report.
import { cpSync, existsSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACTS } from './acts.ts';
import { chance } from './chance.ts';
import { isChosen } from './is-chosen.ts';
import {
  type Before,
  type Broken,
  brokenAfterSync,
  brokenSince,
  lookAt,
  nothingBroken,
  sumOf,
} from './laws.ts';
import { Life } from './life.ts';
import { LoggedDisk, type LossMode } from './logged-disk.ts';
import { makeTemplate } from './make-template.ts';
import { runAct } from './run-act.ts';
import type { Act, Scene } from './scene.ts';
import { watchFiles } from './watched-files.ts';

export type PowerReport = { acts: number; operations: number; failures: number; broken: Broken };
/** Fails after one write in `every`; `lane` of `lanes` has its share of the acts. */
type PowerLane = { every: number; seed: number; lane: number; lanes: number };
type Crash = { folder: string; mode: LossMode; operation: number; isOver: boolean };

async function lane({ every, seed, lane: own, lanes }: PowerLane): Promise<PowerReport> {
  process.umask(0o077);
  const work = mkdtempSync(join(tmpdir(), 'keepsake-power-'));
  const root = join(work, 'life');
  const template = join(work, 'template');
  await makeTemplate(root);
  cpSync(root, template, { recursive: true });
  const report: PowerReport = { acts: 0, operations: 0, failures: 0, broken: nothingBroken() };
  const draw = chance(seed);
  const life = new Life(root);
  for (const [place, act] of ACTS.entries()) {
    if (place % lanes !== own || !isChosen(place, every, seed)) continue;
    rmSync(root, { recursive: true, force: true });
    cpSync(template, root, { recursive: true });
    const first = ACTS.find(({ name }) => name === act.needs);
    if (first) await runAct(life, first.does({ life, n: 299, manifests: [], purged: [] })!);
    const before = await lookAt(life);
    const scene: Scene = { life, n: 300, manifests: before.kept.manifests, purged: [] };
    act.prepare?.(scene);
    const sources = join(work, 'claude');
    rmSync(sources, { recursive: true, force: true });
    cpSync(join(root, 'claude'), sources, { recursive: true });
    const crashes = await crashesOf({ life, act, scene, work }, every, draw, report);
    for (const crash of crashes) {
      await powerBack({ life, act, scene, before }, crash, report);
      rmSync(crash.folder, { recursive: true, force: true });
    }
    report.acts += crashes.length > 0 ? 1 : 0;
    console.error(
      `${act.name}: ${crashes.length} power failures, ${Object.values(report.broken).flat().length} broken`,
    );
  }
  rmSync(work, { recursive: true, force: true });
  return report;

  async function powerBack(tried: Tried, crash: Crash, into: PowerReport): Promise<void> {
    rmSync(root, { recursive: true, force: true });
    cpSync(crash.folder, root, { recursive: true });
    // The agent's own files stay as they were.
    rmSync(join(root, 'claude'), { recursive: true, force: true });
    cpSync(join(work, 'claude'), join(root, 'claude'), { recursive: true });
    damageIndex(tried.life, crash.mode, draw);
    into.failures++;
    const done = [{ act: tried.act, scene: tried.scene, acknowledged: crash.isOver }];
    const at = await lookAt(tried.life);
    const broken = brokenSince(tried.before, at, done);
    if (!crash.isOver)
      await runAct(
        tried.life,
        tried.act.does({ ...tried.scene, manifests: at.kept.manifests }) ?? ['--list'],
      );
    const word = tried.act.forgets?.(tried.scene);
    const session = tried.act.takesSession?.(tried.scene);
    const after = await brokenAfterSync(tried.life, word ? [word] : [], session ? [session] : []);
    const where = (text: string) =>
      `${tried.act.name}, after operation ${crash.operation}, ${crash.mode}: ${text}`;
    const all = sumOf(broken, after);
    into.broken = sumOf(into.broken, {
      lost: all.lost.map(where),
      corrupt: all.corrupt.map(where),
      back: all.back.map(where),
    });
  }
}

type Tried = { life: Life; act: Act; scene: Scene; before: Before };
type Recording = { life: Life; act: Act; scene: Scene; work: string };

/** Runs the act and saves the disk as a power failure would leave it, after some of its operations and at its end. */
async function crashesOf(
  { life, act, scene, work }: Recording,
  every: number,
  draw: () => number,
  report: PowerReport,
): Promise<Crash[]> {
  const what = act.does(scene);
  if (!what) return [];
  const crashes: Crash[] = [];
  const disk = new LoggedDisk(life.root);
  let operation = 0;
  const keep = (mode: LossMode, isOver: boolean) => {
    const folder = join(work, `crash-${crashes.length}`);
    disk.writeTo(folder, mode, draw);
    crashes.push({ folder, mode, operation, isOver });
  };
  const offset = Math.floor(draw() * every);
  watchFiles({
    before: () => undefined,
    after(call, result) {
      disk.log(call, result);
      if (!call.change || call.name.startsWith('sql') || call.path.includes('/cache/compiled')) return;
      if (operation++ % every === offset) keep(draw() < 0.5 ? 'all lost' : 'some lost', false);
    },
  });
  const { status } = await runAct(life, what);
  watchFiles(undefined);
  report.operations += operation;
  for (const mode of ['all lost', 'some lost'] as const) keep(mode, status === 0);
  return crashes;
}

/** SQLite writes the index without this log, so the index is deleted, truncated or left unchanged. */
function damageIndex(life: Life, mode: LossMode, draw: () => number): void {
  const index = join(life.archive, 'index.sqlite');
  if (mode === 'all lost' || !existsSync(index)) return;
  if (draw() < 0.3) rmSync(index);
  else if (draw() < 0.5) truncateSync(index, Math.floor(draw() * 20) * 4096);
}

const [every = '1', seed = '1', own = '0', lanes = '1'] = process.argv.slice(2);
const report = await lane({
  every: Number(every),
  seed: Number(seed),
  lane: Number(own),
  lanes: Number(lanes),
});
console.log(JSON.stringify(report));
