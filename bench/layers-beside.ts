// CPU time of all layers above L1 on the same sessions: this build and another checkout, alternating.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { L1Line } from '../src/core/model/l1.ts';
import { isMain, median, table } from './bench-table.ts';
import { linesOf } from './session-lines.ts';

const ROUNDS = 3;
const HERE = join(import.meta.dirname, '..');
/** The function's path in this build and in builds before the folders were split. */
const PLACES = {
  exchangeRecords: ['src/core/layers/exchanges/records.ts', 'src/core/layers/exchange-records.ts'],
  conceptsOf: ['src/core/layers/concepts/concepts.ts', 'src/core/layers/concepts.ts'],
  factsOf: ['src/core/layers/facts/facts.ts', 'src/core/layers/facts.ts'],
  statementsOf: ['src/core/statements/statements-of.ts'],
};
type Stage = (...args: unknown[]) => unknown;
type Stages = Partial<Record<keyof typeof PLACES, Stage>>;

export async function run(args: string[]): Promise<void> {
  const beside = args.find((arg) => arg.startsWith('--beside='))?.slice('--beside='.length);
  const folders = args.filter((arg) => !arg.startsWith('--'));
  if (
    beside === undefined ||
    [beside, ...folders].some((folder) => !existsSync(folder)) ||
    folders.length === 0
  )
    throw new Error(
      'Missing checkout or folders of sessions. Usage: npm run bench -- layers-beside --beside=CHECKOUT DIR ...',
    );
  const builds = [await stagesOf(HERE), await stagesOf(beside)] as const;
  const rows: string[][] = [];
  for (const folder of folders) {
    const sessions = sessionsIn(folder);
    const times: [number[], number[]] = [[], []];
    // The first round compiles the regular expressions of both.
    for (let round = 0; round <= ROUNDS; round++)
      for (const side of [0, 1] as const) {
        const took = cpuOf(() => layers(sessions, builds[side]));
        if (round > 0) times[side].push(took);
      }
    const [now, before] = times.map(median) as [number, number];
    const name = folder.split('/').filter(Boolean).slice(-2).join('/');
    rows.push([name, String(sessions.length), now.toFixed(0), before.toFixed(0), (now / before).toFixed(2)]);
  }
  table(['folder', 'sessions', 'this build ms', 'the other ms', 'ratio'], rows);
}

async function stagesOf(checkout: string): Promise<Stages> {
  const stages: Stages = {};
  for (const [name, places] of Object.entries(PLACES)) {
    const path = places.map((place) => join(checkout, place)).find(existsSync);
    if (path === undefined) continue;
    const module = (await import(pathToFileURL(path).href)) as Record<string, Stage>;
    stages[name as keyof typeof PLACES] = module[name]!;
  }
  return stages;
}

function layers(all: L1Line[][], { exchangeRecords, conceptsOf, factsOf, statementsOf }: Stages): void {
  const sessions = all.map((lines, place) => ({
    sessionId: `s${place}`,
    exchanges: exchangeRecords!(`s${place}`, lines),
    ...(statementsOf ? { statements: statementsOf(lines) } : {}),
  }));
  factsOf!(sessions, conceptsOf!(sessions));
}

function sessionsIn(folder: string): L1Line[][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map(linesOf)
    .filter((lines) => lines.length > 0);
}

function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
