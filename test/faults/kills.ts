import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACTS } from './acts.ts';
import { anyOf, chance } from './chance.ts';
import { printReport, seedFrom } from './fault-report.ts';
import {
  type Broken,
  brokenAfterSync,
  brokenSince,
  type Done,
  lookAt,
  nothingBroken,
  sumOf,
} from './laws.ts';
import { Life } from './life.ts';
import { makeTemplate } from './make-template.ts';
import { LANES } from './run-lanes.ts';
import type { Act, Program, Scene } from './scene.ts';

const ROOT = process.env.FAULT_PROGRAM ?? join(import.meta.dirname, '..', '..');
const COMPILED = process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'keepsake-faults-compiled');
const ROUND = 60;
const LOOK_EVERY = 4;
/** Runs to its end however many writes it makes; what it acknowledges is there then. */
const LIVES = 0.06;
/** An act that never ran to its end is killed at one of so many first writes. */
const FIRST_WRITES = 30;
/** The time in which Node itself starts. */
const STARTS_MS = 30;

/** The number of writes and the duration of a complete run of an act; kills are spread over both. */
type Measured = { writes: number; ms: number };

/** Results of finished rounds; a stopped run continues after them. */
type State = {
  seed: number;
  rounds: number;
  kills: number;
  lived: number;
  byAct: Record<string, number>;
  measured: Record<string, Measured>;
  broken: Broken;
};
export type Kills = {
  kills: number;
  seed: number;
  lanes: number;
  stateFile?: string;
  onProgress?: (state: State) => void;
};

/** [KILLS] [SEED] [STATE-FILE] */
export async function runKills([kills = '10000', asked, stateFile]: string[]): Promise<boolean> {
  const seed = seedFrom(asked);
  const began = performance.now();
  const state = await killCommands({
    kills: Number(kills),
    seed,
    lanes: LANES,
    stateFile: stateFile ?? join(tmpdir(), `keepsake-kills-${seed}.json`),
    onProgress({ kills: done, lived, broken }) {
      const bad = Object.values(broken).flat().length;
      console.error(`${done} of ${kills} killed, ${lived} ended by themselves, ${bad} broken`);
    },
  });
  const rows: [string, number][] = Object.entries(state.byAct).map(([name, count]) => [`  ${name}`, count]);
  return printReport(
    [
      ['ended with SIGKILL', state.kills],
      ['ended before the kill', state.lived],
      ['rounds, each from a fresh archive', state.rounds],
      ...rows.sort(([a], [b]) => (a < b ? -1 : 1)),
      ['seconds of this run', Math.round((performance.now() - began) / 1000)],
    ],
    state.broken,
  );
}

/** Runs every writing command and hook as a separate process, two at a time in one archive, and kills them with SIGKILL. */
export async function killCommands({ kills, seed, lanes, stateFile, onProgress }: Kills): Promise<State> {
  const state = readState(stateFile, seed);
  process.umask(0o077);
  const work = mkdtempSync(join(tmpdir(), 'keepsake-kills-'));
  let next = state.rounds;
  async function lane(name: string): Promise<void> {
    const root = join(work, name);
    await makeTemplate(root);
    const template = `${root}-template`;
    cpSync(root, template, { recursive: true });
    while (state.kills < kills) {
      const round = next++;
      rmSync(root, { recursive: true, force: true, maxRetries: 20 });
      cpSync(template, root, { recursive: true });
      const ended = await killRound(root, chance(seed * 1_000_003 + round), {
        most: Math.min(ROUND, kills),
        measured: state.measured,
      });
      state.rounds++;
      state.kills += ended.kills;
      state.lived += ended.lived;
      for (const [name, count] of Object.entries(ended.byAct))
        state.byAct[name] = (state.byAct[name] ?? 0) + count;
      const isSound = Object.values(ended.broken).every((list) => list.length === 0);
      const where = (text: string) => `seed ${seed} round ${round}: ${text}`;
      state.broken = sumOf(state.broken, {
        lost: ended.broken.lost.map(where),
        corrupt: ended.broken.corrupt.map(where),
        back: ended.broken.back.map(where),
      });
      if (!isSound) {
        cpSync(root, `${root}-broken-${round}`, { recursive: true });
        writeFileSync(`${root}-broken-${round}.txt`, ended.trail.join('\n'));
        console.error(`${root}-broken-${round}.txt has what was done`);
      }
      if (stateFile) writeFileSync(stateFile, JSON.stringify(state));
      onProgress?.(state);
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, n) => lane(`lane${n}`)));
  if (Object.values(state.broken).every((list) => list.length === 0))
    rmSync(work, { recursive: true, force: true, maxRetries: 20 });
  return state;
}

function readState(file: string | undefined, seed: number): State {
  const found = file && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as State) : undefined;
  if (found && found.seed === seed) return found;
  return { seed, rounds: 0, kills: 0, lived: 0, byAct: {}, measured: {}, broken: nothingBroken() };
}

type Round = { most: number; measured: Record<string, Measured> };

