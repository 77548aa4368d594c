// Compositions of labeled sessions, five at a time: how many of the true items they contain, and how many untrue ones they state.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compose } from '../src/app/compose/compose.ts';
import { openProjects } from '../src/app/find/projects.ts';
import { ingestFiles } from '../src/app/intake/ingest-files.ts';
import { newReport } from '../src/app/sync-report.ts';
import { loadTokenCounter } from '../src/core/text/tokens.ts';
import { makeWorld } from '../test/made/world.ts';
import { isMain, table } from './bench-table.ts';
import { PEERS } from './digest-peers.ts';
import { readSession } from './session-turns.ts';
import {
  affirms,
  type GoldRow,
  holds,
  isNotTrue,
  isTrue,
  readGold,
  sessionFiles,
} from './statements-gold.ts';

const BUDGET = 8000;
const TOGETHER = 5;

type Tally = { texts: number; true: number[]; important: number[]; wrong: number[] };

export async function run(args: string[]): Promise<void> {
  const [gold, ...folders] = args.filter((arg) => !arg.startsWith('--'));
  const budget = Number(args.find((arg) => arg.startsWith('--budget='))?.slice(9) ?? BUDGET);
  if (gold === undefined || folders.length === 0 || [gold, ...folders].some((folder) => !existsSync(folder)))
    throw new Error(
      'Missing folder of labels and folders of their sessions (one per project). Usage: npm run bench -- compose-truth GOLD DIR ... [--budget=8000] [--print]',
    );
  const rows = readGold(gold);
  const files = sessionFiles(folders, new Set(rows.map(({ session }) => session)));
  const all = new Map<string, Tally>();
  const lines: string[][] = [];
  for (const folder of folders) {
    const own = [...files].filter(([, { project }]) => project === folder);
    if (own.length === 0) continue;
    const tallies = new Map<string, Tally>();
    const groups = await textsOf(
      own.map(([session, { path }]) => ({ session, path })),
      budget,
    );
    for (const { sessions, ways } of groups) {
      if (args.includes('--print')) console.log(`=== ${sessions.join(' ')}\n${ways[0]!.text}`);
      const labeled = rows.filter(({ session }) => sessions.includes(session));
      for (const { way, text } of ways)
        for (const sums of [tallies, all]) add(tallyOf(sums, way), text, labeled);
    }
    for (const [way, tally] of tallies) lines.push([nameOf(folder), way, ...figures(tally)]);
  }
  for (const [way, tally] of all) lines.push(['all', way, ...figures(tally)]);
  table(
    [`${TOGETHER} sessions in ${budget} tokens`, 'way', 'texts', 'true', 'important', 'not true stated'],
    lines,
  );
}

function nameOf(folder: string): string {
  return folder.split('/').slice(-2).join('/');
}

function tallyOf(tallies: Map<string, Tally>, way: string): Tally {
  const tally = tallies.get(way) ?? newTally();
  tallies.set(way, tally);
  return tally;
}

type Way = { way: string; text: string };

/** Composes the labeled sessions of a project, five at a time in chronological order, and compares with baselines. */
async function textsOf(
  files: { session: string; path: string }[],
  budget: number,
): Promise<{ sessions: string[]; ways: Way[] }[]> {
  const world = makeWorld();
  try {
    const folder = join(world.projects, '-labeled');
    mkdirSync(folder, { recursive: true });
    for (const { path } of files) copyFileSync(path, join(folder, basename(path)));
    await ingestFiles(world, await world.transcripts.find(folder, []), newReport(), {});
    const known = (await openProjects(world))
      .flatMap(({ sessions }) => Object.values(sessions))
      .sort((a, b) => (a.lastTimestamp < b.lastTimestamp ? -1 : 1))
      .flatMap(({ sessionId, originalFile }) => {
        const found = files.find(({ path }) => basename(originalFile) === basename(path));
        return found ? [{ id: sessionId as string, ...found }] : [];
      });
    const count = await loadTokenCounter();
    const groups: { sessions: string[]; ways: Way[] }[] = [];
    for (let from = 0; from < known.length; from += TOGETHER) {
      const own = known.slice(from, from + TOGETHER);
      const ask = { budget, sessions: own.map(({ id }) => id) };
      const { markdown } = await compose(world, 'x', ask, { preview: true });
      const turns = own.flatMap(({ path }) => readSession(path, count).turns);
      const plain = Object.entries(PEERS).map(([way, peer]) => ({ way, text: peer(turns, budget, count) }));
      groups.push({
        sessions: own.map(({ session }) => session),
        ways: [{ way: 'keepsake', text: markdown }, ...plain],
      });
    }
    return groups;
  } finally {
    await world.remove();
  }
}

function newTally(): Tally {
  return { texts: 0, true: [0, 0], important: [0, 0], wrong: [0, 0] };
}

function add(tally: Tally, text: string, rows: readonly GoldRow[]): void {
  const note = (sums: number[], found: boolean) => {
    sums[0]! += found ? 1 : 0;
    sums[1]! += 1;
  };
  tally.texts++;
  for (const row of rows) {
    if (isTrue(row)) {
      note(tally.true, holds(text, row));
      if (row.importance === 3) note(tally.important, holds(text, row));
    } else if (isNotTrue(row)) note(tally.wrong, affirms(text, row));
  }
}

function figures({ texts, true: held, important, wrong }: Tally): string[] {
  const share = ([found = 0, all = 0]: number[]) =>
    `${((100 * found) / Math.max(1, all)).toFixed(1)} (${found} of ${all})`;
  return [String(texts), share(held), share(important), share(wrong)];
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
