import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { transcript } from '../../test/made/conversation.ts';
import { countWork, outgrown } from '../../test/made/counted-work.ts';

const SESSION = '11111111-aaaa-4aaa-8aaa-000000000001';
/** More than are grouped at once. */
const TURNS = 600;
/** A look at the groups made so far costs up to its reach, and no more beyond. */
const BOUNDED = /concept-postings\.ts (?:near|#sum) /;

/** Asks that all have the same words: the same name, the same topic, the same sentences again and again. */
const alike = (turn: number) => ({
  you: `Please fix the parser, number ${turn}.`,
  agent: `Fixed the parser in src/parser.ts, number ${turn}.`,
});

test('no part of a sync does more than its share when a session has twice as many messages', async () => {
  const count = await countWork();
  const { sync } = await import('./sync.ts');
  const { makeWorld } = await import('../../test/made/world.ts');
  const synced = async (turns: number) => {
    const world = makeWorld();
    const folder = join(world.projects, '-srv-shop');
    mkdirSync(folder);
    const said = Array.from({ length: turns }, (_, turn) => alike(turn));
    writeFileSync(join(folder, `${SESSION}.jsonl`), transcript('/srv/shop', SESSION, said));
    const work = await count(async () => expect((await sync(world)).problems).toEqual([]));
    await world.remove();
    return work;
  };
  // What is done once is done now.
  await synced(20);
  const [small, large] = [await synced(TURNS), await synced(2 * TURNS)];
  expect(Math.max(...large.values())).toBeGreaterThan(10 * TURNS);
  expect(outgrown(small, large, 2.6, 4 * TURNS).filter((place) => !BOUNDED.test(place))).toEqual([]);
});
