import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { FactEdit, FactFile } from '../../core/model/fact.ts';
import { toProjectId } from '../../core/model/ids.ts';
import { sync } from '../sync/sync.ts';
import { keepSettledFacts } from './keep-settled.ts';

const SHOP = toProjectId('-srv-shop');
const ID = '11111111-aaaa-4aaa-8aaa-000000000001';
const FILE = 'memory/facts.json';
const SOURCE = { sessionId: ID, src: 700 };

let world: TestWorld;
beforeEach(async () => {
  world = makeWorld();
  mkdirSync(join(world.projects, '-srv-shop'), { recursive: true });
  const session = workSession(ID, [{ you: 'Add a basket.' }, { agent: 'The basket is there.' }]);
  writeFileSync(join(world.projects, '-srv-shop', `${ID}.jsonl`), session);
  await sync(world);
  const before = {
    rules: [],
    semantic: [],
    solutions: [{ id: 's_old', problem: '`npm test` fails', solution: 'Build first.', sources: [SOURCE] }],
    core_logic: [{ id: 'cl_old', feature: 'Basket', description: 'It holds cents.', sources: [SOURCE] }],
  };
  await world.archive.files.write(SHOP, FILE, JSON.stringify({ engine: 1, permanent: before }));
});
afterEach(() => world.remove());

const edit = (factId: string, more: Pick<FactEdit, 'action'> & { content?: string }) =>
  ({ editId: `fe_${factId}`, at: '2026-02-01T00:00:00Z', factId, by: 'user', ...more }) as FactEdit;

/** The edits of the project after facts were made that have only these core logics. */
async function keptBeside(core: { id: string; sources: { sessionId: string; src: number }[] }[]) {
  const { manifest } = (await world.archive.open(SHOP))!;
  const factEdits = [
    edit('cl_old', { action: 'correct', content: 'It holds whole cents.' }),
    edit('s_old', { action: 'confirm' }),
  ];
  const facts = { permanent: { rules: [], solutions: [], core_logic: core, semantic: [] } };
  const kept = await keepSettledFacts(
    world,
    { ...manifest, factEdits },
    { file: FILE, facts: facts as unknown as FactFile },
  );
  expect(kept).toBe(2);
  return (await world.archive.open(SHOP))?.manifest.factEdits;
}

test('solutions and core logic that the user settled stay when no session gives them any more', async () => {
  expect(await keptBeside([])).toMatchObject([
    { factId: 's_old', action: 'add', content: '`npm test` fails -> Build first.' },
    { factId: 'cl_old', action: 'add', content: 'Basket: It holds cents.' },
  ]);
});

test("the user's edits of a core logic stay with the one that has the same source", async () => {
  const heir = { id: 'cl_new', sources: [SOURCE] };
  const other = { id: 'cl_other', sources: [{ sessionId: ID, src: 9 }] };
  expect(await keptBeside([other, heir])).toMatchObject([
    { factId: 's_old', action: 'add' },
    { factId: 'cl_new', action: 'correct', content: 'It holds whole cents.' },
  ]);
});
