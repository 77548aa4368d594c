import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { SessionId } from '../../core/model/ids.ts';
import { allSessions } from '../find/sessions.ts';
import { sync } from '../sync/sync.ts';
import { noteSpawned } from './spawned-sessions.ts';

let world: TestWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

test('a session that Keepsake itself started belongs to nobody', async () => {
  const folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  const [own, users] = [1, 2].map((n) => `${n}1111111-aaaa-4aaa-8aaa-00000000000${n}`) as [string, string];
  for (const id of [own, users])
    writeFileSync(
      join(folder, `${id}.jsonl`),
      transcript('/srv/shop', id, [{ you: 'Hello.', agent: 'Hi.' }]),
    );
  await noteSpawned(world, own as SessionId);
  await sync(world);
  expect((await allSessions(world)).map(({ sessionId }) => sessionId)).toEqual([users]);
});
