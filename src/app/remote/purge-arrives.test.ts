import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import { workSession } from '../../../test/made/work.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { deviceKey } from '../../core/remote/device-key.ts';
import { finishPurges } from '../purge/finish.ts';
import { stoneId } from '../segment/sent-again.ts';
import { register } from '../sync/register.ts';
import { sync } from '../sync/sync.ts';
import { addRemote } from './add-remote.ts';
import { fetchSession } from './fetch-original.ts';
import { prepareWholePurge } from './purge-sealed.ts';
import { remoteStatus, retireDevice } from './remote-status.ts';
import { approveRemote, shareProjects } from './share.ts';
import { syncRemote } from './sync-remote.ts';

const PROJECT = '-srv-shop' as ProjectId;
const DAY_MS = 86_400_000;
const SAID = [{ you: 'The customer is called Heronsgate.' }, { agent: 'Understood.' }];
/** Keys of machines, in the order in which what they sent is looked at. */
const SEEDS = [1, 2, 3]
  .map((fill) => Buffer.alloc(32, fill))
  .sort((a, b) => (deviceKey(a).device < deviceKey(b).device ? -1 : 1));

let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

function machine(order: number, daysAhead = 0): TestWorld {
  const world = machines.add();
  const later = (at: number) => at + daysAhead * DAY_MS;
  return {
    ...world,
    clock: {
      ...world.clock,
      now: () => new Date(later(Date.parse(world.clock.now()))).toISOString(),
      millis: () => later(world.clock.millis()),
    },
    remotes: async () => ({ ...(await world.remotes!()), random: () => SEEDS[order]! }),
  };
}

async function say(world: TestWorld, session: string, said = SAID): Promise<string> {
  mkdirSync(join(world.projects, PROJECT), { recursive: true });
  const path = join(world.projects, PROJECT, `${session}.jsonl`);
  writeFileSync(path, workSession(session, said));
  await sync(world);
  return path;
}

async function joined(world: TestWorld, options: { key?: string; light?: boolean } = {}): Promise<string> {
  const { key } = await addRemote(world, { address: machines.store, ...options });
  await shareProjects(world, { all: true });
  await approveRemote(world);
  await syncRemote(world, 'home');
  return key!;
}

/** Joined where nothing is known yet: first it brings what is there. */
async function brought(world: TestWorld, key: string): Promise<void> {
  await addRemote(world, { address: machines.store, key });
  await syncRemote(world, 'home');
  await shareProjects(world, { all: true });
  await approveRemote(world);
  await syncRemote(world, 'home');
}

async function purge(world: TestWorld, session: string): Promise<void> {
  await (await prepareWholePurge(world, { kind: 'session', session })).carryOut();
  await syncRemote(world, 'home');
}

async function sessions(world: TestWorld): Promise<string[]> {
  return Object.keys((await world.archive.open(PROJECT))?.manifest.sessions ?? {});
}

async function stones(world: TestWorld): Promise<string[]> {
  const { tombstones = [] } = (await world.archive.open(PROJECT))?.manifest ?? {};
  return tombstones.map(stoneId);
}

/** A machine whose next purge can't begin. */
function cutOff(world: TestWorld): TestWorld {
  const purging = () => Promise.reject(new Fault('remote', 'Killed.'));
  return { ...world, archive: { ...world.archive, purging } };
}

