import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Checkouts } from '../../../test/made/checkouts.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { SessionId } from '../../core/model/ids.ts';
import { sync } from '../sync/sync.ts';
import { preparePurge } from './purge.ts';

const SHOP = 'git@github.com:acme/shop.git';
const SHIP = 'git@github.com:acme/ship.git';
const S1 = 's1' as SessionId;
let world: TestWorld;
let checkouts: Checkouts;
beforeEach(() => {
  world = makeWorld();
  checkouts = new Checkouts(world);
});
afterEach(() => world.remove());

async function foldersWith(session: SessionId): Promise<string[]> {
  const found: string[] = [];
  for (const project of await world.archive.projects())
    if ((await world.archive.open(project))!.manifest.sessions[session]) found.push(project);
  return found;
}

async function purge(session: string, project?: string): Promise<string[]> {
  const target = { kind: 'session' as const, session, ...(project === undefined ? {} : { project }) };
  const { left } = await (await preparePurge(world, target)).carryOut();
  return left.map(({ path }) => path);
}

test('a session that went on in two folders of a repository is purged in both', async () => {
  const [main, other] = [checkouts.make('shop', SHOP), checkouts.make('shop-2', SHOP)];
  checkouts.session(S1, main, 'Prices are in cents.');
  checkouts.session(S1, other, 'Prices are in euros.');
  await sync(world);
  expect(await foldersWith(S1)).toHaveLength(2);
  expect(await purge(S1, main)).toEqual([]);
  expect(await foldersWith(S1)).toEqual([]);
});

test('another repository that has a session of the same id keeps its own', async () => {
  const [shop, ship] = [checkouts.make('shop', SHOP), checkouts.make('ship', SHIP)];
  checkouts.session(S1, shop, 'Prices are in cents.');
  checkouts.session(S1, ship, 'The anchor is iron.');
  await sync(world);
  expect(await purge(S1, shop)).toEqual([]);
  const [kept, ...others] = await foldersWith(S1);
  expect(others).toEqual([]);
  const path = world.archive.originals.path(kept as Parameters<typeof world.archive.open>[0], 's1.jsonl');
  expect(existsSync(path)).toBe(true);
});

test('a copy without a record, left by an import that was cut off, goes with the session', async () => {
  const [shop, ship] = [checkouts.make('shop', SHOP), checkouts.make('ship', SHIP)];
  checkouts.session(S1, shop, 'Prices are in cents.');
  checkouts.session('s2', ship, 'The anchor is iron.');
  await sync(world);
  const [purged] = await foldersWith(S1);
  const other = (await world.archive.projects()).find((project) => project !== purged)!;
  const orphan = world.archive.originals.path(other, 's1.jsonl');
  mkdirSync(dirname(orphan), { recursive: true });
  writeFileSync(orphan, '{"sessionId":"s1"}\n');
  expect(await purge(S1)).toEqual([]);
  expect(existsSync(orphan)).toBe(false);
});
