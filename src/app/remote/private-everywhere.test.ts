import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import { type Step, workSession } from '../../../test/made/work.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import { openSegment } from '../../core/remote/open-segment.ts';
import { parseSegmentName } from '../../core/remote/segment-name.ts';
import { allSessions } from '../find/sessions.ts';
import { openRemote, ownDevice, readRemote } from '../segment/remote-record.ts';
import { sync } from '../sync/sync.ts';
import { addRemote } from './add-remote.ts';
import { setPrivate } from './private.ts';
import { prepareWholePurge } from './purge-sealed.ts';
import { retireDevice } from './remote-status.ts';
import { approveRemote, shareProjects } from './share.ts';
import { syncRemote } from './sync-remote.ts';

const SHOP = '-srv-shop';
const SESSION = 'session-shop-1';
const BEGIN: Step[] = [{ you: 'Add a page for gatekeepers.' }, { agent: 'Done.' }];

let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

async function say(world: TestWorld, steps: readonly Step[], session = SESSION): Promise<void> {
  mkdirSync(join(world.projects, SHOP), { recursive: true });
  writeFileSync(join(world.projects, SHOP, `${session}.jsonl`), workSession(session, [...steps]));
  await sync(world);
}

async function shared(world: TestWorld): Promise<void> {
  await shareProjects(world, { all: true });
  await approveRemote(world);
}

/** The same machine with its clock so many days off. */
function off(world: TestWorld, days: number): TestWorld {
  const millis = () => world.clock.millis() + days * 86_400_000;
  const now = () => new Date(Date.parse(world.clock.now()) + days * 86_400_000).toISOString();
  return { ...world, clock: { ...world.clock, millis, now } };
}

async function inTurn(...worlds: TestWorld[]): Promise<void> {
  for (let round = 0; round < 3; round++) for (const world of worlds) await syncRemote(world, 'home');
}

/** All lines in the store. */
async function stored(world: TestWorld): Promise<string> {
  const remote = await openRemote(world, await readRemote(world, 'home'));
  const names = readdirSync(machines.store, { recursive: true, encoding: 'utf8' });
  return names
    .flatMap((name) => {
      const parsed = parseSegmentName(name);
      const opened = parsed && openSegment(parsed, readFileSync(join(machines.store, name)), remote);
      return opened?.state === 'read' ? opened.lines : [];
    })
    .join('\n');
}

async function sessions(world: TestWorld): Promise<string[]> {
  return (await allSessions(world)).map(({ sessionId }) => String(sessionId)).sort();
}

/** Two machines of which the first has said something in a session; another one of the second is there, too. */
async function two(): Promise<{ first: TestWorld; second: TestWorld; key: string }> {
  const [first, second] = [machines.add(), machines.add()];
  await say(first, BEGIN);
  const { key = '' } = await addRemote(first, { address: machines.store });
  await shared(first);
  await syncRemote(first, 'home');
  await say(second, [{ you: 'Name the heron.' }, { agent: 'Done.' }], 'session-other-2');
  await addRemote(second, { address: machines.store, key });
  await shared(second);
  await inTurn(second, first);
  return { first, second, key };
}

test('a session that goes on at another machine leaves the store with all that was said there, once it is private on one', async () => {
  const { first, second, key } = await two();
  await say(second, [...BEGIN, { you: 'The flamingo is pink.' }, { agent: 'Noted.' }]);
  await inTurn(second, first);
  expect(await stored(first)).toContain('flamingo');
  await setPrivate(first, { session: SESSION });
  await inTurn(first, second);
  const lines = await stored(first);
  expect(lines).not.toMatch(/flamingo|gatekeepers/);
  expect(lines).toContain('heron');
  await say(second, [
    ...BEGIN,
    { you: 'The flamingo is pink.' },
    { agent: 'Noted.' },
    { you: 'And the ibis?' },
  ]);
  await inTurn(second, first);
  expect(await stored(first)).not.toContain('ibis');
  expect(await sessions(second)).toContain(SESSION);
  await setPrivate(first, { session: SESSION, undo: true });
  await inTurn(first, second);
  expect(await stored(first)).toMatch(/gatekeepers/);
  expect(await stored(first)).toMatch(/ibis/);
  const third = machines.add();
  await addRemote(third, { address: machines.store, key });
  await syncRemote(third, 'home');
  expect(await sessions(third)).toContain(SESSION);
});

test('a session that is made private where it came from another machine leaves the store, and stays on both', async () => {
  const { first, second } = await two();
  const made = await setPrivate(second, { session: SESSION });
  expect(made.sentTo).toEqual(['home']);
  await inTurn(second, first);
  expect(await stored(first)).not.toContain('gatekeepers');
  expect(await sessions(first)).toContain(SESSION);
  expect(await sessions(second)).toContain(SESSION);
  await setPrivate(second, { session: SESSION, undo: true });
  await inTurn(second, first);
  expect(await stored(first)).toContain('gatekeepers');
  expect(await sessions(second)).toEqual(['session-other-2', SESSION]);
});

test.each(['where it was made private', 'on the other machine'])(
  'a session may leave again once its user says so %s, though the clock there is days behind',
  async (where) => {
    const { first, second } = await two();
    const ahead = off(first, 3);
    await setPrivate(ahead, { session: SESSION });
    await inTurn(ahead, second);
    expect(await stored(first)).not.toContain('gatekeepers');
    if (where === 'on the other machine') await say(second, BEGIN);
    const there = where === 'on the other machine' ? second : first;
    await setPrivate(there, { session: SESSION, undo: true });
    await inTurn(there, first, second);
    expect(await stored(first)).toContain('gatekeepers');
  },
);

