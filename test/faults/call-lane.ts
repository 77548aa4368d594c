// A process that runs the real commands and hooks again and again; in each run another file system call fails.
// Started with `--import watched-files.ts`; its last line on stdout is the report.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ACTS } from './acts.ts';
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
import { makeTemplate } from './make-template.ts';
import { type Ended, runAct } from './run-act.ts';
import type { Act, Scene } from './scene.ts';
import { type Fate, type FileCall, leftOpen, watchFiles } from './watched-files.ts';

/** `every`: fails one call in this many. `lane` of `lanes`: its share of the acts. */
export type CallLane = { every: number; seed: number; lane: number; lanes: number };
export type CallReport = {
  acts: number;
  calls: number;
  failed: number;
  byError: Record<string, number>;
  refused: number;
  unexplained: string[];
  leftOpen: string[];
  broken: Broken;
};

const OPEN = ['EACCES', 'EMFILE', 'EIO'];
const ERRORS: [RegExp, string[]][] = [
  [/^sql/, ['ENOSPC', 'EIO', 'EACCES']],
  [/^openSync$/, OPEN],
  [/^(readFileSync|readdirSync)$/, ['EIO', 'EACCES', 'EMFILE']],
  [/^(writeSync|writeFileSync|appendFileSync)$/, ['half', 'ENOSPC', 'EIO']],
  [/^(copyFileSync|mkdirSync|mkdtempSync|linkSync|symlinkSync|renameSync)$/, ['ENOSPC', 'EACCES', 'EIO']],
  [/^(fsyncSync|fdatasyncSync|ftruncateSync|writevSync)$/, ['EIO', 'ENOSPC']],
  [/^(readSync|readvSync|fstatSync)$/, ['EIO']],
];
const OTHERWISE = ['EACCES', 'EIO'];

function errorsOf(call: FileCall): string[] {
  const known = ERRORS.find(([name]) => name.test(call.name))?.[1] ?? OTHERWISE;
  return call.name === 'openSync' && call.change ? [...known, 'ENOSPC'] : known;
}

/** A full disk fails every later call that needs space, not only one. */
const STAYS = new Set(['ENOSPC']);

async function lane({ every, seed, lane: own, lanes }: CallLane): Promise<CallReport> {
  process.umask(0o077);
  const work = mkdtempSync(join(tmpdir(), 'keepsake-calls-'));
  const root = join(work, 'life');
  await makeTemplate(root);
  const template = join(work, 'template');
  cpSync(root, template, { recursive: true });
  const report: CallReport = {
    acts: 0,
    calls: 0,
    failed: 0,
    byError: {},
    refused: 0,
    unexplained: [],
    leftOpen: [],
    broken: nothingBroken(),
  };
  const life = new Life(root);
  const reset = (from = template) => {
    rmSync(root, { recursive: true, force: true });
    cpSync(from, root, { recursive: true });
  };
  for (const [place, act] of ACTS.entries()) {
    if (place % lanes !== own || !isChosen(place, every, seed)) continue;
    reset();
    const first = ACTS.find(({ name }) => name === act.needs);
    const start = first ? join(work, 'start') : template;
    if (first) {
      await runAct(life, first.does({ life, n: 299, manifests: [], purged: [] })!);
      rmSync(start, { recursive: true, force: true });
      cpSync(root, start, { recursive: true });
    }
    const before = await lookAt(life);
    const scene: Scene = { life, n: 300, manifests: before.kept.manifests, purged: [] };
    act.prepare?.(scene);
    const calls = await callsOf(life, act, scene);
    if (calls.length === 0) continue;
    report.acts++;
    report.calls += calls.length;
    for (let n = seed % every; n < calls.length; n += every) {
      const errors = errorsOf(calls[n]!);
      // Each call fails once; a call that changes something fails with every possible error.
      const chosen = calls[n]!.change && every === 1 ? errors : [errors[(n + seed) % errors.length]!];
      for (const error of chosen) {
        reset(start);
        act.prepare?.(scene);
        await failOnce({ life, act, scene, before, report }, n, error);
      }
    }
    console.error(
      `${act.name}: ${calls.length} calls, ${report.failed} failed so far, ${Object.values(report.broken).flat().length} broken`,
    );
  }
  rmSync(work, { recursive: true, force: true });
  return report;
}

