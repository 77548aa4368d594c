import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import { workSession } from '../../../test/made/work.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { deviceKey } from '../../core/remote/device-key.ts';
import { addKeepit } from '../keepit/change.ts';
import { finishPurges } from '../purge/finish.ts';
import { unregister, whatToUnregister } from '../purge/unregister.ts';
import { stoneId } from '../segment/sent-again.ts';
import { register } from '../sync/register.ts';
import { sync } from '../sync/sync.ts';
import { addRemote } from './add-remote.ts';
import { fetchSession } from './fetch-original.ts';
import { setPrivate } from './private.ts';
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

function inStore(kind: RegExp): string[] {
  return readdirSync(machines.store, { recursive: true, encoding: 'utf8' }).filter((it) => kind.test(it));
}

/** A machine whose next sync ends where what it did is noted: the session is in. */
function killedAtSave(world: TestWorld): TestWorld {
  const remotes = async () => {
    const ports = await world.remotes!();
    const write: typeof ports.files.write = async (name, bytes) => {
      if (name.endsWith('/state.json') && (await sessions(world)).includes('session-first-1'))
        throw new Fault('remote', 'Killed.');
      return ports.files.write(name, bytes);
    };
    return { ...ports, files: { ...ports.files, write } };
  };
  return { ...world, remotes };
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

test('an original that is fetched after an interrupted sync does not cancel a pending purge', async () => {
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

test.each(['has all', 'is light'])(
  'a session that is registered again long after its purge reaches a machine that carried the purge out and %s; an old copy of it does not',
  async (which) => {
    const [first, second, late] = [machine(0), machine(1), machine(2, 3)];
    const path = await say(first, 'session-first-1');
    const key = await joined(first);
    await say(second, 'session-other-2', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
    await joined(second, { key, light: which === 'is light' });
    await say(late, 'session-third-3', [{ you: 'Add a page.' }, { agent: 'Done.' }]);
    await addRemote(late, { address: machines.store, key });
    await shareProjects(late, { all: true });
    await approveRemote(late);
    await say(late, 'session-first-1');
    await purge(first, 'session-first-1');
    await syncRemote(second, 'home');
    // Sent before it hears of the purge.
    await syncRemote(late, 'home', { direction: 'push' });
    await syncRemote(second, 'home');
    expect(await sessions(second)).toEqual(['session-other-2', 'session-third-3']);
    expect(await second.archive.originals.list(PROJECT)).not.toContain('session-first-1.jsonl');
    for (const world of [late, first, second]) await syncRemote(world, 'home');
    for (const world of [late, first, second]) expect(await sessions(world)).not.toContain('session-first-1');
    await register(first, path);
    for (const world of [first, second, late, first, second]) await syncRemote(world, 'home');
    for (const world of [first, second, late])
      expect(await sessions(world), `machine ${[first, second, late].indexOf(world)}`).toContain(
        'session-first-1',
      );
    if (which === 'is light') {
      await fetchSession(second, { session: 'session-first-1' });
      const record = (await second.archive.open(PROJECT))?.manifest.sessions['session-first-1'];
      expect(record?.metadata.agent, 'its original came, too').toBe('claude-code');
    }
    // Purged once more, it goes everywhere.
    await purge(late, 'session-first-1');
    for (const world of [first, second, late]) await syncRemote(world, 'home');
    for (const world of [first, second, late]) expect(await sessions(world)).not.toContain('session-first-1');
  },
);

test('a session that comes back waits until its machine is seen to know of the purge', async () => {
  const [first, second, third] = [machine(0), machine(1), machine(2)];
  const path = await say(first, 'session-first-1');
  const key = await joined(first);
  for (const [at, world] of [second, third].entries()) {
    await say(world, `session-other-${at}`, [{ you: 'Add a test.' }, { agent: 'Done.' }]);
    await joined(world, { key });
  }
  await purge(first, 'session-first-1');
  await syncRemote(second, 'home');
  const logs = () => inStore(/\/log\/./);
  const before = new Set(logs());
  await syncRemote(third, 'home');
  await register(third, path);
  await syncRemote(third, 'home');
  // As a list that is behind for a part of it.
  const unseen = logs().filter((name) => !before.has(name));
  const moved = (name: string) => join(machines.store, `${basename(name)}.later`);
  for (const name of unseen) renameSync(join(machines.store, name), moved(name));
  await syncRemote(second, 'home', { direction: 'pull' });
  expect(await sessions(second)).not.toContain('session-first-1');
  const { files } = await second.remotes!();
  const [state = ''] = (await files.list('home/repos')).filter((name) => name.endsWith('/state.json'));
  const { streams } = JSON.parse((await files.read(`home/repos/${state}`))!.toString());
  const ofThird = Object.keys(streams).filter((it) => it.startsWith(deviceKey(SEEDS[2]!).device));
  expect(ofThird.map((it) => it.split('/')[2])).toEqual(['session-other-1']);
  for (const name of unseen) renameSync(moved(name), join(machines.store, name));
  await syncRemote(second, 'home');
  expect(await sessions(second)).toContain('session-first-1');
});

test('a session that is made private on its machine leaves no word of it in the records of another', async () => {
  const [first, second] = [machine(0), machine(1)];
  await say(first, 'session-first-1');
  const key = await joined(first);
  await say(second, 'session-other-2', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
  await joined(second, { key });
  await sync(second);
  const filesWith = (word: string) =>
    readdirSync(second.places.archive, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => readFileSync(file, 'latin1').includes(word));
  expect(filesWith('Heronsgate')).not.toEqual([]);
  await setPrivate(first, { session: 'session-first-1' });
  for (const world of [first, second]) await syncRemote(world, 'home');
  expect(await sessions(second)).toEqual(['session-other-2']);
  expect(filesWith('Heronsgate')).toEqual([]);
});

test.each(['with its talk', 'without its talk'])(
  'the original of a session that was registered again on a machine that is retired since survives on light machines, %s',
  async (which) => {
    const [first, light, next] = [machine(0), machine(1), machine(2)];
    const path = await say(first, 'session-first-1');
    const key = await joined(first);
    await say(light, 'session-other-2', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
    await joined(light, { key, light: true });
    await purge(first, 'session-first-1');
    await syncRemote(light, 'home');
    expect(await sessions(light)).toEqual(['session-other-2']);
    await register(first, path);
    await syncRemote(first, 'home');
    if (which === 'without its talk')
      for (const name of inStore(/\/talk\/./))
        if (name.includes(deviceKey(SEEDS[0]!).device)) rmSync(join(machines.store, name));
    await retireDevice(light, { device: deviceKey(SEEDS[0]!).device });
    await syncRemote(light, 'home');
    await syncRemote(light, 'home');
    expect(await sessions(light)).toContain('session-first-1');
    await brought(next, key);
    const copy = next.archive.originals.path(PROJECT, 'session-first-1.jsonl');
    expect(readFileSync(copy, 'utf8')).toBe(readFileSync(path, 'utf8'));
  },
);

test.each(['in one go', 'after a kill'])(
  'what is known of a session that comes back is there with it, also where that came first: %s',
  async (which) => {
    const [first, second] = [machine(0), machine(1)];
    const path = await say(first, 'session-first-1');
    const key = await joined(first);
    await say(second, 'session-other-2', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
    await joined(second, { key });
    await purge(first, 'session-first-1');
    await syncRemote(second, 'home');
    await register(first, path);
    await addKeepit(first, 'session-first-1', { text: 'called Heronsgate', weight: 0.8 });
    const before = new Set(inStore(/\/(bytes|talk)\/./));
    await syncRemote(first, 'home');
    // Its records are sent first.
    const later = inStore(/\/(bytes|talk)\/./).filter((name) => !before.has(name));
    const moved = (name: string) => join(machines.store, `${basename(name)}.later`);
    for (const name of later) renameSync(join(machines.store, name), moved(name));
    await syncRemote(second, 'home', { direction: 'pull' });
    for (const name of later) renameSync(moved(name), join(machines.store, name));
    if (which === 'after a kill')
      await expect(syncRemote(killedAtSave(second), 'home')).rejects.toMatchObject({ message: 'Killed.' });
    for (let round = 0; round < 2; round++) await syncRemote(second, 'home');
    expect(await sessions(second)).toContain('session-first-1');
    const overlays = (await second.archive.open(PROJECT))!.manifest.overlays;
    expect(overlays.map(({ sessionId }) => sessionId)).toEqual(['session-first-1']);
  },
);

test('a session that may leave again reaches a machine that joins later, though it was withdrawn before', async () => {
  const [first, second] = [machine(0), machine(1)];
  await say(first, 'session-first-1');
  const key = await joined(first);
  for (const undo of [false, true]) {
    await setPrivate(first, { session: 'session-first-1', undo });
    await syncRemote(first, 'home');
  }
  await brought(second, key);
  expect(await sessions(second)).toEqual(['session-first-1']);
});

test('a purge is carried out by the next sync where its session is read in at the very moment', async () => {
  const [first, second] = [machine(0), machine(1)];
  await say(first, 'session-first-1');
  await say(first, 'session-other-2', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
  const key = await joined(first);
  await purge(first, 'session-first-1');
  let isRead = false;
  const changeFrom: typeof second.archive.changeFrom = async (...args) => {
    if (!isRead) {
      isRead = true;
      await say(second, 'session-first-1');
    }
    return second.archive.changeFrom(...args);
  };
  await addRemote(second, { address: machines.store, key });
  await syncRemote({ ...second, archive: { ...second.archive, changeFrom } }, 'home');
  expect(isRead).toBe(true);
  expect(await sessions(second)).toContain('session-first-1');
  await syncRemote(second, 'home');
  expect(await sessions(second)).toEqual(['session-other-2']);
  expect(await stones(second)).toEqual(await stones(first));
});

test.each(['at once', 'one after the other'])(
  'a session that continued differently on two machines, purged %s and registered again on both, reaches both',
  async (which) => {
    const [first, second, third] = [machine(0), machine(1), machine(2)];
    const path = await say(first, 'session-first-1');
    const key = await joined(first);
    const other = await say(second, 'session-first-1', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
    await joined(second, { key });
    await say(third, 'session-first-1', [{ you: 'Add a page.' }, { agent: 'Done.' }]);
    await joined(third, { key });
    for (const world of [first, second, third]) await syncRemote(world, 'home');
    const both = await sessions(second);
    expect(both.length).toBe(3);
    if (which === 'at once') await purge(second, 'session-first-1');
    else
      for (const session of both) {
        const rows = await whatToUnregister(second, { session });
        await unregister(second, rows, { purge: true });
        await syncRemote(second, 'home');
      }
    expect(await sessions(second)).toEqual([]);
    await syncRemote(first, 'home');
    await register(first, path);
    await register(second, other);
    for (const world of [first, second, third, first, second, third]) await syncRemote(world, 'home');
    for (const [at, world] of [first, second, third].entries()) {
      const copies = (await sessions(world)).map((id) =>
        readFileSync(world.archive.originals.path(PROJECT, `${id}.jsonl`), 'utf8'),
      );
      const sent = [path, other].map((file) => readFileSync(file, 'utf8'));
      expect(copies.toSorted(), `machine ${at}`).toEqual(sent.toSorted());
    }
  },
);

test('one of two streams that was purged alone does not come back, although its machine continues the session', async () => {
  const [first, second] = [machine(0), machine(1)];
  await say(first, 'session-first-1');
  const key = await joined(first);
  await say(second, 'session-first-1', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
  await joined(second, { key });
  const [stream = ''] = (await sessions(second)).filter((id) => id !== 'session-first-1');
  expect(stream).toContain('@');
  await unregister(second, await whatToUnregister(second, { session: stream }), { purge: true });
  for (const world of [second, first]) await syncRemote(world, 'home');
  await say(first, 'session-first-1', [...SAID, { you: 'And a page.' }, { agent: 'Done.' }]);
  for (const world of [first, second]) await syncRemote(world, 'home');
  expect(await sessions(second)).toEqual(['session-first-1']);
});
