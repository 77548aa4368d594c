import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countWork, outgrown } from '../../../test/made/counted-work.ts';
import { type Step, workSession } from '../../../test/made/work.ts';

const SESSION = '11111111-aaaa-4aaa-8aaa-000000000001';
/** More than are grouped at once. */
const TURNS = 600;
/** A look at the groups made so far costs up to its reach, and no more beyond. */
const BOUNDED = /concepts\/postings\.ts /;
/** A stretch of code that runs as often as this for each turn is not one that merely sorts. */
const OFTEN = 20;

/**
 * Asks that all have the same words, each asked anew, with something typed meanwhile that is never sent; then one ask with as
 * many changed files and runs.
 */
function steps(turns: number): Step[] {
  const count = Array.from({ length: turns }, (_, turn) => turn);
  return [
    ...count.flatMap((turn): Step[] => [
      { you: `Please fix the parser, number ${turn}.` },
      { agent: `Fixed the parser in src/parser.ts, number ${turn}.` },
      { line: { type: 'queue-operation', operation: 'enqueue', content: `And the lexer, ${turn}.` } },
      { line: { ...user(`No, the parser, number ${turn}.`), parentUuid: idOf(4 * turn + 1) } },
    ]),
    { you: 'Run them all.' },
    ...count.flatMap((turn): Step[] => [{ edit: `src/file-${turn}.ts` }, { run: 'npm test' }]),
  ];
}

const user = (content: string) => ({ type: 'user', message: { role: 'user', content } });
/** As `workSession` counts its lines. */
const idOf = (line: number) => `${SESSION}-${String(line).padStart(4, '0')}`;

test('no part of a sync does more than its share when a session has twice as many messages', async () => {
  const count = await countWork();
  const { sync } = await import('./sync.ts');
  const { makeWorld } = await import('../../../test/made/world.ts');
  const synced = async (turns: number) => {
    const world = makeWorld();
    const folder = join(world.projects, '-srv-shop');
    mkdirSync(folder);
    writeFileSync(join(folder, `${SESSION}.jsonl`), workSession(SESSION, steps(turns)));
    const work = await count(async () => expect((await sync(world)).problems).toEqual([]));
    await world.remove();
    return work;
  };
  // What is done once is done now.
  await synced(20);
  const [small, large] = [await synced(TURNS), await synced(2 * TURNS)];
  expect(Math.max(...large.values())).toBeGreaterThan(OFTEN * 2 * TURNS);
  expect(outgrown(small, large, 2.6, OFTEN * 2 * TURNS).filter((place) => !BOUNDED.test(place))).toEqual([]);
});
