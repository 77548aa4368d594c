import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sanitizePath } from '../../src/core/model/ids.ts';
import { transcript } from '../made/conversation.ts';
import { makeScenario, type Scenario } from '../made/http-scenario.ts';

let made: Scenario;
beforeAll(async () => {
  made = await makeScenario();
});
afterAll(async () => {
  await made.world.remove();
});

test('all sessions are registered at once, including those that were unregistered', async () => {
  const { client, world, shop } = made;
  await client.call('delete /api/memory/sessions/{sessionId}', { sessionId: 'two' });
  const late = join(world.projects, sanitizePath(shop), 'late.jsonl');
  writeFileSync(late, transcript(shop, 'late', [{ you: 'Late?', agent: 'Not too late.' }]));
  const batch = 'post /api/memory/sessions/batch';
  const { status, json } = await client.call(batch, {}, { body: { all: true } });
  expect([status, json.sessions.map(({ sessionId }) => sessionId)]).toEqual([
    201,
    expect.arrayContaining(['one', 'two', 'late', 'twin']),
  ]);
  const two = await client.call('get /api/memory/sessions/{sessionId}', { sessionId: 'two' });
  expect(two.json.registered).toBe(true);
  for (const body of [{}, { all: true, targets: ['one'] }, { all: false }])
    expect((await client.call(batch, {}, { body })).status).toBe(400);
});

test('the sample can be added and removed', async () => {
  const { client } = made;
  const remove = 'delete /api/memory/sample';
  expect((await client.call(remove)).status).toBe(404);
  await client.call('post /api/memory/sync', {}, { body: { sample: true } });
  const samples = async () =>
    (await client.call('get /api/memory/projects')).json.items.filter((it) => it.sample).length;
  expect(await samples()).toBe(1);
  expect((await client.call(remove)).json).toMatchObject({ purged: true });
  expect(await samples()).toBe(0);
  expect((await client.call(remove)).status).toBe(404);
});

test("a keepit is removed from the agent's own file, while that is in use only with force", async () => {
  const { client, world, shop } = made;
  const file = join(world.projects, sanitizePath(shop), 'one.jsonl');
  const now = world.clock.millis() / 1000;
  utimesSync(file, now, now);
  const { json } = await client.call('get /api/memory/sessions/{sessionId}/keepits', { sessionId: 'one' });
  const marker = { sessionId: 'one', markerId: json.items.at(-1)?.markerId ?? '', writeOriginal: 'true' };
  const remove = 'delete /api/memory/sessions/{sessionId}/keepits/{markerId}';
  expect((await client.call(remove, marker)).problem.code).toBe('busy');
  const done = await client.call(remove, { ...marker, force: 'true' });
  expect(done.json.original).toMatchObject({ file, changed: true });
});
