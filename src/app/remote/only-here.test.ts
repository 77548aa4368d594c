import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Checkouts } from '../../../test/made/checkouts.ts';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import { openSegment } from '../../core/remote/open-segment.ts';
import { parseSegmentName } from '../../core/remote/segment-name.ts';
import { bringIndexUp } from '../search/bring-index-up.ts';
import { notHeldHere } from '../segment/not-held.ts';
import { openRemote, readRemote } from '../segment/remote-record.ts';
import { sync } from '../sync/sync.ts';
import { type AddRemoteRequest, addRemote } from './add-remote.ts';
import { prepareWholePurge } from './purge-sealed.ts';
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
  return (await desk()).key;
}

async function desk(more = ''): Promise<{ world: TestWorld; key: string }> {
  const { world, checkouts } = machine();
  checkouts.session('s1', checkouts.make('shop', SHOP), `Prices are in cents.${more}`);
  checkouts.session('s2', checkouts.make('ship', SHIP), `The anchor is iron.${more}`);
  await sync(world);
  return { world, key: await sends(world) };
}

async function sends(world: TestWorld, request: Partial<AddRemoteRequest> = {}): Promise<string> {
  const { key } = await addRemote(world, { address: machines.store, ...request });
  await shareProjects(world, { all: true });
  await approveRemote(world);
  await syncRemote(world, 'home');
  return key!;
}

/** Sessions in which it is, and what lies in the store of it. */
async function placesOf(world: TestWorld, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const project of await world.archive.projects())
    for (const session of Object.keys((await world.archive.open(project))!.manifest.sessions))
      if (readFileSync(world.archive.originals.path(project, `${session}.jsonl`), 'utf8').includes(text))
        found.push(session);
  const remote = await openRemote(world, await readRemote(world, 'home'));
  for (const { name } of await remote.store.list('r/')) {
    const opened = openSegment(parseSegmentName(name)!, (await remote.store.get(name))!, remote);
    if (opened.state !== 'read' || opened.lines.some((line) => line.includes(text))) found.push(name);
  }
  return found;
}

async function sessionsOf(world: TestWorld): Promise<string[]> {
  const ids: string[] = [];
  for (const project of await world.archive.projects())
    ids.push(...Object.keys((await world.archive.open(project))!.manifest.sessions));
  return ids.sort();
}

test('a light machine has the sessions of its own repositories, shared there or not', async () => {
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

test('a search that finds nothing can say what this machine leaves on its remotes', async () => {
  const key = await sentBoth();
  const { world, checkouts } = machine();
  checkouts.session('s3', checkouts.make('elsewhere', SHOP), 'Add a test.');
  await sync(world);
  expect(await notHeldHere(world)).toEqual([]);
  await addRemote(world, { address: machines.store, key, pull: 'here', light: true });
  expect(await notHeldHere(world)).toEqual([
    expect.stringContaining('only the projects of the remote home that you work on here'),
    expect.stringContaining('only the messages of sessions from the remote home'),
  ]);
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

test('a text that is purged where only one repository is held goes from the others, too, once a machine that has them syncs', async () => {
  const { world: full, key } = await desk(' The customer is called Heronsgate.');
  const { world, checkouts } = machine();
  checkouts.session('s3', checkouts.make('elsewhere', SHOP), 'Add a test for Heronsgate.');
  await sync(world);
  await sends(world, { key, pull: 'here', light: true });
  expect(await sessionsOf(world)).toEqual(['s1', 's3']);
  const { carryOut } = await prepareWholePurge(world, { kind: 'text', text: 'Heronsgate' });
  await carryOut();
  for (const it of [world, full, world]) await syncRemote(it, 'home');
  expect(await sessionsOf(full)).toEqual(['s1', 's2', 's3']);
  expect(await placesOf(full, 'Heronsgate')).toEqual([]);
});
