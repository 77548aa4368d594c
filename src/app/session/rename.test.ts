import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import { findSession } from '../find/session.ts';
import { search } from '../search/search.ts';
import { sync } from '../sync/sync.ts';
import { renameSession } from './rename.ts';

let world: TestWorld;
const turns = [{ you: 'How do we round prices?', agent: 'Half up.' }];
const write = (more: typeof turns = []) => {
  const folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'one.jsonl'), transcript('/srv/shop', 'one', [...turns, ...more]));
};
beforeEach(async () => {
  world = makeWorld();
  write();
  await sync(world);
});
afterEach(() => world.remove());
const called = async () => sessionTitle((await findSession(world, 'one')).row);

test("a session keeps the user's name while it grows, and gets its title back when asked", async () => {
  const title = await called();
  expect(sessionTitle(await renameSession(world, { session: 'one', name: ' Rounding for good ' }))).toBe(
    'Rounding for good',
  );
  write([{ you: 'And the basket total?', agent: 'Half up, too.' }]);
  await sync(world);
  expect(await called()).toBe('Rounding for good');
  const { hits } = await search(world, { query: 'basket total' });
  expect(hits[0]).toMatchObject({ title: 'Rounding for good' });
  await renameSession(world, { session: 'one', name: '' });
  expect(await called()).toBe(title);
});

test('a name is one line of bounded length, without secrets; the history does not repeat it', async () => {
  for (const name of ['a\nb', 'x'.repeat(201)])
    await expect(renameSession(world, { session: 'one', name })).rejects.toMatchObject({ code: 'usage' });
  await renameSession(world, { session: 'one', name: 'Uses ghp_abcdefghijklmnopqrstuvwxyz0123456789' });
  expect(await called()).toBe('Uses [redacted:github]');
  await renameSession(world, { session: 'one', name: 'Lighthouse' });
  const history = join(world.archive.root, 'projects', '-srv-shop', 'history.jsonl');
  expect(readFileSync(history, 'utf8')).not.toContain('Lighthouse');
});
