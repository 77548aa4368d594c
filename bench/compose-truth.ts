// Compositions of labelled sessions, five at a time: what they hold of what should be remembered, and what they state that is not true.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compose } from '../src/app/compose/compose.ts';
import { openProjects } from '../src/app/find/projects.ts';
import { ingestFiles } from '../src/app/intake/ingest-files.ts';
import { newReport } from '../src/app/sync-report.ts';
import { makeWorld } from '../test/made/world.ts';
import { isMain, table } from './bench-table.ts';
import { type GoldRow, holds, isNotTrue, isTrue, readGold, sessionFiles, tells } from './statements-gold.ts';

const BUDGET = 8000;
const TOGETHER = 5;

type Tally = { texts: number; true: number[]; important: number[]; wrong: number[] };

export async function run(args: string[]): Promise<void> {
  const [gold, ...folders] = args.filter((arg) => !arg.startsWith('--'));
  const budget = Number(args.find((arg) => arg.startsWith('--budget='))?.slice(9) ?? BUDGET);
  if (gold === undefined || folders.length === 0 || [gold, ...folders].some((folder) => !existsSync(folder)))
    throw new Error(
      'Give the folder of labels and the folders of their sessions, a folder a project: npm run bench -- compose-truth GOLD DIR ... [--budget=8000] [--print]',
    );
  const rows = readGold(gold);
  const files = sessionFiles(folders, new Set(rows.map(({ session }) => session)));
  const all = newTally();
  const lines: string[][] = [];
  for (const folder of folders) {
    const own = [...files].filter(([, { project }]) => project === folder);
    if (own.length === 0) continue;
    const tally = newTally();
    const groups = await textsOf(
      own.map(([session, { path }]) => ({ session, path })),
      budget,
    );
    for (const { sessions, text } of groups) {
      if (args.includes('--print')) console.log(`=== ${sessions.join(' ')}\n${text}`);
      const labelled = rows.filter(({ session }) => sessions.includes(session));
      for (const sums of [tally, all]) add(sums, text, labelled);
    }
    lines.push([folder.split('/').slice(-2).join('/'), ...figures(tally)]);
  }
  table(
    [`${TOGETHER} sessions in ${budget} tokens`, 'texts', 'true', 'important', 'not true stated'],
    [...lines, ['all', ...figures(all)]],
  );
}

/** Compositions of the labelled sessions of a project, five at a time in the order of time. */
async function textsOf(
  files: { session: string; path: string }[],
  budget: number,
): Promise<{ sessions: string[]; text: string }[]> {
  const world = makeWorld();
  try {
    const folder = join(world.projects, '-labelled');
    mkdirSync(folder, { recursive: true });
    for (const { path } of files) copyFileSync(path, join(folder, basename(path)));
    await ingestFiles(world, await world.transcripts.find(folder, []), newReport(), {});
    const known = (await openProjects(world))
      .flatMap(({ sessions }) => Object.values(sessions))
      .sort((a, b) => (a.lastTimestamp < b.lastTimestamp ? -1 : 1))
      .flatMap(({ sessionId, originalFile }) => {
        const found = files.find(({ path }) => basename(originalFile) === basename(path));
        return found ? [{ id: sessionId as string, session: found.session }] : [];
      });
    const groups: { sessions: string[]; text: string }[] = [];
    for (let from = 0; from < known.length; from += TOGETHER) {
      const own = known.slice(from, from + TOGETHER);
      const ask = { budget, sessions: own.map(({ id }) => id) };
      const { markdown } = await compose(world, 'x', ask, { preview: true });
      groups.push({ sessions: own.map(({ session }) => session), text: markdown });
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
    } else if (isNotTrue(row)) note(tally.wrong, tells(text, row));
  }
}

function figures({ texts, true: held, important, wrong }: Tally): string[] {
  const share = ([found = 0, all = 0]: number[]) =>
    `${((100 * found) / Math.max(1, all)).toFixed(1)} (${found} of ${all})`;
  return [String(texts), share(held), share(important), share(wrong)];
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
