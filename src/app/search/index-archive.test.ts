import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { toProjectId } from '../../core/model/ids.ts';
import { cachedArchive } from '../cached-archive.ts';
import { allSessions } from '../find/sessions.ts';
import { unregister } from '../purge/unregister.ts';
import { sync } from '../sync/sync.ts';
import type { World } from '../world.ts';
import { search } from './search.ts';

let made: TestWorld;
let world: World;
/** A sync that leaves the index alone. */
let elsewhere: World;
beforeEach(() => {
  made = makeWorld();
  world = { ...made, archive: cachedArchive(made.archive) };
  elsewhere = { ...made, index: made.scratchIndex() };
});
afterEach(async () => {
  await elsewhere.index.destroy();
  await made.remove();
});

const said = (session: string, n: number, text: string) =>
  `${JSON.stringify({ type: 'user', message: { role: 'user', content: text }, uuid: `${session}-${n}`, timestamp: `2026-03-0${n}T10:00:00Z`, cwd: '/srv/shop', sessionId: session })}\n`;
const file = (session: string) => join(made.projects, `${session}.jsonl`);
const found = async (query: string) =>
  (await search(world, { query })).hits.map(({ sessionId }) => sessionId).sort();

test('a long-running process reads only sessions that changed, and finds what a new index finds', async () => {
  for (const id of ['one', 'two', 'three']) writeFileSync(file(id), said(id, 1, 'The brass bell rings.'));
  await sync(elsewhere);
  expect(await found('brass')).toEqual(['one', 'three', 'two']);
  const all = vi.spyOn(world.index, 'cursors');
  const one = vi.spyOn(world.index, 'cursor');
  writeFileSync(file('four'), said('four', 2, 'Another brass bell.'));
  appendFileSync(file('two'), said('two', 3, 'The rope is new.'));
  await sync(elsewhere);
  expect(await found('brass')).toEqual(['four', 'one', 'three', 'two']);
  expect(await found('rope')).toEqual(['two']);
  expect(all).not.toHaveBeenCalled();
  one.mockClear();
  const rename = { at: ['sessions', 'three'], merge: { name: 'Ropes and bells' } };
  await made.archive.change(toProjectId('-srv-shop'), [rename], []);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await found('rope')).toEqual(['two']);
  expect(one.mock.calls.map(([, , name]) => name)).toEqual(['three']);
  // What another process has put in meanwhile, or what is gone, is looked at as a whole.
  const [row] = (await allSessions(world)).filter(({ sessionId }) => sessionId === 'one');
  await unregister(world, [row!], {});
  expect(await found('brass')).toEqual(['four', 'three', 'two']);
  expect(all).toHaveBeenCalled();
  await world.index.destroy();
  expect(await found('brass')).toEqual(['four', 'three', 'two']);
  expect(await found('rope')).toEqual(['two']);
});
