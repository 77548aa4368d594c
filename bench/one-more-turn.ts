// What one more turn, an ask and its answer, costs in a short and in a very long session.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ingest } from '../src/app/ingest.ts';
import { updateExchanges } from '../src/app/layers-exchanges.ts';
import { takeIn } from '../src/app/take-in.ts';
import type { ProjectId, SessionId } from '../src/core/model/ids.ts';
import { ESTIMATE_COUNTER, estimateTokens } from '../src/core/text/estimate-tokens.ts';
import type { FoundTranscript } from '../src/ports/transcripts.ts';
import { type Step, workSession } from '../test/made/work.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';
import { median, table } from './bench-table.ts';

/** The first of them warms up. */
const ROUNDS = 26;
const SESSION = '11111111-aaaa-4aaa-8aaa-000000000001';
const REF = { project: '-srv-shop' as ProjectId, session: SESSION as SessionId };
const COUNTING = {
  extent: 'paragraph',
  count: estimateTokens,
  counter: ESTIMATE_COUNTER,
  originals: 'copy',
} as const;

type Took = { rest: number[]; exchanges: number[]; again: number };
type Running = { turns: number; took: Took; round: (round: number) => Promise<void>; world: TestWorld };

/** The sessions take turns, so that a busy machine hurts them alike. */
export async function oneMoreTurn(): Promise<void> {
  const sessions: Running[] = [];
  try {
    for (const turns of [100, 1000, 10_000, 100_000]) sessions.push(await begun(turns));
    for (let round = 0; round < ROUNDS; round++) for (const session of sessions) await session.round(round);
    for (const { took } of sessions) for (const times of [took.rest, took.exchanges]) times.shift();
  } finally {
    for (const { world } of sessions) await world.remove();
  }
  const medians = sessions.map(({ took }) => [median(took.rest), median(took.exchanges)]);
  const cell = (row: number, column: number) => [
    medians[row]![column]!.toFixed(1),
    `${(medians[row]![column]! / medians[0]![column]!).toFixed(2)}x`,
  ];
  console.log(`\none more turn, median of ${ROUNDS - 1}\n`);
  table(
    ['turns so far', 'copy, L1, record: ms', 'x', 'exchanges: ms', 'x', 'all exchanges anew: ms'],
    sessions.map(({ turns, took }, row) => [
      turns.toLocaleString('en'),
      ...cell(row, 0),
      ...cell(row, 1),
      took.again.toFixed(0),
    ]),
  );
}

async function begun(turns: number): Promise<Running> {
  const lines = workSession(SESSION, conversation(turns + 2 * ROUNDS)).split(/(?<=\n)/);
  const world = makeWorld();
  const path = join(world.projects, '-srv-shop', `${SESSION}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.slice(0, turns).join(''));
  let seen = await found(world, path);
  await takeIn(world, REF, 'claude-code', seen, { ...COUNTING, exchanges: false });
  const session = async () => ({
    ...(await ingest(world, REF, { ...COUNTING, agent: 'claude-code' })),
    sessionId: SESSION,
  });
  const first = await session();
  const again = await clocked(() => updateExchanges(world, REF.project, first));
  const took: Took = { rest: [], exchanges: [], again };
  const round = async (number: number) => {
    const at = turns + number * 2;
    appendFileSync(path, lines.slice(at, at + 2).join(''));
    const file = await found(world, path);
    const options = { ...COUNTING, seen, exchanges: false as const };
    took.rest.push(await clocked(() => takeIn(world, REF, 'claude-code', file, options)));
    seen = file;
    const grown = await session();
    took.exchanges.push(await clocked(() => updateExchanges(world, REF.project, grown)));
  };
  return { turns, took, round, world };
}

async function found(world: TestWorld, path: string): Promise<FoundTranscript> {
  const file = await world.transcripts.look(path);
  if (!file || file === 'folder') throw new Error(`${path} is not there.`);
  return file;
}

function conversation(turns: number): Step[] {
  return Array.from({ length: turns }, (_, turn) =>
    turn % 2 === 0
      ? { you: `Change part ${turn} of the basket.` }
      : { agent: `Changed part ${turn} of the basket in src/part${turn}.ts.` },
  );
}

async function clocked(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
