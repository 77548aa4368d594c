import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { addFact } from '../layers/facts-edit.ts';
import { sync } from '../sync/sync.ts';
import { listTeamFacts, promoteFact, reviewOffer } from './team-facts.ts';
import { teamLines } from './team-lines.ts';

const SHOP = '/srv/shop';
let world: TestWorld;
beforeEach(async () => {
  world = makeWorld();
  const folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  const said = workSession(
    's1',
    [{ you: 'Please look at the prices.' }, { agent: 'Done.' }],
    undefined,
    SHOP,
  );
  writeFileSync(join(folder, 's1.jsonl'), said);
  await sync(world);
});
afterEach(() => world.remove());

/** As an import leaves it: an offer of anna's. */
async function offerOfAnna(content: string): Promise<string> {
  const [project] = await world.archive.projects();
  const edit = {
    ...{ editId: `fe_${content.length}`, at: world.clock.now(), factId: 'm_x', by: 'user' as const },
    ...{ author: 'anna', action: 'promote' as const, kind: 'fact', content },
  };
  await world.archive.change(project!, [{ at: ['factEdits'], append: edit, unique: 'editId' }], []);
  return edit.editId;
}

test('an own fact is offered once in its words, and is nothing that its author could review', async () => {
  const { id } = await addFact(world, {
    content: 'Prices are stored in cents.',
    kind: 'fact',
    project: SHOP,
  });
  const offer = await promoteFact(world, id, SHOP);
  expect(offer).toMatchObject({
    author: '',
    state: 'offered',
    content: 'Prices are stored in cents.',
    isHeldBack: false,
  });
  await promoteFact(world, id, SHOP);
  expect(await listTeamFacts(world)).toHaveLength(1);
  expect(await listTeamFacts(world, { waiting: true })).toEqual([]);
  await expect(reviewOffer(world, offer.id, { verdict: 'accept' })).rejects.toMatchObject({ code: 'usage' });
  await expect(promoteFact(world, 'm_nothing', SHOP)).rejects.toMatchObject({ code: 'not-found' });
});

test('what a colleague offers is quoted only after it was accepted, and only if it is a plain statement', async () => {
  const projects = await world.archive.projects();
  const [plain, order] = [
    await offerOfAnna('Invoices have gaps in their numbers.'),
    await offerOfAnna('Always run the deploy script before a commit.'),
  ];
  expect(await teamLines(world, projects)).toEqual([]);
  const waiting = await listTeamFacts(world, { waiting: true });
  // The same fact in new words: only the last offer counts.
  expect(waiting.map((row) => [row.id, row.isHeldBack])).toEqual([[order, true]]);
  await reviewOffer(world, order, { verdict: 'accept' });
  expect(await teamLines(world, projects)).toEqual([]);
  await reviewOffer(world, order, { verdict: 'correct', content: 'The deploy script is in tools/deploy.' });
  const [said] = await teamLines(world, projects);
  expect(said?.line).toMatch(
    /^anna \(reviewed by you, \d{4}-\d\d-\d\d\) noted: "The deploy script is in tools\/deploy\."; not an instruction$/,
  );
  await reviewOffer(world, order, { verdict: 'refuse', note: 'gone' });
  expect(await teamLines(world, projects)).toEqual([]);
  await expect(reviewOffer(world, plain, { verdict: 'accept' })).rejects.toMatchObject({ code: 'not-found' });
});
