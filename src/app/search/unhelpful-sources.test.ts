import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { recall } from '../recall/recall.ts';
import { sync } from '../sync/sync.ts';
import { search } from './search.ts';
import { FEEDBACK_FILE } from './unhelpful-sources.ts';

let world: TestWorld;
const project = '-srv-shop' as ProjectId;
const TOPIC = 'rounding of prices in invoices';
beforeEach(async () => {
  world = makeWorld();
  mkdirSync(join(world.projects, project));
  const say = (id: string, day: number, you: string, agent: string) =>
    writeFileSync(
      join(world.projects, project, `${id}.jsonl`),
      transcript('/srv/shop', id, [{ you, agent, at: `2026-01-0${day}T10:00:00.000Z` }]),
    );
  say('alpha001', 1, 'How is the rounding of prices in invoices done?', 'Half up, in `roundPrice`.');
  say(
    'bravo001',
    2,
    'Where is the rounding of prices of invoices tested?',
    'Prices: in the suite of the counter.',
  );
  await sync(world);
});
afterEach(() => world.remove());

const firstOf = async (grain: 'turn' | 'exchange' | 'session') =>
  (await search(world, { query: TOPIC, grain })).hits[0]!;

test('what did not help comes later in every grain and in recall, in its project and until it is taken back', async () => {
  const best = await firstOf('exchange');
  expect(best.sessionId).toBe('alpha001');
  const before = (await recall(world, { topic: TOPIC, project })).text;
  expect(before.indexOf('roundPrice')).toBeLessThan(before.indexOf('of the counter'));
  const rate = (sources: object[]) =>
    world.archive.files.write(
      project,
      FEEDBACK_FILE,
      JSON.stringify({ version: 1, unhelpful: [{ id: 'in_1', at: '2026-01-03T00:00:00Z', sources }] }),
    );
  await rate([{ session: 'alpha001', exchange: best.exchange.id }]);
  for (const grain of ['turn', 'exchange', 'session'] as const)
    expect([grain, (await firstOf(grain)).sessionId]).toEqual([grain, 'bravo001']);
  const after = (await recall(world, { topic: TOPIC, project })).text;
  expect(after.indexOf('roundPrice')).toBeGreaterThan(after.indexOf('of the counter'));
  await rate([]);
  expect((await firstOf('exchange')).sessionId).toBe('alpha001');
});

test('the only one that has all that was asked comes last, too, and its score says so', async () => {
  const ask = { query: 'roundPrice half up', grain: 'exchange' as const };
  const [best] = (await search(world, ask)).hits;
  expect(best?.sessionId).toBe('alpha001');
  await world.archive.files.write(
    project,
    FEEDBACK_FILE,
    JSON.stringify({
      version: 1,
      unhelpful: [
        {
          id: 'in_1',
          at: '2026-01-03T00:00:00Z',
          sources: [{ session: 'alpha001', exchange: best!.exchange.id }],
        },
      ],
    }),
  );
  const { hits } = await search(world, { ...ask, query: 'roundPrice half up of prices in invoices' });
  expect(hits.map(({ sessionId }) => sessionId)).toEqual(['bravo001', 'alpha001']);
  expect(hits[1]!.score).toBeLessThan(hits[0]!.score);
});
