import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACTS, type Act, type Scene } from './acts.ts';
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

const ROOT = process.env.FAULT_PROGRAM ?? join(import.meta.dirname, '..', '..');
const COMPILED = join(tmpdir(), 'keepsake-faults-compiled');
const ROUND = 60;
const LOOK_EVERY = 4;
/** Writes of an act, until one that lived to its end says how many it has. */
const GUESS = 60;

/** What is known of rounds that are over; a run that was stopped goes on after them. */
type State = {
  seed: number;
  rounds: number;
  kills: number;
  lived: number;
  byAct: Record<string, number>;
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
      console.error(`${done} of ${kills} killed, ${lived} lived to their end, ${bad} broken`);
    },
  });
  const rows: [string, number][] = Object.entries(state.byAct).map(([name, count]) => [`  ${name}`, count]);
  return printReport(
    [
      ['ended with SIGKILL', state.kills],
      ['lived to their end', state.lived],
      ['rounds, each from a fresh archive', state.rounds],
      ...rows.sort(([a], [b]) => (a < b ? -1 : 1)),
      ['seconds of this run', Math.round((performance.now() - began) / 1000)],
    ],
    state.broken,
  );
}

/** Every writing command and hook as a process of its own, two at once in one archive, ended with SIGKILL. */
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
      const ended = await killRound(root, chance(seed * 1_000_003 + round), Math.min(ROUND, kills));
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
      if (!isSound) cpSync(root, `${root}-broken-${round}`, { recursive: true });
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
  return { seed, rounds: 0, kills: 0, lived: 0, byAct: {}, broken: nothingBroken() };
}

const writesOf = new Map<string, number>();

async function killRound(root: string, draw: () => number, most: number) {
  const life = new Life(root);
  const result = { kills: 0, lived: 0, byAct: {} as Record<string, number>, broken: nothingBroken() };
  const purged: string[] = [];
  const gone: string[] = [];
  let before = await lookAt(life);
  let done: Done[] = [];
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
    const ended = await Promise.all(scenes.map(({ act, scene }) => liveAndDie(act, scene, draw)));
    for (const [k, { act, scene }] of scenes.entries()) {
      const how = ended[k];
      if (!how) continue;
      done.push({ act, scene, acknowledged: how === 'done' });
      if (how === 'killed') {
        result.kills++;
        result.byAct[act.name] = (result.byAct[act.name] ?? 0) + 1;
      } else result.lived++;
      if (act.forgets && how === 'done') purged.push(act.forgets(scene));
      const session = act.takesSession?.(scene);
      if (session) gone.push(session);
    }
    // Looking costs about as much as an act.
    if (done.length < LOOK_EVERY) continue;
    const now = await lookAt(life);
    result.broken = sumOf(result.broken, brokenSince(before, now, done, gone));
    before = now;
    done = [];
  }
  result.broken = sumOf(result.broken, brokenSince(before, await lookAt(life), done, gone));
  result.broken = sumOf(result.broken, await brokenAfterSync(life, purged, gone));
  return result;
}

type How = 'killed' | 'done' | 'refused' | undefined;

async function liveAndDie(act: Act, scene: Scene, draw: () => number): Promise<How> {
  act.prepare?.(scene);
  const what = act.does(scene);
  const [byTime, share] = [draw() < 0.25, draw()];
  if (!what) return undefined;
  const at = byTime ? 0 : 1 + Math.floor(share * (writesOf.get(act.name) ?? GUESS));
  const program = Array.isArray(what)
    ? [join(ROOT, 'dist', 'cli.cjs'), ...what]
    : [join(ROOT, 'plugin', 'dist', 'hook.cjs')];
  const child = spawn(process.execPath, ['--import', join(import.meta.dirname, 'die-at.ts'), ...program], {
    cwd: scene.life.folder(),
    // Compiled once for all of them: a life of its own would have it compiled anew.
    env: { ...scene.life.variables, KEEPSAKE_DIE_AT: String(at), NODE_COMPILE_CACHE: COMPILED },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(Array.isArray(what) ? '' : what.hook);
  const timer = byTime ? setTimeout(() => child.kill('SIGKILL'), 60 + share * 600) : undefined;
  const ended = await new Promise<{ status: number | null; signal: string | null }>((resolve) =>
    child.on('close', (status, signal) => resolve({ status, signal })),
  );
  clearTimeout(timer);
  if (ended.signal === 'SIGKILL') return 'killed';
  // It had fewer writes than that.
  if (at > 0) writesOf.set(act.name, Math.max(3, Math.floor(at * 0.9)));
  if (process.env.KEEPSAKE_DEBUG && ended.status !== 0)
    console.error(`${act.name} ended with ${ended.status}: ${errors}`);
  return ended.status === 0 ? 'done' : 'refused';
}
