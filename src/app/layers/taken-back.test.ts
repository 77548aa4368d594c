import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Step, workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { allSessions } from '../find/sessions.ts';
import { unregister } from '../purge/unregister.ts';
import { withVerdicts } from '../search/hit-verdicts.ts';
import { search } from '../search/search.ts';
import { sync } from '../sync/sync.ts';
import { allFacts } from './facts.ts';

const PROJECT = '-srv-shop' as ProjectId;
const ID = (n: number) => `${String(n).repeat(8)}-aaaa-4aaa-8aaa-00000000000${n}`;
const FIRST: Step[] = [
  { you: 'Which table has the orders?' },
  { agent: 'The orders are in `orders_v1`.' },
  { you: 'Store the basket in `cookieStore`, because it survives a restart.' },
  { edit: 'src/basket.ts', from: 'let basket', to: 'cookieStore.save(basket)' },
  { agent: 'The basket is now stored in `cookieStore` and survives a restart.' },
];
const SECOND: Step[] = [
  { you: 'We replace `cookieStore` with `sessionTable`, because cookies are too small for the basket.' },
  { edit: 'src/basket.ts', from: 'cookieStore.save(basket)', to: 'sessionTable.save(basket)' },
  { agent: 'The basket is now kept in `sessionTable` instead of `cookieStore`.' },
];
const REFUSED: Step[] = [
  { you: 'How should we cache the prices of the shop?' },
  { agent: 'We should cache the prices in Redis with a TTL of 60 seconds, because the service is slow.' },
  { you: "No, we don't run Redis anywhere, and we never will. Keep them in the memory of the process." },
  { edit: 'src/prices.ts' },
  { agent: "You're right, I was wrong about Redis. The prices are now kept in the memory of the process." },
];

let world: TestWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

async function take(n: number, steps: Step[]): Promise<void> {
  const path = join(world.projects, PROJECT, `${ID(n)}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, workSession(ID(n), steps, `2026-01-0${n}`));
  await sync(world);
}
/** Candidates, too. */
const facts = async () => allFacts(world, PROJECT);
const verdictOn = async (query: string) =>
  (await withVerdicts(world, (await search(world, { query, filters: { role: 'assistant' } })).hits))[0]
    ?.verdict;
const stored = async () =>
  (await world.archive.files.read(PROJECT, 'memory/taken-back.json'))?.toString('utf8');

test('what a later session replaced is no fact, and is in the history of what replaced it', async () => {
  await take(1, FIRST);
  expect((await facts()).map(({ content }) => content).join()).toContain('now stored in `cookieStore`');
  expect(await stored()).toBeUndefined();
  await take(2, SECOND);
  expect((await facts()).map(({ content }) => content).join()).not.toContain('now stored in `cookieStore`');
  const kept = (await facts()).find(({ content }) => content.includes('sessionTable'));
  expect(JSON.stringify(kept?.replaced)).toContain('now stored in `cookieStore`');
  expect(await verdictOn('basket stored cookieStore survives')).toMatch(/^replaced by: “We replace/);
  // Without what replaced it, it is true again.
  const second = (await allSessions(world, PROJECT)).filter(({ sessionId }) => sessionId === ID(2));
  await unregister(world, second, { purge: true });
  await sync(world);
  expect((await facts()).map(({ content }) => content).join()).toContain('now stored in `cookieStore`');
  expect(await stored()).toBeUndefined();
  expect(await verdictOn('basket stored cookieStore survives')).toBeUndefined();
});

test('a proposal that was refused at once is found with the refusal, though no statement has it', async () => {
  await take(1, REFUSED);
  expect(await verdictOn('cache prices Redis TTL seconds')).toMatch(/^rejected: “No, we don't run Redis/);
  expect(await verdictOn('prices kept memory process wrong Redis')).toBeUndefined();
});
