import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { importChats } from '../import/import-chats.ts';
import { register } from './register.ts';

let world: TestWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

/** As a hook looks: at the index as it is. */
async function linesWith(term: string): Promise<number> {
  const view = await world.index.view();
  const { length } = view.postings(term).lines;
  view.close();
  return length;
}

test('imported chats are in the index before anybody searches', async () => {
  const file = join(world.places.home, 'talk.jsonl');
  writeFileSync(file, `${JSON.stringify({ role: 'user', content: 'Where is the millstone?' })}\n`);
  await importChats(world, file, { project: 'mill' });
  expect(await linesWith('millston')).toBeGreaterThan(0);
});

test('a registered session is in the index before anybody searches', async () => {
  const id = '11111111-aaaa-4aaa-8aaa-000000000001';
  const file = join(world.places.home, `${id}.jsonl`);
  writeFileSync(file, transcript('/srv/mill', id, [{ you: 'Where is the millstone?', agent: 'Below.' }]));
  await register(world, file);
  expect(await linesWith('millston')).toBeGreaterThan(0);
});
