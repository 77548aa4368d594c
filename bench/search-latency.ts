// Search times by size of the archive: in this process, as a whole command, and next to plain FTS5 and ripgrep.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readL1 } from '../src/app/find/read-l1.ts';
import { indexArchive } from '../src/app/search/index-archive.ts';
import type { SearchRequest } from '../src/app/search/request.ts';
import { search, searchMany } from '../src/app/search/search.ts';
import { sync } from '../src/app/sync/sync.ts';
import type { L1Line } from '../src/core/model/l1.ts';
import { lineText } from '../src/core/search/documents/session.ts';
import { STOP_WORDS } from '../src/core/text/stop-words.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';
import { isMain, mebibytes, median, percentile, table } from './bench-table.ts';
import { importChatFolder } from './ingest-chats.ts';
import { plainFts } from './plain-search.ts';

const KEEPSAKE = join(import.meta.dirname, '..', 'bin', 'keepsake');
const QUERIES = 200;
const COMMANDS = 15;
type Session = { lines: L1Line[]; turns: number };

export async function run([folder, ...sizes]: string[]): Promise<void> {
  if (!folder || !existsSync(folder))
    throw new Error('Missing folder of transcripts. Usage: npm run bench -- search-latency DIR [TURNS ...]');
  const sessions = await takeIn(folder);
  const queries = queriesFrom(sessions);
  const rows: string[][] = [];
  for (const size of sizes.length === 0 ? [10_000, 100_000] : sizes.map(Number)) {
    rows.push(...(await measure(sessions, queries, size)));
  }
  console.log(`\n${QUERIES} queries of 2 to 6 words; commands: median of ${COMMANDS}\n`);
  table(['turns', 'way', 'p50 ms', 'p95 ms', 'against'], rows);
  if (spawnSync('rg', ['--version']).status === 0) ripgrep(folder, queries);
  else console.log('\nripgrep is not installed: left out');
}

/** Archives the real transcripts once and reports the cost of their index. */
async function takeIn(folder: string): Promise<Session[]> {
  const world = makeWorld();
  try {
    const { bytes: raw } = await sync(world, { from: [folder] });
    await world.index.destroy();
    const start = performance.now();
    const { bytes } = await indexArchive(world, world.index);
    const seconds = (performance.now() - start) / 1000;
    const state = await world.index.state();
    console.log(
      `index of the transcripts: ${mebibytes(state.bytes)} MiB, ${((100 * state.bytes) / raw).toFixed(2)}% of ${mebibytes(raw)} MiB raw; made in ${seconds.toFixed(2)} s (${mebibytes(bytes / seconds)} MiB/s of L1, ${mebibytes(raw / seconds)} MiB/s of raw)`,
    );
    const sessions: Session[] = [];
    for (const project of await world.archive.projects()) {
      const opened = await world.archive.open(project);
      for (const record of Object.values(opened?.manifest.sessions ?? {})) {
        const lines = await readL1(world, { ...record, projectId: project });
        sessions.push({ lines, turns: lines.filter(isTurn).length });
      }
    }
    return sessions;
  } finally {
    await world.remove();
  }
}

function isTurn({ role, text }: L1Line): boolean {
  return (role === 'user' || role === 'assistant') && text !== undefined;
}

/** Queries of words that occur together in what users said; the seed is fixed. */
function queriesFrom(sessions: Session[]): string[] {
  const asks = sessions.flatMap(({ lines }) =>
    lines.flatMap(({ role, text }) => (role === 'user' && text ? [text.match(/[\p{L}_]{3,}/gu) ?? []] : [])),
  );
  const wordy = asks
    .map((words) => words.filter((word) => !STOP_WORDS.has(word.toLowerCase())))
    .filter((words) => words.length >= 6);
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  return Array.from({ length: QUERIES }, () => {
    const words = wordy[random(wordy.length)]!;
    const length = 2 + random(5);
    const from = random(words.length - length + 1);
    return words.slice(from, from + length).join(' ');
  });
}

