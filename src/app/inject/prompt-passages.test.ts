import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Turn, transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { sync } from '../sync/sync.ts';
import { fittingPassages } from './prompt.ts';

const BAKERY = '-srv-bakery' as ProjectId;
const idOf = (number: number) => `11111111-aaaa-4aaa-8aaa-00000000000${number}` as SessionId;
let world: TestWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

async function session(folder: string, number: number, turns: Turn[]): Promise<void> {
  writeFileSync(join(world.projects, `${idOf(number)}.jsonl`), transcript(folder, idOf(number), turns));
  await sync(world);
}

const offerTo = async (prompt: string, isFollowUp = false) => {
  const state = { version: 2 as const, session: idOf(9), told: [] };
  return (await fittingPassages(world, state, [BAKERY], { prompt, isFollowUp, tokens: 700 }))?.offer ?? '';
};

const QUESTION = 'Which temperature and humidity does the proving cabinet for croissants of the harbor need?';

test('some of its words make an offer to a question that opens a session, if another project has fewer of them', async () => {
  await session('/srv/bakery', 1, [
    { you: 'Bake the rye loaves', agent: 'The oven has the temperature that rye loaves need.' },
    { you: 'Weigh the flour', agent: 'Flour is weighed in grams.' },
  ]);
  expect(await offerTo(QUESTION)).toBe('');
  await session('/srv/ledger', 2, [{ you: 'Sum the ledger', agent: 'The sums need no rounding.' }]);
  expect(await offerTo(QUESTION)).toContain('recall "');
  expect(await offerTo(QUESTION, true)).toBe('');
});

test('the words of the name of the project alone make no offer', async () => {
  await session('/srv/bakery', 1, [{ you: 'Build the bakery', agent: 'The bakery is built and tested.' }]);
  await session('/srv/ledger', 2, [{ you: 'Sum the ledger', agent: 'The sums need no rounding.' }]);
  expect(await offerTo('Which build is tested in the bakery of croissants, harbors and lamps?')).toBe('');
});
