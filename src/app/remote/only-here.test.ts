import { afterEach, beforeEach, expect, test } from 'vitest';
import { Checkouts } from '../../../test/made/checkouts.ts';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import { bringIndexUp } from '../search/bring-index-up.ts';
import { sync } from '../sync/sync.ts';
import { addRemote } from './add-remote.ts';
import { approveRemote, shareProjects } from './share.ts';
import { syncRemote } from './sync-remote.ts';

const SHOP = 'git@github.com:acme/shop.git';
const SHIP = 'git@github.com:acme/ship.git';
let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

function machine(): { world: TestWorld; checkouts: Checkouts } {
  const world = machines.add();
  return { world, checkouts: new Checkouts(world) };
}

/** A machine that works on both, and sent them. */
async function sentBoth(): Promise<string> {
  const { world, checkouts } = machine();
  checkouts.session('s1', checkouts.make('shop', SHOP), 'Prices are in cents.');
  checkouts.session('s2', checkouts.make('ship', SHIP), 'The anchor is iron.');
  await sync(world);
  const { key } = await addRemote(world, { address: machines.store });
  await shareProjects(world, { all: true });
  await approveRemote(world);
  await syncRemote(world, 'home');
  return key!;
}

async function sessionsOf(world: TestWorld): Promise<string[]> {
  const ids: string[] = [];
  for (const project of await world.archive.projects())
    ids.push(...Object.keys((await world.archive.open(project))!.manifest.sessions));
  return ids.sort();
}

test('a machine that brings only what it works on has the sessions of its own repositories, shared there or not', async () => {
  const key = await sentBoth();
  const { world, checkouts } = machine();
  checkouts.session('s3', checkouts.make('elsewhere', SHOP), 'Add a test.');
  await sync(world);
  await addRemote(world, { address: machines.store, key, pull: 'here' });
  expect((await syncRemote(world, 'home')).pulled.sessions).toBe(1);
  expect(await sessionsOf(world)).toEqual(['s1', 's3']);
  await bringIndexUp(world);
  const indexed = [...(await world.index.cursors()).keys()].filter((key) => key.includes('/session/'));
  expect(indexed.map((key) => key.split('/')[2]).sort(), 'its index has nothing else').toEqual(['s1', 's3']);
  // It begins to work on the other one: from the next sync on that comes, too.
  checkouts.session('s4', checkouts.make('ship', SHIP), 'Paint it.');
  await sync(world);
  expect((await syncRemote(world, 'home')).pulled.sessions).toBe(1);
  expect(await sessionsOf(world)).toEqual(['s1', 's2', 's3', 's4']);
});

test('in a fresh checkout, before its first session, it has what is known of that repository', async () => {
  const key = await sentBoth();
  const { world, checkouts } = machine();
  const ship = checkouts.make('new-clone', SHIP);
  const there = { ...world, places: { ...world.places, cwd: ship } };
  await addRemote(there, { address: machines.store, key, pull: 'here' });
  expect((await syncRemote({ ...there, places: world.places }, 'home')).pulled.sessions).toBe(0);
  expect((await syncRemote(there, 'home')).pulled.sessions).toBe(1);
  expect(await sessionsOf(world)).toEqual(['s2']);
});