async function killRound(root: string, draw: () => number, { most, measured }: Round) {
  const life = new Life(root);
  const result = {
    kills: 0,
    lived: 0,
    byAct: {} as Record<string, number>,
    broken: nothingBroken(),
    trail: [] as string[],
  };
  const purged: string[] = [];
  const gone: string[] = [];
  let before = await lookAt(life);
  let done: Done[] = [];
  // Any later sync or purge continues them.
  const unfinished: Done[] = [];
  for (let n = 100; result.kills < most && n < 100 + most * 4; ) {
    const count = draw() < 0.4 ? 2 : 1;
    const scenes = Array.from({ length: count }, (_, k) => ({
      act: anyOf(ACTS, draw),
      scene: {
        life,
        n: n + k,
        manifests: before.kept.manifests,
        purged: [...purged, ...gone],
      } satisfies Scene,
    }));
    n += count;
    const ended = await Promise.all(
      scenes.map(({ act, scene }) => liveAndDie({ act, scene, measured }, draw, result.trail)),
    );
    for (const [k, { act, scene }] of scenes.entries()) {
      const how = ended[k];
      if (!how) continue;
      done.push({ act, scene, acknowledged: how === 'done' });
      if (how === 'killed') {
        result.kills++;
        result.byAct[act.name] = (result.byAct[act.name] ?? 0) + 1;
      } else result.lived++;
      if (act.forgets && how === 'done') purged.push(act.forgets(scene));
      if (act.forgets && how === 'killed') unfinished.push({ act, scene, acknowledged: false });
      const session = act.takesSession?.(scene);
      if (session) gone.push(session);
    }
    if (done.length < LOOK_EVERY) continue;
    const now = await lookAt(life);
    result.broken = sumOf(result.broken, brokenSince(before, now, [...done, ...unfinished], gone));
    before = now;
    done = [];
  }
  result.broken = sumOf(
    result.broken,
    brokenSince(before, await lookAt(life), [...done, ...unfinished], gone),
  );
  result.broken = sumOf(result.broken, await brokenAfterSync(life, purged, gone));
  return result;
}

type How = 'killed' | 'done' | 'refused' | undefined;
type Victim = { act: Act; scene: Scene; measured: Record<string, Measured> };

async function liveAndDie(
  { act, scene, measured }: Victim,
  draw: () => number,
  trail: string[],
): Promise<How> {
  act.prepare?.(scene);
  const what = act.does(scene);
  const [kind, share] = [draw(), draw()];
  if (!what) return undefined;
  const known = measured[act.name];
  const byTime = known && kind < 0.25 ? STARTS_MS + share * Math.max(0, known.ms - STARTS_MS) : undefined;
  const at =
    byTime !== undefined || kind > 1 - LIVES
      ? Number.MAX_SAFE_INTEGER
      : 1 + Math.floor(share * (known?.writes ?? FIRST_WRITES));
  const began = performance.now();
  const { status, signal, writes, errors } = await runUntil({ scene, what }, at, byTime);
  const how = signal === 'SIGKILL' ? 'killed' : status === 0 ? 'done' : 'refused';
  trail.push(`${scene.n} ${act.name}: ${how} at write ${at} or after ${byTime} ms, ${what}`);
  if (how === 'done') {
    const ms = performance.now() - began;
    measured[act.name] = { writes, ms: known ? (known.ms + ms) / 2 : ms };
  }
  if (process.env.KEEPSAKE_DEBUG && how === 'refused')
    console.error(`${act.name} ended with ${status}: ${errors}`);
  return how;
}

type Ended = { status: number | null; signal: string | null; writes: number; errors: string };

/** Killed with SIGKILL at a write or after a time, unless it ended before. */
async function runUntil(
  { scene, what }: { scene: Scene; what: Program },
  at: number,
  ms: number | undefined,
): Promise<Ended> {
  const program = Array.isArray(what)
    ? [join(ROOT, 'dist', 'cli.cjs'), ...what]
    : [join(ROOT, 'plugin', 'dist', 'hook.cjs'), ...(what.detached ? ['--detached'] : [])];
  const child = spawn(process.execPath, ['--import', join(import.meta.dirname, 'die-at.ts'), ...program], {
    cwd: scene.life.folder(),
    // Compiled once for all: each home would compile the code again.
    env: { ...scene.life.variables, KEEPSAKE_DIE_AT: String(at), NODE_COMPILE_CACHE: COMPILED },
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  });
  const [errors, writes] = [[] as Buffer[], [] as Buffer[]];
  child.stderr!.on('data', (data) => errors.push(data));
  child.stdio[3]!.on('data', (data) => writes.push(data));
  child.stdin!.on('error', () => undefined);
  child.stdin!.end(Array.isArray(what) ? '' : what.hook);
  const timer = ms === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), ms);
  const ended = await new Promise<{ status: number | null; signal: string | null }>((resolve) =>
    child.on('close', (status, signal) => resolve({ status, signal })),
  );
  clearTimeout(timer);
  return { ...ended, writes: Number(Buffer.concat(writes)), errors: String(Buffer.concat(errors)) };
}
