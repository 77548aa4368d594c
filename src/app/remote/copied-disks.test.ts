import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import { workSession } from '../../../test/made/work.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { openSegment } from '../../core/remote/open-segment.ts';
import { parseSegmentName } from '../../core/remote/segment-name.ts';
import { openRemote, readRemote } from '../segment/remote-record.ts';
import { register } from '../sync/register.ts';
import { sync } from '../sync/sync.ts';
import { addRemote } from './add-remote.ts';
import { prepareWholePurge } from './purge-sealed.ts';
import { approveRemote, shareProjects } from './share.ts';
import { syncRemote } from './sync-remote.ts';

const PROJECT = '-srv-shop' as ProjectId;
const DAY_MS = 86_400_000;
const SAID = [{ you: 'The customer is called Heronsgate.' }, { agent: 'Understood.' }];
let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

async function say(world: TestWorld, session: string, said = SAID): Promise<void> {
  mkdirSync(join(world.projects, PROJECT), { recursive: true });
  writeFileSync(fileOf(world, session), workSession(session, said));
  await sync(world);
}

function fileOf(world: TestWorld, session: string): string {
  return join(world.projects, PROJECT, `${session}.jsonl`);
}

async function joined(world: TestWorld, key?: string, light = false): Promise<string> {
  const added = await addRemote(world, { address: machines.store, ...(key !== undefined && { key }), light });
  await shareProjects(world, { all: true });
  await approveRemote(world);
  await syncRemote(world, 'home');
  return added.key!;
}

/** Another machine with all that is on this one's disk, and a clock that is days off. */
function copyOf(world: TestWorld, days: number): TestWorld {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-copy-'));
  cpSync(world.places.home, root, { recursive: true });
  const copy = machines.add(root);
  const off = (at: number) => at + days * DAY_MS;
  const now = () => new Date(off(Date.parse(copy.clock.now()))).toISOString();
  return { ...copy, clock: { ...copy.clock, now, millis: () => off(copy.clock.millis()) } };
}

/** A machine whose next sync sends records alone. */
function cutOff(world: TestWorld): TestWorld {
  const remotes = async () => {
    const ports = await world.remotes!();
    const open: typeof ports.open = async (address) => {
      const store = await ports.open(address);
      const put: typeof store.put = async (name, bytes) => {
        if (parseSegmentName(name)?.lane !== 'log') throw new Fault('remote', 'The store does not answer.');
        return store.put(name, bytes);
      };
      return { ...store, put };
    };
    return { ...ports, open };
  };
  return { ...world, remotes };
}

/** `copy` said that it carried the purge of `s2` out, and could not replace what holds it; so it keeps the id, and `second` gives it up. */
async function purgedOnCopy(days: number): Promise<{ first: TestWorld; second: TestWorld; copy: TestWorld }> {
  const [first, second] = [machines.add(), machines.add()];
  await say(first, 's1');
  const key = await joined(first);
  await say(second, 's2');
  await joined(second, key);
  const copy = copyOf(second, days);
  await syncRemote(first, 'home');
  await (await prepareWholePurge(first, { kind: 'session', session: 's2' })).carryOut();
  await syncRemote(first, 'home');
  await expect(syncRemote(cutOff(copy), 'home')).rejects.toMatchObject({ code: 'remote' });
  expect(await sessions(copy)).toEqual(['s1']);
  return { first, second, copy };
}

async function sessions(world: TestWorld): Promise<string[]> {
  return Object.keys((await world.archive.open(PROJECT))!.manifest.sessions).sort();
}

const OFF = [-3, 3];

test.each(OFF)('a purged session comes back by no copy of its disk: %i days off', async (days) => {
  const { first, second, copy } = await purgedOnCopy(days);
  const { notes } = await syncRemote(second, 'home');
  expect(notes.join(' ')).toContain('new device id');
  for (const world of [first, copy, second, first]) await syncRemote(world, 'home');
  for (const world of [first, second, copy]) expect(await sessions(world)).toEqual(['s1']);
});

test.each(OFF)(
  'a session that is registered again where the id of two copies is kept reaches all: %i days off',
  async (days) => {
    const { first, second, copy } = await purgedOnCopy(days);
    await syncRemote(second, 'home');
    await register(copy, fileOf(copy, 's2'));
    for (let round = 0; round < 3; round++)
      for (const world of [copy, second, first]) await syncRemote(world, 'home');
    for (const world of [first, second, copy]) expect(await sessions(world)).toEqual(['s1', 's2']);
    // Nobody takes down what the other puts.
    for (const world of [first, second, copy])
      expect((await syncRemote(world, 'home')).pushed).toMatchObject({
        segments: 0,
        removed: 0,
        restored: 0,
      });
  },
);

async function stored(world: TestWorld): Promise<string> {
  const remote = await openRemote(world, await readRemote(world, 'home'));
  const all: string[] = [];
  for (const { name } of await remote.store.list('r/')) {
    const opened = openSegment(parseSegmentName(name)!, (await remote.store.get(name))!, remote);
    if (opened.state === 'read') all.push(...opened.lines);
  }
  return all.join('\n');
}

test('a text that was purged on a light copy of a disk leaves the store, though the other copy sent more of its session', async () => {
  const [first, second] = [machines.add(), machines.add()];
  await say(first, 's1', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
  const key = await joined(first);
  await say(second, 's2');
  await joined(second, key, true);
  const copy = copyOf(second, 0);
  await (await prepareWholePurge(copy, { kind: 'text', text: 'Heronsgate' })).carryOut();
  await say(second, 's2', [...SAID, { you: 'He likes hoatzins.' }, { agent: 'Noted.' }]);
  await syncRemote(second, 'home');
  for (let round = 0; round < 4; round++)
    for (const world of [copy, second, first]) await syncRemote(world, 'home');
  expect(await stored(first)).not.toContain('Heronsgate');
  expect(await stored(first)).toContain('hoatzins');
  for (const world of [first, second, copy]) expect((await syncRemote(world, 'home')).notes).toEqual([]);
});

test('a purged session that one light copy of a disk took down is not put there again by the other one', async () => {
  const [first, second] = [machines.add(), machines.add()];
  await say(first, 's1');
  const key = await joined(first);
  await say(second, 's2');
  await joined(second, key, true);
  const copy = copyOf(second, 0);
  await say(copy, 's3');
  await syncRemote(copy, 'home');
  await say(second, 's4');
  await syncRemote(second, 'home', { direction: 'push' });
  expect((await syncRemote(copy, 'home')).notes.join()).toContain('new device id');
  await syncRemote(first, 'home');
  await (await prepareWholePurge(first, { kind: 'session', session: 's2' })).carryOut();
  for (let round = 0; round < 4; round++)
    for (const world of [first, copy, second]) await syncRemote(world, 'home');
  for (const world of [first, copy, second])
    expect((await syncRemote(world, 'home')).pushed).toMatchObject({ segments: 0, removed: 0, restored: 0 });
  expect(await stored(first)).not.toContain('"sessionId":"s2"');
});
