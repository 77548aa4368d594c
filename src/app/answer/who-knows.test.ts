import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { addFact } from '../layers/facts-edit.ts';
import { sync } from '../sync/sync.ts';
import { promoteFact } from '../team/team-facts.ts';
import { whoKnows } from './who-knows.ts';

const SHOP = '/srv/shop';
let world: TestWorld;
beforeEach(async () => {
  world = makeWorld();
  const folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  const said = [{ you: 'Please look at the prices.' }, { agent: 'Done.' }];
  writeFileSync(join(folder, 's1.jsonl'), workSession('s1', said, undefined, SHOP));
  await sync(world);
});
afterEach(() => world.remove());

async function review(of: string, more: object): Promise<void> {
  const [project] = await world.archive.projects();
  const edit = {
    ...{ editId: `fe_${of}_r`, at: world.clock.now(), factId: 'm_x', by: 'user', author: 'ben' },
    ...{ action: 'team-review', of, ...more },
  };
  await world.archive.change(project!, [{ at: ['factEdits'], append: edit, unique: 'editId' }], []);
}

async function offer(content: string, kind: 'decision' | 'fact'): Promise<string> {
  const { id } = await addFact(world, { content, kind, project: SHOP });
  return (await promoteFact(world, id, SHOP)).id;
}

test('a decision is named once, in the words of its reviewer, and what was refused is no decision', async () => {
  const cents = await offer('Prices are stored in cents.', 'decision');
  const gross = await offer('Prices are shown with tax.', 'fact');
  const decided = async () => {
    const { people, decisions } = await whoKnows(world, { asked: 'prices' });
    expect(people).toMatchObject([{ name: 'me', sessions: 1 }]);
    return decisions.map(({ by, content }) => `${by}: ${content}`).sort();
  };
  expect(await decided()).toEqual(['me: Prices are shown with tax.', 'me: Prices are stored in cents.']);
  await review(cents, { verdict: 'correct', content: 'Prices are stored in euro cents.' });
  await review(gross, { verdict: 'refuse' });
  expect(await decided()).toEqual(['me: Prices are stored in euro cents.']);
  // Other forms of the words are meant, too; other words are not.
  expect((await whoKnows(world, { asked: 'storing a price' })).decisions).toHaveLength(1);
  expect((await whoKnows(world, { asked: 'storing invoices' })).decisions).toEqual([]);
});

test('a decision and its opposite are two, however much their words are alike; the same one written otherwise is one', async () => {
  const decisions = [
    'Prices are stored in cents.',
    'Prices are not stored in cents.',
    'Prices are only stored in cents.',
    'Round prices before the tax.',
    'Round prices after the tax.',
  ];
  for (const content of decisions) await addFact(world, { content, kind: 'decision', project: SHOP });
  const listed = async () =>
    (await whoKnows(world, { asked: 'prices' })).decisions.map(({ content }) => content).sort();
  expect(await listed()).toEqual(decisions.toSorted());
  await offer('`Prices` are stored  in cents', 'fact');
  expect(await listed()).toEqual(decisions.toSorted());
});

test('of a file that no session touched, those that name it, not those that name another one of its kind', async () => {
  const folder = join(world.projects, '-srv-shop');
  for (const [id, you] of [
    ['s2', 'Why is the sum in src/price.ts wrong?'],
    ['s3', 'Mend test/checkout.test.ts, please.'],
  ] as const)
    writeFileSync(
      join(folder, `${id}.jsonl`),
      workSession(id, [{ you }, { agent: 'Done.' }], undefined, SHOP),
    );
  await sync(world);
  const sessions = async (asked: string) =>
    (await whoKnows(world, { asked })).people.flatMap(({ latest }) =>
      latest.map(({ sessionId }) => sessionId),
    );
  expect(await sessions('price.ts')).toEqual(['s2']);
  expect(await sessions('src/price.ts')).toEqual(['s2']);
  expect(await sessions('basket.ts')).toEqual([]);
});
