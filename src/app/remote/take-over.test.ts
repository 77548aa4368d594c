import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Checkouts } from '../../../test/made/checkouts.ts';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import { workSession } from '../../../test/made/work.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import { openRemote, readRemote } from '../segment/remote-record.ts';
import { sync } from '../sync/sync.ts';
import { addRemote } from './add-remote.ts';
import { prepareWholePurge } from './purge-sealed.ts';
import { remoteStatus, retireDevice } from './remote-status.ts';
import { approveRemote, shareProjects } from './share.ts';
import { syncRemote } from './sync-remote.ts';

const ORIGIN = 'git@github.com:acme/shop.git';
const S1 = 'session-first-1';
let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

async function machine(session: string, text: string, key?: string, light = false) {
  const world = machines.add();
  const checkouts = new Checkouts(world);
  const shop = checkouts.make('shop', ORIGIN);
  checkouts.session(session, shop, text);
  await sync(world);
  const added = await addRemote(world, { address: machines.store, ...(key !== undefined && { key, light }) });
  await shareProjects(world, { all: true });
  await approveRemote(world);
  await syncRemote(world, 'home');
  return { world, checkouts, shop, key: added.key!, device: added.device.id };
}

/** Every session of an archive has its copy. */
async function expectCopies(world: TestWorld): Promise<void> {
  for (const id of await world.archive.projects())
    for (const session of Object.keys((await world.archive.open(id))!.manifest.sessions))
      expect(await world.archive.originals.size(id, `${session}.jsonl`), session).toBeGreaterThan(0);
}

/** The originals of a session, in whatever folders they are. */
async function originals(world: TestWorld): Promise<string[]> {
  const found: string[] = [];
  for (const project of await world.archive.projects())
    for (const id of Object.keys((await world.archive.open(project))!.manifest.sessions))
      if (id.startsWith(S1))
        found.push(readFileSync(world.archive.originals.path(project, `${id}.jsonl`), 'utf8'));
  return found;
}

