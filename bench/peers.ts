// Keepsake next to other programs that search the same session files: each as a user runs it, in whole processes.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTranscripts } from '../src/adapters/transcripts/transcripts.ts';
import { isMain, mebibytes, median, table } from './bench-table.ts';
import { dejaVu } from './peers/deja-vu.ts';
import { keepsake } from './peers/keepsake.ts';
import type { Call, Peer } from './peers/peer.ts';
import { ripgrep } from './peers/ripgrep.ts';
import { sqliteFts } from './peers/sqlite-fts.ts';

type Commit = { subject: string; sessions: { session_id: string }[] };
type Ran = { ms: number; out: string };

const ROUNDS = 15;
const CUTS = [1, 5, 10];
const QUESTIONS = [
  'retry after a timeout',
  'why does the test fail',
  'release notes',
  'lock file',
  'error message',
];

/** `DIR [COMMITS]`: session files, and a JSONL of commits with the sessions that made them. */
export async function run([folder, gold]: string[]): Promise<void> {
  if (!folder || !existsSync(folder) || (gold !== undefined && !existsSync(gold)))
    throw new Error('Missing folder of transcripts. Usage: npm run bench -- peers DIR [FILE]');
  const files = await openTranscripts().find(folder, []);
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const commits = gold === undefined ? [] : readCommits(gold);
  const home = mkdtempSync(join(tmpdir(), 'keepsake-bench-peers-'));
  try {
    const floor = median(repeated({ program: process.execPath, args: ['-e', '0'] }, home));
    const all = [keepsake, dejaVu, sqliteFts, ripgrep].map((make) => make(folder, join(home, make.name)));
    const rows = all
      .filter((peer) => peer.version !== undefined)
      .map((peer) => measured(peer, commits, { home, floor }));
    console.log(
      `${files.length} session files, ${mebibytes(bytes)} MiB, ${commits.length} commits; whole processes, median of ${ROUNDS}; (x): multiples of \`node -e 0\`, ${floor.toFixed(0)} ms\n`,
    );
    const hits = commits.length === 0 ? [] : CUTS.map((cut) => `hit@${cut}`);
    table(['', 'index', 'nothing new', 'search', 'prompt hook', 'disk', ...hits], rows);
    for (const { name, version, get } of all)
      if (version === undefined) console.log(`\nNot installed: ${name} (${get})`);
    if (commits.length === 0)
      console.log('\nThe hit columns are empty: they need a JSONL file of commits with their sessions.');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function measured(peer: Peer, commits: Commit[], { home, floor }: { home: string; floor: number }): string[] {
  const times = (call: Call | undefined) => {
    if (!call) return '';
    const ms = median(repeated(call, home));
    return `${ms.toFixed(0)} ms (${(ms / floor).toFixed(1)}x)`;
  };
  const index = peer.index && `${(ran(peer.index, home).ms / 1000).toFixed(1)} s`;
  const search = median(
    QUESTIONS.flatMap((question) => repeated(peer.search(question), home, ROUNDS / QUESTIONS.length)),
  );
  return [
    `${peer.name} ${peer.version}`,
    index ?? '',
    times(peer.again),
    `${search.toFixed(0)} ms (${(search / floor).toFixed(1)}x)`,
    times(peer.hook?.('How did we decide to handle a retry after a timeout?')),
    peer.disk === undefined ? '' : `${mebibytes(peer.disk())} MiB`,
    ...hitsOf(peer, commits, home),
  ];
}

function hitsOf(peer: Peer, commits: Commit[], home: string): string[] {
  if (commits.length === 0) return [];
  const answers = commits.map(({ subject }) => peer.sessionsIn(ran(peer.search(subject), home).out));
  return CUTS.map((cut) => {
    const good = commits.filter(({ sessions }, at) =>
      sessions.some(({ session_id: id }) => answers[at]!.slice(0, cut).includes(id)),
    );
    return ((100 * good.length) / commits.length).toFixed(1);
  });
}

/** The first run is not counted: it fills caches for the later ones. */
function repeated(call: Call, home: string, rounds = ROUNDS): number[] {
  ran(call, home);
  return Array.from({ length: rounds }, () => ran(call, home).ms);
}

function ran({ program, args, env = {}, input = '', none = 0 }: Call, home: string): Ran {
  const start = performance.now();
  const done = spawnSync(program, args, {
    env: { PATH: process.env.PATH, HOME: home, ...env },
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const ms = performance.now() - start;
  if (done.status !== 0 && done.status !== none)
    throw new Error(`${program} ${args.join(' ')} ended with ${done.status}: ${done.stderr}`);
  return { ms, out: done.stdout };
}

function readCommits(file: string): Commit[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Commit);
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
