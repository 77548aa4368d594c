// Commands as a user starts them, as whole processes beside `node -e 0`, on made archives or on one of real transcripts.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transcript } from '../test/made/conversation.ts';
import { isMain, table } from './bench-table.ts';
import { BESIDE_HEAD, besideNode, buildsIn, type Way } from './beside-node.ts';
import { madeTalk, seeded } from './made-talk.ts';

const ROUNDS = 15;
const ROOT = join(import.meta.dirname, '..');
/** Sessions, and turns of each. */
const SIZES: [sessions: number, turns: number][] = [
  [100, 100],
  [300, 30],
  [1000, 100],
];
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

/** `[DIR]`: transcripts instead of made ones. */
export async function run(args: string[]): Promise<void> {
  const { builds, rest } = buildsIn(args, ROOT);
  const rows: string[][] = [];
  for (const size of rest[0] === undefined ? SIZES : [rest[0]]) rows.push(...measure(size, builds));
  console.log(`\nwhole processes, median of ${ROUNDS}\n`);
  table(['command', 'archive', ...BESIDE_HEAD], rows);
}

function measure(size: (typeof SIZES)[number] | string, builds: [name: string, root: string][]): string[][] {
  const homes: string[] = [];
  const ways: Way[] = [];
  const archive =
    typeof size === 'string'
      ? 'the folder given'
      : `${size[0]} sessions, ${(size[0] * size[1]).toLocaleString('en')} turns`;
  try {
    for (const [name, root] of builds) {
      const home = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
      homes.push(home);
      const env = { PATH: process.env.PATH, HOME: home };
      const program = join(root, 'bin', 'keepsake');
      const from = typeof size === 'string' ? ['--from', size] : [];
      if (typeof size !== 'string') makeSessions(home, size);
      const synced = spawnSync(process.execPath, [program, 'sync', ...from], { env, encoding: 'utf8' });
      if (synced.status !== 0) throw new Error(synced.stderr);
      for (const { args, goal } of COMMANDS) {
        const limit = args[0] === 'search' && typeof size !== 'string' ? searchGoal(size[0] * size[1]) : goal;
        const all = args[0] === 'sync' ? [...args, ...from] : args;
        const way = { name: `keepsake ${args[0]}${name}`, args: [program, ...all], env, cwd: home };
        ways.push(limit === undefined ? way : { ...way, goal: limit });
      }
    }
    return [...besideNode(ways, ROUNDS)].map(([name, cells]) => [name, archive, ...cells]);
  } finally {
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  }
}

function searchGoal(turns: number): number {
  return turns > 10_000 ? 3 : 2.6;
}

function makeSessions(home: string, [sessions, turns]: (typeof SIZES)[number]): void {
  const folder = join(home, '.claude', 'projects', '-app');
  mkdirSync(folder, { recursive: true });
  const random = seeded(7);
  for (let n = 0; n < sessions; n++) {
    const id = `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`;
    writeFileSync(join(folder, `${id}.jsonl`), transcript(join(home, 'app'), id, madeTalk(random, n, turns)));
  }
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