async function resume(world: TestWorld, cwd: string, from = world): Promise<void> {
  const [before] = await originals(from);
  const more = workSession(S1, [{ you: 'And tag it as osprey.' }, { agent: 'Tagged.' }], undefined, cwd);
  const folder = join(world.projects, cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${S1}.jsonl`), before + more.replaceAll(`${S1}-0`, `${S1}-later-0`));
  await sync(world);
}

test.each(['before', 'after'])(
  'a session of a retired machine that is resumed in another folder %s its purge was sent is there once',
  async (when) => {
    const { key } = await machine(S1, 'Push to the kingfisher branch for Heronsgate.');
    const second = await machine('session-other-2', 'Add a test.', key);
    const third = await machine('session-third-3', 'Add a page.', key);
    const { world } = second;
    const gone = (await remoteStatus(world))[0]!.devices.find(({ isThis }) => !isThis)!;
    await retireDevice(world, { device: gone.id });
    const { carryOut } = await prepareWholePurge(world, { kind: 'text', text: 'Heronsgate' });
    expect((await carryOut()).left).toEqual([]);
    if (when === 'after') await syncRemote(world, 'home');
    await resume(world, second.checkouts.worktree(second.shop, 'shop-fix'));
    for (const it of [world, third.world, world, third.world]) await syncRemote(it, 'home');
    const [here, ...more] = await originals(world);
    expect(more, 'the stream that it begins with is in it').toEqual([]);
    expect(here).toContain('kingfisher');
    expect(here).toContain('osprey');
    expect(await originals(third.world)).toEqual([here]);
    for (const it of [world, third.world]) expect((await syncRemote(it, 'home')).pushed.segments).toBe(0);
  },
);

test('that a machine is retired is sent by the next sync, also where there was nothing to do before', async () => {
  const first = await machine(S1, 'Push to the kingfisher branch for Heronsgate.');
  const second = await machine('session-other-2', 'Add a test.', first.key);
  const third = await machine('session-third-3', 'Add a page.', first.key);
  const { carryOut } = await prepareWholePurge(third.world, { kind: 'text', text: 'Heronsgate' });
  await carryOut();
  const notes: string[] = [];
  for (let round = 0; round < 3; round++)
    for (const { world } of [third, second]) notes.push(...(await syncRemote(world, 'home')).notes);
  expect(notes, 'its purges are carried out, there is nothing for the user to do').toEqual([]);
  const gone = (await remoteStatus(second.world))[0]!.devices.find(({ id }) => id === first.device)!;
  await retireDevice(second.world, { device: gone.id });
  expect((await syncRemote(second.world, 'home')).pushed.segments).toBeGreaterThan(0);
  await syncRemote(third.world, 'home');
  const seen = (await remoteStatus(third.world))[0]!.devices.find(({ id }) => id === gone.id);
  expect(seen?.isRetired).toBe(true);
});

test('a session that was resumed in another folder is there once, also where it is not known any more that it came from elsewhere', async () => {
  const first = await machine(S1, 'Push to the kingfisher branch.');
  const { world, checkouts, shop } = await machine('session-other-2', 'Add a test.', first.key);
  const { files } = await world.remotes!();
  for (const name of await files.list('home/repos'))
    if (name.endsWith('/state.json')) {
      const state = JSON.parse((await files.read(`home/repos/${name}`))!.toString());
      await files.write(`home/repos/${name}`, JSON.stringify({ ...state, received: {} }));
    }
  await resume(world, checkouts.worktree(shop, 'shop-fix'));
  await syncRemote(world, 'home');
  const [here, ...more] = await originals(world);
  expect(here).toContain('osprey');
  expect(more).toEqual([]);
  const events = [];
  for (const project of await world.archive.projects())
    events.push(...(await world.archive.history(project)));
  const dropped = events.find(({ action }) => action === 'unregister');
  expect(dropped?.note).toBe('Another copy of this session contains all of it.');
});

test('a session whose copy was removed before a kill leaves no record behind, where another stream holds all of it', async () => {
  const first = await machine(S1, 'Push to the kingfisher branch.');
  const { world, checkouts, shop } = await machine('session-other-2', 'Add a test.', first.key);
  const [project] = await world.archive.projects();
  await resume(world, checkouts.worktree(shop, 'shop-fix'));
  await world.archive.originals.remove(project!, `${S1}.jsonl`);
  await syncRemote(world, 'home');
  await expectCopies(world);
});

test('talk whose file was removed before a kill leaves no record behind, where an original has all that was said', async () => {
  const first = await machine(S1, 'Push to the kingfisher branch.');
  const { world, checkouts, shop } = await machine('session-other-2', 'Add a test.', first.key, true);
  const [project] = await world.archive.projects();
  expect((await world.archive.open(project!))!.manifest.sessions[S1]?.metadata.agent).toBe('talk');
  await world.archive.originals.remove(project!, `${S1}.jsonl`);
  await resume(world, checkouts.worktree(shop, 'shop-fix'), first.world);
  await syncRemote(world, 'home');
  await expectCopies(world);
});

test('the talk of an original that a retired machine sent without it reaches light machines', async () => {
  const first = await machine(S1, 'Push to the kingfisher branch.');
  const second = await machine('session-other-2', 'Add a test.', first.key);
  const remote = await openRemote(first.world, await readRemote(first.world, 'home'));
  // It ended before that was sent.
  for (const { name } of await remote.store.list('r/'))
    if (name.includes(`/${first.device}/talk/`)) await remote.store.remove(name);
  const { files } = await second.world.remotes!();
  for (const name of await files.list('home/repos'))
    if (name.includes(`/${first.device}/talk/`)) await files.remove(`home/repos/${name}`);
  await retireDevice(second.world, { device: first.device });
  await syncRemote(second.world, 'home');
  const light = machines.add();
  await addRemote(light, { address: machines.store, key: first.key, light: true });
  await syncRemote(light, 'home');
  expect((await originals(light)).join()).toContain('kingfisher');
});

test('a stream with files of its subagents beside it stays, also where another one holds all of its words', async () => {
  const first = await machine(S1, 'Push to the kingfisher branch.');
  const { world, checkouts, shop } = await machine('session-other-2', 'Add a test.', first.key);
  const { files } = await world.remotes!();
  for (const name of await files.list('home/repos'))
    if (name.endsWith('/state.json')) {
      const state = JSON.parse((await files.read(`home/repos/${name}`))!.toString());
      await files.write(`home/repos/${name}`, JSON.stringify({ ...state, received: {} }));
    }
  const [project] = await world.archive.projects();
  const beside = join(world.places.home, 'agent-1.jsonl');
  writeFileSync(beside, '{"said":"osprey"}\n');
  const name = `${S1}/subagents/agent-1.jsonl`;
  await world.archive.originals.absorb(project!, name, { path: beside }, 'copy');
  await resume(world, checkouts.worktree(shop, 'shop-fix'));
  await syncRemote(world, 'home');
  expect(await world.archive.originals.size(project!, name)).toBeGreaterThan(0);
  expect(Object.keys((await world.archive.open(project!))!.manifest.sessions)).toContain(S1);
});

test('that a machine is retired is sent, also where the command was killed behind its first step', async () => {
  const first = await machine(S1, 'Push to the kingfisher branch.');
  const second = await machine('session-other-2', 'Add a test.', first.key);
  const { world } = second;
  for (let round = 0; round < 3; round++) await syncRemote(world, 'home');
  const remotes = await world.remotes!();
  const write = (name: string, bytes: string | Uint8Array) =>
    name.endsWith('/state.json') ? Promise.reject(new Error('Killed.')) : remotes.files.write(name, bytes);
  const killed: TestWorld = {
    ...world,
    remotes: async () => ({ ...remotes, files: { ...remotes.files, write } }),
  };
  await expect(retireDevice(killed, { device: first.device })).rejects.toThrow('Killed.');
  expect((await syncRemote(world, 'home')).pushed.segments).toBe(1);
});
