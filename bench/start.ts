// Runs commands as whole processes, as a user does, next to `node -e 0`, on generated archives or on one of real transcripts.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transcript } from '../test/made/conversation.ts';
import { isMain, table } from './bench-table.ts';
import { BESIDE_HEAD, besideNode, buildsIn, type Way } from './beside-node.ts';
import { madeTalk, seeded } from './made-talk.ts';

const ROUNDS = 15;
const ROOT = join(import.meta.dirname, '..');
/** Number of sessions, and turns per session. */
type MadeSize = [sessions: number, turns: number];
const SIZES: MadeSize[] = [
  [100, 100],
  [300, 30],
  [1000, 100],
];
/** Parses `10000x10`. */
const MADE = /^(\d+)x(\d+)$/;
/** From this many sessions on, a sync may take twice as long. */
const MANY = 1000;
const QUERY = ['cache', 'token', 'parser'];
const COMMANDS: { args: string[]; goal?: number }[] = [
  { args: ['--version'] },
  { args: ['--help'], goal: 1.3 },
  { args: ['sessions'], goal: 2.5 },
  { args: ['status'] },
  { args: ['search', ...QUERY] },
  { args: ['recall', ...QUERY], goal: 4 },
  { args: ['sync'], goal: 3 },
];

/** `[SESSIONSxTURNS or DIR ...] [--beside=CHECKOUT] [--keep=DIR]`. */
export async function run(args: string[]): Promise<void> {
  const { builds, rest } = buildsIn(args, ROOT);
  const keep = rest.find((arg) => arg.startsWith('--keep='))?.slice('--keep='.length);
  const asked = rest.filter((arg) => !arg.startsWith('--')).map(sizeOf);
  const rows = (asked.length === 0 ? SIZES : asked).flatMap((size) => measure(size, builds, keep));
  console.log(`\nwhole processes, median of ${ROUNDS}\n`);
  table(['command', 'archive', ...BESIDE_HEAD], rows);
}

function sizeOf(text: string): MadeSize | string {
  const [, sessions, turns] = MADE.exec(text) ?? [];
  return sessions === undefined ? text : [Number(sessions), Number(turns)];
}

type Build = [name: string, root: string];

function measure(size: MadeSize | string, builds: Build[], keep: string | undefined): string[][] {
  const homes: string[] = [];
  const ways: Way[] = [];
  const archive =
    typeof size === 'string'
      ? 'the given folder'
      : `${size[0].toLocaleString('en')} sessions, ${(size[0] * size[1]).toLocaleString('en')} turns`;
  try {
    for (const [at, [name, root]] of builds.entries()) {
      const home = homeFor(size, at, keep);
      homes.push(home);
      const env = { PATH: process.env.PATH, HOME: home };
      const program = join(root, 'bin', 'keepsake');
      // The second one finds nothing to do, and notes that state.
      for (let run = 0; run < 2; run++) {
        const synced = spawnSync(process.execPath, [program, 'sync'], { env, encoding: 'utf8', cwd: home });
        if (synced.status !== 0) throw new Error(synced.stderr);
      }
      for (const { args, goal } of COMMANDS) {
        const limit = goalOf(args[0]!, size) ?? goal;
        const way = { name: `keepsake ${args[0]}${name}`, args: [program, ...args], env, cwd: home };
        ways.push(limit === undefined ? way : { ...way, goal: limit });
      }
    }
    return [...besideNode(ways, ROUNDS)].map(([name, cells]) => [name, archive, ...cells]);
  } finally {
    if (!keep) for (const home of homes) rmSync(home, { recursive: true, force: true });
  }
}

/** An archive in `keep` is reused: making one takes longer than measuring. */
function homeFor(size: MadeSize | string, at: number, keep: string | undefined): string {
  const home = keep
    ? join(keep, `start-${String(size).replace(/\W+/g, '-')}-${at}`)
    : mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  mkdirSync(home, { recursive: true });
  const projects = join(home, '.claude', 'projects');
  if (existsSync(projects)) return home;
  // Where an agent has them: a sync of other folders never knows that it has seen all of them.
  if (typeof size === 'string') cpSync(size, projects, { recursive: true, preserveTimestamps: true });
  else makeSessions(home, size);
  return home;
}

/** For commands that take longer in a larger archive. */
function goalOf(command: string, size: MadeSize | string): number | undefined {
  if (typeof size === 'string') return undefined;
  if (command === 'search') return searchGoal(size[0] * size[1]);
  return command === 'sync' && size[0] > MANY ? 6 : undefined;
}

function searchGoal(turns: number): number {
  return turns > 10_000 ? 3 : 2.6;
}

function makeSessions(home: string, [sessions, turns]: MadeSize): void {
  const folder = join(home, '.claude', 'projects', '-app');
  mkdirSync(folder, { recursive: true });
  const random = seeded(7);
  for (let n = 0; n < sessions; n++) {
    const id = `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`;
    writeFileSync(join(folder, `${id}.jsonl`), transcript(join(home, 'app'), id, madeTalk(random, n, turns)));
  }
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