test.each(['before', 'after'])(
  'a session of a machine that is retired leaves the store, %s it is made private',
  async (when) => {
    const { first, second } = await two();
    await say(first, [{ you: 'The pelican stays.' }, { agent: 'Done.' }], 'session-third-3');
    await inTurn(first, second);
    const steps = [
      async () => retireDevice(second, { device: (await ownDevice(first)).device }),
      () => setPrivate(second, { session: SESSION }),
    ];
    for (const step of when === 'before' ? steps : steps.toReversed()) {
      await step();
      await inTurn(second);
    }
    const lines = await stored(second);
    expect(lines).not.toContain('gatekeepers');
    expect(lines).toContain('pelican');
    expect(await sessions(second)).toContain(SESSION);
  },
);

test('a session that is purged on one machine and private on another one goes from both', async () => {
  const { first, second } = await two();
  await (await prepareWholePurge(second, { kind: 'session', session: SESSION })).carryOut();
  await setPrivate(first, { session: SESSION });
  await inTurn(first, second);
  expect(await sessions(first)).toEqual(['session-other-2']);
});

test('of a private session that never left the store hears no purge', async () => {
  const { first } = await two();
  await say(first, [{ you: 'The pelican stays.' }, { agent: 'Done.' }], 'session-third-3');
  await setPrivate(first, { session: 'session-third-3' });
  await (await prepareWholePurge(first, { kind: 'session', session: 'session-third-3' })).carryOut();
  await inTurn(first);
  expect(await stored(first)).not.toContain('session-third-3');
});

test('a session of a machine that was retired leaves the store, original and all, where only a light machine is left to make it private', async () => {
  const { first, second, key } = await two();
  await say(first, [{ you: 'The pelican stays.' }, { run: 'ls', prints: 'heronry' }], 'session-third-3');
  await say(first, [...BEGIN, { run: 'ls', prints: 'ostrich' }]);
  await inTurn(first);
  const light = machines.add();
  await say(light, [{ you: 'Name the crane.' }, { agent: 'Done.' }], 'session-light-4');
  await addRemote(light, { address: machines.store, key, light: true });
  await shared(light);
  await inTurn(light);
  for (const gone of [first, second]) await retireDevice(light, { device: (await ownDevice(gone)).device });
  await inTurn(light);
  expect(await stored(light)).toContain('ostrich');
  await setPrivate(light, { session: SESSION });
  await inTurn(light);
  const lines = await stored(light);
  expect(lines).not.toMatch(/gatekeepers|ostrich/);
  expect(lines).toMatch(/pelican/);
  expect(lines).toMatch(/heronry/);
  expect(await sessions(light)).toContain(SESSION);
});

test('where a machine does not share the project, it promises no withdrawal', async () => {
  const { first, second, key } = await two();
  const third = machines.add();
  await addRemote(third, { address: machines.store, key });
  await syncRemote(third, 'home');
  expect(await setPrivate(third, { session: SESSION })).toMatchObject({ sentTo: [], notShared: ['home'] });
  await inTurn(third, first);
  expect(await stored(first)).toContain('gatekeepers');
  expect(await setPrivate(first, { session: SESSION })).toMatchObject({ sentTo: ['home'], notShared: [] });
  await inTurn(first, second);
  expect(await stored(first)).not.toContain('gatekeepers');
});

test('what a retired machine still sends of a private session leaves the store, and nothing else of it', async () => {
  const { first, second } = await two();
  await setPrivate(second, { session: SESSION });
  await retireDevice(second, { device: (await ownDevice(first)).device });
  await inTurn(second);
  await say(first, [...BEGIN, { you: 'The flamingo is pink.' }, { agent: 'Noted.' }]);
  await say(first, [{ you: 'The pelican stays.' }, { agent: 'Done.' }], 'session-third-3');
  await syncRemote(first, 'home', { direction: 'push' });
  expect(await stored(second)).toContain('flamingo');
  await inTurn(second);
  expect(await stored(second)).not.toMatch(/flamingo|gatekeepers/);
  expect(await stored(second)).toContain('pelican');
  expect(await sessions(second)).toContain(SESSION);
});

test.each(['before', 'after'])(
  'a session stays where it began, though it went on elsewhere and a third machine made it private, heard %s it is withdrawn there',
  async (when) => {
    const { first, second, key } = await two();
    await say(second, [...BEGIN, { you: 'The flamingo is pink.' }, { agent: 'Noted.' }]);
    const third = machines.add();
    await say(third, [{ you: 'Name the crane.' }, { agent: 'Done.' }], 'session-crane-3');
    await addRemote(third, { address: machines.store, key });
    await shared(third);
    await inTurn(second, first, third);
    const turn = when === 'before' ? [third, first, second] : [third, second, first];
    for (const undo of [false, true, false]) {
      await setPrivate(third, { session: SESSION, undo });
      await inTurn(...turn);
      for (const world of [first, second, third]) expect(await sessions(world)).toContain(SESSION);
      expect((await stored(first)).includes('flamingo')).toBe(undo);
    }
  },
);

test('a session that is private on two machines before they hear of each other stays on both', async () => {
  const { first, second } = await two();
  await setPrivate(second, { session: SESSION });
  await setPrivate(off(first, 1), { session: SESSION });
  await inTurn(first, second);
  expect(await stored(first)).not.toContain('gatekeepers');
  for (const world of [first, second]) expect(await sessions(world)).toContain(SESSION);
});
