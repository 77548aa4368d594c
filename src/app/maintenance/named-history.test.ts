import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { allFacts } from '../layers/facts.ts';
import { settleFact } from '../layers/facts-edit.ts';
import { sync } from '../sync/sync.ts';
import { readNamedHistory } from './named-history.ts';

let world: TestWorld;
beforeEach(async () => {
  world = makeWorld();
  const folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  const id = '11111111-aaaa-4aaa-8aaa-000000000001';
  writeFileSync(
    join(folder, `${id}.jsonl`),
    workSession(id, [
      { you: 'Add a basket. From now on always keep prices in cents.' },
      { edit: 'src/basket.ts' },
      { agent: 'Added the basket in src/basket.ts.' },
    ]),
  );
  await sync(world);
});
afterEach(() => world.remove());

test('an edit of a fact names the fact as long as it exists, whatever became of it', async () => {
  const [fact] = await allFacts(world);
  const newest = async () => (await readNamedHistory(world, { limit: 1 })).items[0];
  await settleFact(world, fact!.id, { action: 'confirm' });
  expect(await newest()).toMatchObject({ action: 'fact', fact: fact!.content });
  await settleFact(world, fact!.id, { action: 'reject', note: '' });
  expect(await newest()).toMatchObject({ action: 'fact', fact: fact!.content });
});

test('what is forgotten is not repeated by the history, and other changes have no fact', async () => {
  const [fact] = await allFacts(world);
  await settleFact(world, fact!.id, { action: 'forget' });
  const { items } = await readNamedHistory(world, {});
  expect(items[0]).toMatchObject({ action: 'fact' });
  expect(items.filter((it) => it.fact !== undefined)).toEqual([]);
});