/** Only paths in this life; of the index queries, each one once. */
function watchedCalls(life: Life, on: (call: FileCall) => Fate): void {
  const asked = new Set<string>();
  watchFiles({
    before(call) {
      if (call.name.startsWith('sql')) {
        const key = `${call.name} ${call.path}`;
        if (call.path === '' || asked.has(key)) return undefined;
        asked.add(key);
      } else if (!call.path.startsWith(life.root)) return undefined;
      return on(call);
    },
  });
}

async function callsOf(life: Life, act: Act, scene: Scene): Promise<FileCall[]> {
  const what = act.does(scene);
  const calls: FileCall[] = [];
  if (!what) return calls;
  watchedCalls(life, (call) => {
    calls.push({ ...call, args: [] });
    return undefined;
  });
  const { status, printed } = await runAct(life, what);
  watchFiles(undefined);
  if (status !== 0) throw new Error(`${act.name} ended with ${status}: ${printed}`);
  return calls;
}

type Try = { life: Life; act: Act; scene: Scene; before: Before; report: CallReport };

async function failOnce({ life, act, scene, before, report }: Try, n: number, error: string): Promise<void> {
  const what = act.does(scene)!;
  let seen = -1;
  let failed: FileCall | undefined;
  watchedCalls(life, (call) => {
    seen++;
    if (seen === n) failed = call;
    else if (!failed || !STAYS.has(error) || !call.change || !errorsOf(call).includes(error))
      return undefined;
    return error === 'half' ? 'half' : { fails: error };
  });
  let ended: Ended;
  try {
    ended = await runAct(life, what);
  } catch (thrown) {
    ended = { status: 70, printed: String((thrown as Error).stack) };
  }
  // Calls that ran in parallel with the failed one may not have ended yet.
  for (let tries = 0; leftOpen().length > 0 && tries < 20; tries++) await pause(5);
  const open = leftOpen();
  watchFiles(undefined);
  if (!failed) return;
  const name = `${act.name}, call ${n} (${failed.name} ${failed.path.slice(life.root.length).replace(/[0-9a-f]{16}/g, '*')}), ${error}`;
  report.failed++;
  report.byError[error] = (report.byError[error] ?? 0) + 1;
  if (ended.status !== 0) report.refused++;
  if (ended.status === 70) report.unexplained.push(`${name}: ${ended.printed.slice(0, 200)}`);
  if (open.length > 0) report.leftOpen.push(`${name}: ${open.join(', ')}`);
  const done = [{ act, scene, acknowledged: ended.status === 0 }];
  let broken = brokenSince(before, await lookAt(life), done);
  const word = act.forgets?.(scene);
  if (failed.change || n % 4 === 0) {
    // Doing it again finishes what was interrupted.
    if (ended.status !== 0) await runAct(life, what);
    const session = act.takesSession?.(scene);
    broken = sumOf(broken, await brokenAfterSync(life, word ? [word] : [], session ? [session] : []));
  }
  const where = (text: string) => `${name}: ${text}`;
  report.broken = sumOf(report.broken, {
    lost: broken.lost.map(where),
    corrupt: broken.corrupt.map(where),
    back: broken.back.map(where),
  });
}

const [every = '1', seed = '1', own = '0', lanes = '1'] = process.argv.slice(2);
const report = await lane({
  every: Number(every),
  seed: Number(seed),
  lane: Number(own),
  lanes: Number(lanes),
});
console.log(JSON.stringify(report));
