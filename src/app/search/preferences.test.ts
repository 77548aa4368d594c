import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { sync } from '../sync/sync.ts';
import { search } from './search.ts';

let world: TestWorld;
const say = (cwd: string, id: string, ...said: [you: string, agent: string][]) => {
  const folder = join(world.projects, cwd.replaceAll('/', '-'));
  mkdirSync(folder, { recursive: true });
  const turns = said.map(([you, agent], at) => ({ you, agent, at: `2026-01-0${at + 1}T10:00:00.000Z` }));
  writeFileSync(join(folder, `${id}.jsonl`), transcript(cwd, id, turns));
};
beforeEach(() => {
  world = makeWorld();
  world.places.cwd = '';
});
afterEach(() => world.remove());

const sessions = async (query: string, grain: 'turn' | 'exchange' | 'session') =>
  (await search(world, { query, grain })).hits.map(({ sessionId }) => sessionId);

test('a turn with the words of the query side by side comes first', async () => {
  say('/srv/shop', 'alpha001', [
    'queue retry, retry queue: the limit of the retry',
    'Queue, limit, retry limit, queue.',
  ]);
  say('/srv/shop', 'bravo001', [
    'Among many other things that we looked at, where is the Retry Queue limit kept?',
    'There.',
  ]);
  await sync(world);
  const [first] = (await search(world, { query: 'retry queue limit' })).hits;
  expect(first?.text).toContain('Retry Queue limit');
});

test('of what fits alike the repository that one is in comes first, in every grain; a project that is named counts alone', async () => {
  for (const [cwd, id] of [
    ['/srv/aaa', 'alpha001'],
    ['/srv/shop', 'bravo001'],
    ['/srv/zzz', 'charly01'],
  ] as const)
    say(cwd, id, [`Where is the token cache of ${id} kept?`, `In the store of ${id}.`]);
  await sync(world);
  for (const grain of ['turn', 'exchange', 'session'] as const)
    for (const [cwd, id] of [
      ['/srv/shop', 'bravo001'],
      ['/srv/zzz/sub', 'charly01'],
    ] as const) {
      world.places.cwd = cwd;
      expect([grain, cwd, (await sessions('token cache', grain))[0]]).toEqual([grain, cwd, id]);
    }
});