async function measure(sessions: Session[], queries: string[], size: number): Promise<string[][]> {
  const world = makeWorld();
  const texts = mkdtempSync(join(tmpdir(), 'keepsake-latency-'));
  try {
    const { turns, all } = await fill(world, texts, sessions, size);
    const opened: number[] = [];
    for (const query of queries) opened.push(await timed(async () => void (await search(world, { query }))));
    const inView = await inOneView(world, queries, 'turn');
    const exchanges = await inOneView(world, queries, 'exchange');
    const whole = await inOneView(world, queries, 'session');
    const fts = plainFts(all(), { stopWords: 'out' });
    const plain: number[] = [];
    for (const query of queries) plain.push(await timed(async () => void fts(query, 10)));
    const command = commands(world, queries);
    const floor = median(command.floor);
    const row = (way: string, list: number[], against: string) => [
      turns.toLocaleString('en'),
      way,
      percentile(list, 50).toFixed(1),
      percentile(list, 95).toFixed(1),
      against,
    ];
    const faster = (list: number[]) => `${(median(plain) / median(list)).toFixed(1)}x as fast as FTS5`;
    return [
      row('plain FTS5 bm25(), numbers only', plain, ''),
      row('search, index open', inView, faster(inView)),
      row('search, index opened each time', opened, faster(opened)),
      row('search --grain exchange, index open', exchanges, faster(exchanges)),
      row('search --grain session, index open', whole, faster(whole)),
      row('node -e 0', command.floor, ''),
      row('keepsake search', command.ours, `${(median(command.ours) / floor).toFixed(2)}x node -e 0`),
    ];
  } finally {
    rmSync(texts, { recursive: true });
    await world.remove();
  }
}

async function inOneView(
  world: TestWorld,
  queries: string[],
  grain: 'turn' | 'exchange' | 'session',
): Promise<number[]> {
  const times: number[] = [];
  let before = 0;
  const requests = ticking(queries, grain, () => (before = performance.now()));
  await searchMany(world, requests, () => {
    times.push(performance.now() - before);
  });
  return times;
}

/** Imports the same sessions again under other ids, as chats, until there are enough turns. */
async function fill(
  world: TestWorld,
  folder: string,
  sessions: Session[],
  size: number,
): Promise<{ turns: number; all: () => Iterable<string> }> {
  const taken: { session: Session; copy: number; number: number }[] = [];
  let turns = 0;
  for (let copy = 0; turns < size; copy++) {
    for (const [number, session] of sessions.entries()) {
      if (turns >= size) break;
      taken.push({ session, copy, number });
      turns += session.turns;
    }
  }
  for (const { session, copy, number } of taken) {
    const chats = join(folder, String(copy));
    if (number === 0) mkdirSync(chats);
    const file = join(chats, `s${copy}-${number}.jsonl`);
    writeFileSync(file, '');
    const lines = session.lines.map(
      ({ src, ...line }) => `${JSON.stringify({ ...line, id: `${copy}-${number}-${src}` })}\n`,
    );
    appendFileSync(file, lines.join(''));
  }
  const began = performance.now();
  await importChatFolder(world, folder, 'copies');
  const importing = (performance.now() - began) / 1000;
  await world.index.destroy();
  const start = performance.now();
  const { bytes } = await indexArchive(world, world.index);
  const seconds = (performance.now() - start) / 1000;
  const state = await world.index.state();
  console.log(
    `${turns.toLocaleString('en')} turns, ${state.lines.toLocaleString('en')} lines, ${mebibytes(bytes)} MiB of L1: index ${mebibytes(state.bytes)} MiB in ${seconds.toFixed(1)} s (${Math.round(state.lines / seconds).toLocaleString('en')} lines/s); imported in ${importing.toFixed(0)} s; peak memory so far ${mebibytes(process.resourceUsage().maxRSS * 1024)} MiB`,
  );
  function* all(): Iterable<string> {
    for (const { session } of taken) for (const line of session.lines) yield lineText(line);
  }
  return { turns, all };
}

async function* ticking(
  queries: string[],
  grain: 'turn' | 'exchange' | 'session',
  tick: () => void,
): AsyncIterable<SearchRequest> {
  for (const query of queries) {
    tick();
    yield { query, grain };
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Whole processes, interleaved. */
function commands(world: TestWorld, queries: string[]): { floor: number[]; ours: number[] } {
  const env = {
    ...process.env,
    HOME: world.places.home,
    CLAUDE_MEMORY_DIR: world.places.archive,
    CLAUDE_CONFIG_DIR: world.places.claude,
  };
  const spawned = (args: string[]) => {
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
    return performance.now() - start;
  };
  const found = { floor: [] as number[], ours: [] as number[] };
  for (const query of queries.slice(0, COMMANDS)) {
    found.floor.push(spawned(['-e', '0']));
    found.ours.push(spawned([KEEPSAKE, 'search', '--json', '--', ...query.split(' ')]));
  }
  return found;
}

/** Searches the raw files for any of the words and prints file names only. */
function ripgrep(folder: string, queries: string[]): void {
  const times = queries.slice(0, COMMANDS).map((query) => {
    const start = performance.now();
    spawnSync('rg', ['-il', query.split(' ').join('|'), folder]);
    return performance.now() - start;
  });
  console.log(`\nripgrep over the raw files, any of the words: median ${median(times).toFixed(0)} ms`);
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
