import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import { workSession } from '../../../test/made/work.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import { listRemotes, remoteKeyText, remotesOf } from '../segment/remote-record.ts';
import { sync } from '../sync/sync.ts';
import { addRemote } from './add-remote.ts';
import { prepareWholePurge } from './purge-sealed.ts';
import { removeRemote } from './remove-remote.ts';
import { approveRemote, shareProjects } from './share.ts';
import { syncRemote } from './sync-remote.ts';

const PROJECT = '-srv-shop';
let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

async function say(world: TestWorld, session: string): Promise<void> {
  mkdirSync(join(world.projects, PROJECT), { recursive: true });
  const lines = workSession(session, [{ you: 'Prices are in cents.' }, { agent: 'Understood.' }]);
  writeFileSync(join(world.projects, PROJECT, `${session}.jsonl`), lines);
  await sync(world);
}

/** A machine that sent a session, and has another one to send. */
async function sender(): Promise<TestWorld> {
  const world = machines.add();
  await say(world, 's1');
  await addRemote(world, { address: machines.store });
  await shareProjects(world, { all: true });
  await approveRemote(world);
  await syncRemote(world, 'home');
  await say(world, 's2');
  return world;
}

const DAMAGED: [how: string, damage: (text: string) => string, code: string][] = [
  ['cut off', (text) => text.slice(0, -20), 'corrupt'],
  ['of another form', (text) => text.replace('"seed":"', '"seed":"AA'), 'corrupt'],
  ['of a newer version', (text) => text.replace('"version":1', '"version":9'), 'newer-version'],
];

test.each(DAMAGED)('a device key that is %s is reported, and stays as it is', async (_, damage, code) => {
  const world = await sender();
  const { files } = await remotesOf(world);
  const sound = (await files.read('device.json'))!.toString('utf8');
  const damaged = damage(sound);
  await files.write('device.json', damaged);
  const hint = expect.stringContaining('remotes/device.json');
  await expect(syncRemote(world, 'home')).rejects.toMatchObject({ code, hint });
  await expect(addRemote(world, { address: `${machines.store}2` })).rejects.toMatchObject({ code });
  expect((await files.read('device.json'))!.toString('utf8')).toBe(damaged);
  expect((await listRemotes(world)).map(({ name }) => name)).toEqual(['home']);
  await files.write('device.json', sound);
  expect((await syncRemote(world, 'home')).pushed.sessions).toBe(1);
});

async function damageState(world: TestWorld): Promise<{ file: string; sound: Buffer }> {
  const { files } = await remotesOf(world);
  const names = (await files.list('home/repos')).filter((name) => name.endsWith('/state.json'));
  const file = `home/repos/${names[0]}`;
  const sound = (await files.read(file))!;
  await files.write(file, sound.subarray(0, -20));
  return { file, sound };
}

test('a damaged state of a project is reported and stays as it is; a purge says that the remote still waits for it', async () => {
  const world = await sender();
  const { files } = await remotesOf(world);
  const { file, sound } = await damageState(world);
  const hint = expect.stringContaining(`remotes/${file}`);
  await expect(syncRemote(world, 'home')).rejects.toMatchObject({ code: 'corrupt', hint });
  const { carryOut } = await prepareWholePurge(world, { kind: 'session', session: 's1' });
  expect((await carryOut()).remotes).toMatchObject([
    { remote: 'home', trouble: expect.stringContaining("can't be read") },
  ]);
  expect(await files.read(file)).toEqual(sound.subarray(0, -20));
  await files.write(file, sound);
  expect((await syncRemote(world, 'home')).pushed).toMatchObject({ sessions: 1 });
  expect(await received(await remoteKeyText(world, 'home'))).toEqual(['s2']);
});

test('without a backup of the state, a remote that is removed and added again has each session once', async () => {
  const world = await sender();
  await damageState(world);
  const key = await remoteKeyText(world, 'home');
  await removeRemote(world, { name: 'home' });
  await addRemote(world, { address: machines.store, key });
  await shareProjects(world, { all: true });
  await approveRemote(world);
  await syncRemote(world, 'home');
  expect((await syncRemote(world, 'home')).pushed.sessions).toBe(0);
  expect(await received(key)).toEqual(['s1', 's2']);
});

/** The sessions that a new machine gets. */
async function received(key: string): Promise<string[]> {
  const world = machines.add();
  await addRemote(world, { address: machines.store, key });
  await syncRemote(world, 'home');
  const ids: string[] = [];
  for (const project of await world.archive.projects())
    ids.push(...Object.keys((await world.archive.open(project))!.manifest.sessions));
  return ids.sort();
}
