import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeModelServer } from '../../../test/made/fake-model-server.ts';
import { makeModelWorld } from '../../../test/made/model-world.ts';
import { capText, readCap } from '../../core/model/daily-cap.ts';
import { type Engine, openEngine } from './engine.ts';
import { ledgerCalls, reserve, settle, spentToday } from './ledger.ts';

let fake: FakeModelServer;
let world: ReturnType<typeof makeModelWorld>;
beforeEach(async () => {
  fake = await FakeModelServer.start();
  world = makeModelWorld(fake);
});
afterEach(async () => {
  await world.remove();
  await fake.stop();
});

async function engineWith(dailyCap: string): Promise<Engine> {
  await world.settings.writeGlobal(() => ({ model: { dailyCap } }));
  return openEngine(world, (await world.settings.resolve()).config, 'opus');
}
const MOST = { input: 800, output: 200 };

test('however many ask at once, together they never pass the cap', async () => {
  const engine = await engineWith('5000 tokens');
  const asked = await Promise.allSettled(
    Array.from({ length: 12 }, () => reserve(world, engine, { use: 'compress' }, MOST)),
  );
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  expect(asked.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'over-cap' } });
  const first = asked.find((it) => it.status === 'fulfilled')!;
  await settle(world, engine, first.value, { input: 10, output: 0, outcome: 'answered' });
  // What it did not take is there for the next one; what never ended still counts whole.
  await expect(
    reserve(world, engine, { use: 'compress' }, { input: 900, output: 90 }),
  ).resolves.toBeDefined();
  await expect(reserve(world, engine, { use: 'compress' }, { input: 1, output: 0 })).rejects.toMatchObject({
    code: 'over-cap',
  });
  expect(await spentToday(world)).toMatchObject({
    calls: 6,
    input: 800 * 4 + 10 + 900,
    output: 200 * 4 + 90,
  });
});

test('a line that was cut off by a crash is skipped, and the next one is complete', async () => {
  const engine = await engineWith('none');
  const line = await reserve(world, engine, { use: 'compress' }, MOST);
  appendFileSync(join(world.places.archive, 'ledger', `${line.at.slice(0, 7)}.jsonl`), '{"at":"2026-06-0');
  await settle(world, engine, line, { input: 5, output: 6, outcome: 'answered' });
  expect(await ledgerCalls(world)).toMatchObject([{ call: line.call, ended: true, input: 5, output: 6 }]);
});

test('another day starts at nothing', async () => {
  const engine = await engineWith('1000 tokens');
  await reserve(world, engine, { use: 'compress' }, MOST);
  const tomorrow = { ...world, clock: { ...world.clock, now: () => '2026-07-01T08:00:00.000Z' } };
  expect(await spentToday(tomorrow)).toMatchObject({ calls: 0 });
  await expect(reserve(tomorrow, engine, { use: 'compress' }, MOST)).resolves.toBeDefined();
});

test('caps are read as people write them', () => {
  expect(['5', '$5', '5 USD', '5usd', '0.50 USD'].map(readCap)).toEqual(
    [5, 5, 5, 5, 0.5].map((amount) => ({ in: 'usd', amount })),
  );
  expect(readCap('200_000 tokens')).toEqual({ in: 'tokens', amount: 200_000 });
  expect(readCap('None')).toBe('none');
  for (const bad of ['', 'much', '-5', '5 EUR', '$5 tokens', '1e3', '5 USD a day'])
    expect(readCap(bad)).toBeUndefined();
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), (amount) => {
      expect(readCap(capText({ in: 'tokens', amount }))).toEqual({ in: 'tokens', amount });
    }),
  );
});
