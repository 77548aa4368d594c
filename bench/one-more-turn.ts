// The cost of one more turn (a prompt and its answer) in a short and in a very long session.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ingestFile } from '../src/app/intake/ingest-file.ts';
import { refineOriginal } from '../src/app/intake/refine-original.ts';
import { updatedExchanges, updateExchanges } from '../src/app/layers/exchanges.ts';
import type { ConceptBase } from '../src/core/layers/concepts/base.ts';
import { conceptsFrom } from '../src/core/layers/concepts/concepts.ts';
import { LightExchanges } from '../src/core/layers/exchanges/light-exchange.ts';
import { factsOf } from '../src/core/layers/facts/facts.ts';
import { toProjectId, toSessionId } from '../src/core/model/ids.ts';
import { ESTIMATE_COUNTER, estimateTokens } from '../src/core/text/estimate-tokens.ts';
import type { FoundTranscript } from '../src/ports/transcripts.ts';
import { type Step, workSession } from '../test/made/work.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';
import { median, table } from './bench-table.ts';

/** The first round only warms up. */
const ROUNDS = 26;
/** Fewer rounds, because concepts and facts read every exchange. */
const LAYER_ROUNDS = 6;
const SESSION = '11111111-aaaa-4aaa-8aaa-000000000001';
const REF = { project: toProjectId('-srv-shop'), session: toSessionId(SESSION) };
const COUNTING = {
  extent: 'paragraph',
  count: estimateTokens,
  counter: ESTIMATE_COUNTER,
  originals: 'copy',
} as const;

type Took = { rest: number[]; exchanges: number[]; layers: number[]; again: number; layersAgain: number };
type Running = { turns: number; took: Took; round: (round: number) => Promise<void>; world: TestWorld };

/** Alternates between the sessions, so that a busy machine affects both equally. */
export async function oneMoreTurn(): Promise<void> {
  const sessions: Running[] = [];
  try {
    for (const turns of [100, 1000, 10_000, 100_000]) sessions.push(await begun(turns));
    for (let round = 0; round < ROUNDS; round++) for (const session of sessions) await session.round(round);
    for (const { took } of sessions)
      for (const times of [took.rest, took.exchanges, took.layers]) times.shift();
  } finally {
    for (const { world } of sessions) await world.remove();
  }
  const medians = sessions.map(({ took }) => [
    median(took.rest),
    median(took.exchanges),
    median(took.layers),
  ]);
  const cell = (row: number, column: number) => [
    medians[row]![column]!.toFixed(1),
    `${(medians[row]![column]! / medians[0]![column]!).toFixed(2)}x`,
  ];
  console.log(`\none more turn, median of ${ROUNDS - 1}\n`);
  table(
    [
      'turns so far',
      'copy, L1, record: ms',
      'x',
      'exchanges: ms',
      'x',
      'full rebuild: ms',
      'concepts, facts: ms',
      'x',
      'full rebuild: ms',
    ],
    sessions.map(({ turns, took }, row) => [
      turns.toLocaleString('en'),
      ...cell(row, 0),
      ...cell(row, 1),
      took.again.toFixed(0),
      ...cell(row, 2),
      took.layersAgain.toFixed(0),
    ]),
  );
}

async function begun(turns: number): Promise<Running> {
  const lines = workSession(SESSION, conversation(turns + 2 * ROUNDS))
    .split(/(?<=\n)/)
    .map((line, place) => line.replace(/"timestamp":"[^"]+"/, `"timestamp":"${minutesLater(place)}"`));
  const world = makeWorld();
  const path = join(world.projects, '-srv-shop', `${SESSION}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.slice(0, turns).join(''));
  const ingest = async () => {
    const file = await found(world, path);
    const what = { ref: REF, agent: 'claude-code', file, reading: COUNTING, upTo: 'record' } as const;
    return clocked(() => ingestFile(world, what));
  };
  await ingest();
  const session = async () => ({
    ...(await refineOriginal(world, REF, { ...COUNTING, agent: 'claude-code' })),
    sessionId: REF.session,
  });
  const first = await session();
  const again = await clocked(() => updateExchanges(world, REF.project, first));
  let base = '';
  const layers = async (grown: typeof first) => {
    const exchanges = await updatedExchanges(world, REF.project, grown, new LightExchanges().of);
    const of = [{ sessionId: REF.session, exchanges }];
    const known = base === '' ? undefined : (JSON.parse(base) as ConceptBase);
    const made = conceptsFrom(of, [], known);
    if (made.base && made.base !== known) base = JSON.stringify(made.base);
    factsOf(of, made.concepts);
  };
  const layersAgain = await clocked(() => layers(first));
  const took: Took = { rest: [], exchanges: [], layers: [], again, layersAgain };
  const round = async (number: number) => {
    const at = turns + number * 2;
    appendFileSync(path, lines.slice(at, at + 2).join(''));
    took.rest.push(await ingest());
    const grown = await session();
    took.exchanges.push(await clocked(() => updateExchanges(world, REF.project, grown)));
    if (number < LAYER_ROUNDS) took.layers.push(await clocked(() => layers(grown)));
  };
  return { turns, took, round, world };
}

async function found(world: TestWorld, path: string): Promise<FoundTranscript> {
  const file = await world.transcripts.inspect(path);
  if (!file || file === 'folder') throw new Error(`${path} does not exist.`);
  return file;
}

function minutesLater(minutes: number): string {
  return new Date(Date.UTC(2026, 0, 5) + minutes * 60_000).toISOString();
}

const THINGS =
  'basket login invoice search coupon payment address mail report chart upload thumbnail queue webhook session cookie'.split(
    ' ',
  );
const PARTS =
  'header footer button label dialog table column filter counter timer badge menu icon title border shadow'.split(
    ' ',
  );

/** About a hundred topics that each return now and then. */
function conversation(turns: number): Step[] {
  return Array.from({ length: turns }, (_, turn) => {
    const topic = (Math.floor(turn / 2) * 7919) % (THINGS.length * PARTS.length);
    const thing = THINGS[topic % THINGS.length]!;
    const part = PARTS[Math.floor(topic / THINGS.length)]!;
    return turn % 2 === 0
      ? { you: `Change the ${part} of the ${thing}, step ${turn}.` }
      : { agent: `Changed the ${part} of the ${thing} in src/${thing}/${part}.ts.` };
  });
}

async function clocked(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
