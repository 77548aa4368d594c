import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Turn, transcript } from '../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../test/made/world.ts';
import { suggest } from './suggest.ts';
import { sync } from './sync.ts';

let world: TestWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

function session(cwd: string, number: number, turns: Turn[]): string {
  const id = `${String(number).padStart(8, '0')}-aaaa-4aaa-8aaa-000000000001`;
  const folder = join(world.projects, cwd.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.jsonl`), transcript(cwd, id, turns));
  return id;
}

describe('suggest', () => {
  it('measures a session by those of the project asked for, not by others that say more of the topic', async () => {
    for (let number = 1; number <= 3; number++)
      session('/home/me/api', number, [{ you: 'Warm the token cache, the token cache.' }]);
    const wanted = session('/home/me/shop', 500, [
      { you: 'Bake the bread.', agent: `${'It is in the oven. '.repeat(60)} There was a token on it.` },
    ]);
    await sync(world);
    const { items } = await suggest(world, { topics: ['token cache'], project: 'shop' });
    expect(items.map((item) => item.sessionId)).toEqual([wanted]);
    expect(items[0]!.matchedTopics).toEqual(['token cache']);
  });

  it('takes small words for no topic', async () => {
    session('/home/me/shop', 1, [{ you: 'Bake the bread.' }]);
    await sync(world);
    expect((await suggest(world, { topics: ['the of and'], project: 'shop' })).items).toEqual([]);
    const both = await suggest(world, { topics: ['the', 'bread'], project: 'shop' });
    expect(both.items[0]).toMatchObject({ matchedTopics: ['bread'] });
  });

  it('counts as recent what is so beside the newest session, whatever the clock says', async () => {
    session('/home/me/shop', 1, [{ you: 'Bread.', at: '2020-01-01T10:00:00.000Z' }]);
    const newest = session('/home/me/shop', 2, [{ you: 'Rolls.', at: '2020-02-01T10:00:00.000Z' }]);
    await sync(world);
    const [first] = (await suggest(world, { project: 'shop' })).items;
    expect(first).toMatchObject({ sessionId: newest, relevanceScore: 1 });
  });
});
