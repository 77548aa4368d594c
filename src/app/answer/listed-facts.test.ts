import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { findFact } from '../layers/facts.ts';
import { settleFact } from '../layers/facts-edit.ts';
import { sync } from '../sync/sync.ts';
import { answerDoubted, answerFacts } from './listed-facts.ts';

let world: TestWorld;
beforeEach(async () => {
  world = makeWorld();
  const id = '11111111-aaaa-4aaa-8aaa-000000000001';
  mkdirSync(join(world.projects, '-srv-shop'), { recursive: true });
  const steps = [{ you: 'Add a basket. From now on always keep prices in cents.' }, { agent: 'Added.' }];
  writeFileSync(join(world.projects, '-srv-shop', `${id}.jsonl`), workSession(id, steps));
  await sync(world);
});
afterEach(() => world.remove());

const idIn = (text: string) => /\br_[0-9a-f]+/.exec(text)![0];

test('an agent gets each fact with its id, kind and confidence', async () => {
  const text = await answerFacts(world, 'facts', 'shop');
  expect(text).toMatch(/^- r_[0-9a-f]+ rule \(readers kept about \d+ of \d+ facts like this\): .*cents/m);
  expect(await answerFacts(world, 'rejected', 'shop')).toBe('No such facts.');
  await settleFact(world, idIn(text), { action: 'reject', note: 'We count in pence.' });
  expect(await answerFacts(world, 'facts', 'shop')).not.toContain('cents');
  expect(await answerFacts(world, 'rejected', 'shop')).toMatch(/rule \(.*rejected\): .*cents/);
});

test("an agent's word against a fact is noted, and the user decides", async () => {
  const id = idIn(await answerFacts(world, 'facts', 'shop'));
  const answer = await answerDoubted(world, { id, why: 'The price table has floats.' });
  expect(answer).toContain(`keepsake facts reject ${id}`);
  const fact = await findFact(world, id);
  expect(fact).toMatchObject({ contradictions: 1, kind: 'rule' });
  expect(fact.against).toMatchObject([{ excerpt: 'The price table has floats.' }]);
});
