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

const ROUNDS = 15;
const SESSION = '11111111-aaaa-4aaa-8aaa-000000000001';
const REF = { project: '-srv-shop' as ProjectId, session: SESSION as SessionId };
const COUNTING = {
  extent: 'paragraph',
  count: estimateTokens,
  counter: ESTIMATE_COUNTER,
  originals: 'copy',
} as const;

type Took = { rest: number[]; exchanges: number[]; again: number[] };

export async function oneMoreTurn(): Promise<void> {
  const rows: string[][] = [];
  let first: number[] | undefined;
  // Nobody's figure: the code is compiled by then.
  await tookIn(100);
  for (const turns of [100, 1000, 10_000, 100_000]) {
    const took = await tookIn(turns);
    const figures = [median(took.rest), median(took.exchanges), median(took.again)];
    first ??= figures;
    const against = (place: number) => `${(figures[place]! / first![place]!).toFixed(2)}x`;
    rows.push([
      turns.toLocaleString('en'),
      ...[0, 1].flatMap((place) => [figures[place]!.toFixed(1), against(place)]),
      figures[2]!.toFixed(1),
    ]);
  }
  console.log(`\none more turn, median of ${ROUNDS}\n`);
  table(
    [
      'turns so far',
      'copy, L1, record: ms',
      'against 100',
      'exchanges: ms',
      'against 100',
      'exchanges made anew: ms',
    ],
    rows,
  );
}

async function tookIn(turns: number): Promise<Took> {
  const lines = workSession(SESSION, conversation(turns + 2 * ROUNDS)).split(/(?<=\n)/);
  const world = makeWorld();
  const path = join(world.projects, '-srv-shop', `${SESSION}.jsonl`);
  const took: Took = { rest: [], exchanges: [], again: [] };
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines.slice(0, turns).join(''));
    let seen = await found(world, path);
    await takeIn(world, REF, 'claude-code', seen, COUNTING);
    for (let round = 0; round < ROUNDS; round++) {
      const at = turns + round * 2;
      appendFileSync(path, lines.slice(at, at + 2).join(''));
      const file = await found(world, path);
      took.rest.push(
        await clocked(() => takeIn(world, REF, 'claude-code', file, { ...COUNTING, seen, exchanges: false })),
      );
      seen = file;
      const state = await ingest(world, REF, { ...COUNTING, agent: 'claude-code' });
      const session = { ...state, sessionId: SESSION };
      took.exchanges.push(await clocked(() => updateExchanges(world, REF.project, session)));
      if (round >= 3) continue;
      await world.archive.files.remove(REF.project, state.l1.file.replace('.l1.jsonl', '.l2.json'));
      took.again.push(await clocked(() => updateExchanges(world, REF.project, session)));
    }
    return took;
  } finally {
    await world.remove();
  }
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
