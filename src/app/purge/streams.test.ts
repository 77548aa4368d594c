import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Checkouts } from '../../../test/made/checkouts.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { applyChanges } from '../../core/model/change.ts';
import type { SessionId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { addKeepit } from '../keepit/change.ts';
import { sync } from '../sync/sync.ts';
import { preparePurge } from './purge.ts';
import { purgeChanges } from './unregister.ts';

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

test('a copy without a record, left by an interrupted import, is deleted with the session', async () => {
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

test('a purge of a session in two folders waits once for another purge', async () => {
  const [main, other] = [checkouts.make('shop', SHOP), checkouts.make('shop-2', SHOP)];
  checkouts.session(S1, main, 'Prices are in cents.');
  checkouts.session(S1, other, 'Prices are in euros.');
  await sync(world);
  let turns = 0;
  const purging: typeof world.archive.purging = (...args) => {
    turns++;
    return world.archive.purging(...args);
  };
  const counted = { ...world, archive: { ...world.archive, purging } };
  await (await preparePurge(counted, { kind: 'session', session: S1, project: main })).carryOut();
  expect(await foldersWith(S1)).toEqual([]);
  expect(turns).toBe(1);
});

test('a keepit from a machine where the session has another id is deleted with it', async () => {
  checkouts.session(S1, checkouts.make('shop', SHOP), 'Prices are in cents.');
  await sync(world);
  const project = (await world.archive.projects())[0]!;
  await addKeepit(world, S1, { text: 'Prices are in cents', weight: 0.8 });
  const [own] = (await world.archive.open(project))!.manifest.overlays;
  const append = { ...own!, overlayId: 'o_elsewhere', sessionId: 's1@0123abcd' };
  await world.archive.change(project, [{ at: ['overlays'], append }]);
  await purge(S1);
  expect((await world.archive.open(project))!.manifest.overlays).toEqual([]);
});

test.each([
  { held: ['s1'], gone: 's1', left: ['s2'] },
  { held: ['s1', 's1@0123abcd'], gone: 's1', left: ['s1@0123abcd', 's2'] },
  { held: ['s1', 's1@0123abcd'], gone: 's1@0123abcd', left: ['s1', 's1@fedc0123', 's2'] },
  { held: ['s1@0123abcd'], gone: 's1@0123abcd', left: ['s2'] },
])(
  'keepits of streams that are not here go with the session, those of one that is stay: $gone of $held',
  ({ held, gone, left }) => {
    const said = ['s1', 's1@0123abcd', 's1@fedc0123', 's2'];
    const before = {
      sessions: Object.fromEntries(held.map((id) => [id, {}])),
      overlays: said.map((sessionId) => ({ sessionId })),
      factEdits: said.map((from) => ({ action: 'add', from })),
    } as unknown as Manifest;
    const after = applyChanges(before, purgeChanges(before, gone, '2026-01-01T00:00:00.000Z'));
    expect(after.overlays.map(({ sessionId }) => sessionId)).toEqual(left);
    expect(after.factEdits!.map((edit) => (edit.action === 'add' ? edit.from : ''))).toEqual(left);
  },
);