test.each(['has the folder', 'has nothing', 'was cut off', 'has its copy without a record'])(
  'a session and its purge come in one sync, its machine is days ahead, and the one that brings both %s: it is gone',
  async (which) => {
    const [ahead, purger, last] = [machine(0, 3), machine(1), machine(2)];
    await say(ahead, 'session-first-1');
    const key = await joined(ahead);
    await say(purger, 'session-other-2', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
    await joined(purger, { key });
    await purge(purger, 'session-first-1');
    if (which.startsWith('has the folder') || which.startsWith('has its copy'))
      await say(last, 'session-third-3', [{ you: 'Add a page.' }, { agent: 'Done.' }]);
    const copy = {
      name: 'session-first-1.jsonl',
      path: join(ahead.projects, PROJECT, 'session-first-1.jsonl'),
    };
    if (which.startsWith('has its copy'))
      await last.archive.originals.absorb(PROJECT, copy.name, copy, 'copy');
    await addRemote(last, { address: machines.store, key });
    if (which === 'was cut off')
      await expect(syncRemote(cutOff(last), 'home')).rejects.toMatchObject({ message: 'Killed.' });
    await syncRemote(last, 'home');
    expect(await sessions(last)).toContain('session-other-2');
    expect(await sessions(last)).not.toContain('session-first-1');
    expect(await last.archive.originals.list(PROJECT)).not.toContain(copy.name);
  },
);

test('a session that its user registers again after a purge stays, though a machine that is days ahead carries the purge out', async () => {
  const [first, ahead] = [machine(0), machine(1, 3)];
  const path = await say(first, 'session-first-1');
  const key = await joined(first);
  await say(ahead, 'session-other-2', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
  await joined(ahead, { key });
  expect(await sessions(ahead)).toContain('session-first-1');
  await purge(first, 'session-first-1');
  await register(first, path);
  await syncRemote(ahead, 'home');
  expect(await sessions(ahead)).not.toContain('session-first-1');
  await syncRemote(first, 'home');
  expect(await sessions(first)).toContain('session-first-1' as SessionId);
});

test('an original that is fetched after a sync was cut off takes no purge with it that is still to be carried out', async () => {
  const [first, light] = [machine(0), machine(1)];
  await say(first, 'session-first-1');
  await say(first, 'session-other-2', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
  const key = await joined(first);
  await say(light, 'session-third-3', [{ you: 'Add a page.' }, { agent: 'Done.' }]);
  await joined(light, { key, light: true });
  expect(await sessions(light)).toContain('session-first-1');
  await purge(first, 'session-first-1');
  await expect(syncRemote(cutOff(light), 'home')).rejects.toMatchObject({ message: 'Killed.' });
  await fetchSession(light, { session: 'session-other-2' });
  await syncRemote(light, 'home');
  expect(await sessions(light)).not.toContain('session-first-1');
});

test.each(['has the folder', 'has nothing', 'has the session'])(
  'a session that its user registers again after a purge reaches a machine that %s',
  async (which) => {
    const [first, last] = [machine(0), machine(1)];
    const path = await say(first, 'session-first-1');
    const key = await joined(first);
    if (which !== 'has nothing')
      await say(last, 'session-third-3', [{ you: 'Add a page.' }, { agent: 'Done.' }]);
    if (which === 'has the session') await joined(last, { key });
    await (await prepareWholePurge(first, { kind: 'session', session: 'session-first-1' })).carryOut();
    await register(first, path);
    await syncRemote(first, 'home');
    if (which !== 'has the session') await brought(last, key);
    for (const world of [last, first, last]) await syncRemote(world, 'home');
    for (const world of [first, last]) {
      expect(await sessions(world)).toContain('session-first-1');
      expect(await world.archive.originals.list(PROJECT)).toContain('session-first-1.jsonl');
    }
    expect(await stones(last)).toEqual(await stones(first));
    // It reaches also who joins once its machine will not come back.
    const next = machine(2);
    const { devices } = (await remoteStatus(last))[0]!;
    await retireDevice(last, { device: devices.find(({ isThis }) => !isThis)!.id });
    await syncRemote(last, 'home');
    await brought(next, key);
    expect(await sessions(next)).toContain('session-first-1');
  },
);

test('a session that a machine purges for a second time goes, though its clock is behind', async () => {
  const [first, behind] = [machine(0), machine(1, -3)];
  const path = await say(first, 'session-first-1');
  const key = await joined(first);
  await say(behind, 'session-other-2', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
  await joined(behind, { key });
  await purge(first, 'session-first-1');
  await syncRemote(behind, 'home');
  for (const world of [first, behind]) await register(world, path);
  await purge(behind, 'session-first-1');
  expect(await sessions(first)).toContain('session-first-1');
  await syncRemote(first, 'home');
  expect(await sessions(first)).not.toContain('session-first-1');
});

test('a purge of another machine that is cut off here is finished as the same purge', async () => {
  const [first, second] = [machine(0), machine(1)];
  await say(first, 'session-first-1');
  const key = await joined(first);
  await say(second, 'session-other-2', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
  await joined(second, { key });
  await purge(first, 'session-first-1');
  const wipe = () => Promise.reject(new Fault('remote', 'Killed.'));
  const killed = { ...second, archive: { ...second.archive, wipe } };
  await expect(syncRemote(killed, 'home')).rejects.toMatchObject({ message: 'Killed.' });
  expect(await sessions(second)).toContain('session-first-1');
  expect(await finishPurges(second)).toBe(true);
  expect(await sessions(second)).not.toContain('session-first-1');
  expect(await stones(second)).toEqual(await stones(first));
});
