import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import { workSession } from '../../../test/made/work.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { ShareLevel } from '../../core/remote/levels.ts';
import { openSegment } from '../../core/remote/open-segment.ts';
import { segmentId } from '../../core/remote/seal-segment.ts';
import { parseSegmentName } from '../../core/remote/segment-name.ts';
import { openRemote, readRemote } from '../segment/remote-record.ts';
import { sync } from '../sync/sync.ts';
import { addRemote } from './add-remote.ts';
import { prepareWholePurge } from './purge-sealed.ts';
import { remoteStatus, retireDevice } from './remote-status.ts';
import { approveRemote, shareProjects } from './share.ts';
import { syncRemote } from './sync-remote.ts';

const PROJECT = '-srv-shop' as ProjectId;
type Said = Parameters<typeof workSession>[1];
const BEGUN: Said = [
  { you: 'Deploy by pushing to the kingfisher branch.' },
  { run: 'cat prices.csv', prints: 'quetzalcoatl;12;99' },
  { agent: 'Done.' },
];
const OTHER: Said = [{ you: 'Add a test.' }, ...BEGUN.slice(1)];
const GROWN: Said = [...OTHER, { run: 'git branch', prints: 'kingfisher' }, { agent: 'One branch.' }];
const GONE_ON: Said = [...BEGUN, { run: 'cat birds.csv', prints: 'hoatzin;3' }, { agent: 'One bird.' }];

let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

async function say(world: TestWorld, said: Said): Promise<void> {
  mkdirSync(join(world.projects, PROJECT), { recursive: true });
  writeFileSync(join(world.projects, PROJECT, 's1.jsonl'), workSession('s1', said));
  await sync(world);
}

async function joined(world: TestWorld, options: { key?: string; light?: boolean } = {}): Promise<string> {
  const { key } = await addRemote(world, { address: machines.store, ...options });
  await syncRemote(world, 'home');
  await share(world, 'all');
  return key!;
}

async function share(world: TestWorld, level: ShareLevel): Promise<void> {
  await shareProjects(world, { all: true, level });
  await approveRemote(world);
  await syncRemote(world, 'home');
}

async function purge(world: TestWorld, text: string): Promise<void> {
  await (await prepareWholePurge(world, { kind: 'text', text })).carryOut();
}

async function retireOther(world: TestWorld): Promise<void> {
  const { devices } = (await remoteStatus(world))[0]!;
  await retireDevice(world, { device: devices.find(({ isThis }) => !isThis)!.id });
}

const storeOf = async (world: TestWorld) => (await openRemote(world, await readRemote(world, 'home'))).store;

/** The names of originals in the store, in the order in which they were sealed. */
async function originals(world: TestWorld): Promise<string[]> {
  const listed = await (await storeOf(world)).list('r/');
  return listed.flatMap(({ name }) => (name.includes('/bytes/') ? [name] : [])).sort();
}

async function stored(world: TestWorld, lane = ''): Promise<string> {
  const remote = await openRemote(world, await readRemote(world, 'home'));
  const all: string[] = [];
  for (const { name } of await remote.store.list('r/')) {
    const opened = openSegment(parseSegmentName(name)!, (await remote.store.get(name))!, remote);
    if (opened.state === 'read' && name.includes(`/${lane}`)) all.push(...opened.lines);
  }
  return all.join('\n');
}

/** A machine that can't get some of what it sees in the list. */
async function without(world: TestWorld, hidden: string): Promise<TestWorld> {
  const remotes = await world.remotes!();
  const open: typeof remotes.open = async (address) => {
    const store = await remotes.open(address);
    return { ...store, get: async (name) => (name === hidden ? undefined : store.get(name)) };
  };
  return { ...world, remotes: async () => ({ ...remotes, open }) };
}

/** A machine that sent an original in two parts, and a light one that is the only one left. */
async function lightAlone(
  parts: [Said, Said] = [BEGUN, GONE_ON],
): Promise<{ light: TestWorld; key: string }> {
  const first = machines.add();
  await say(first, parts[0]);
  const key = await joined(first);
  await say(first, parts[1]);
  await syncRemote(first, 'home');
  const light = machines.add();
  await joined(light, { key, light: true });
  expect(await originals(light)).toHaveLength(2);
  await retireOther(light);
  return { light, key };
}

test('the end of an original that cannot be read for a while is not lost when its beginning is cleaned', async () => {
  const { light, key } = await lightAlone();
  await purge(light, 'kingfisher');
  const [, end] = await originals(light);
  await syncRemote(await without(light, end!), 'home');
  for (let round = 0; round < 3; round++) await syncRemote(light, 'home');
  expect(await stored(light)).not.toContain('kingfisher');
  expect(await stored(light, 'bytes')).toContain('hoatzin');
  const third = machines.add();
  await addRemote(third, { address: machines.store, key });
  await syncRemote(third, 'home');
  const here = readFileSync(third.archive.originals.path(PROJECT, 's1.jsonl'), 'utf8');
  expect(here).toContain('quetzalcoatl');
  expect(here).toContain('hoatzin');
});

/** A machine to which the store shows a list of before. */
async function before(world: TestWorld, hidden: RegExp): Promise<TestWorld> {
  const remotes = await world.remotes!();
  const open: typeof remotes.open = async (address) => {
    const store = await remotes.open(address);
    const list: typeof store.list = async (prefix) =>
      (await store.list(prefix)).filter(({ name }) => !hidden.test(name));
    return { ...store, list };
  };
  return { ...world, remotes: async () => ({ ...remotes, open }) };
}

test('the end of an original that a store does not list for a while, since it was rolled back, is not lost', async () => {
  const { light, key } = await lightAlone();
  await purge(light, 'kingfisher');
  const [, end] = await originals(light);
  const [, , device] = end!.split('/');
  const stale = await before(light, new RegExp(`/${device}/(bytes|talk)/0*2-|^r/\\w+/(?!${device})`));
  for (let round = 0; round < 3; round++) await syncRemote(stale, 'home');
  for (let round = 0; round < 3; round++) await syncRemote(light, 'home');
  expect(await stored(light)).not.toContain('kingfisher');
  const third = machines.add();
  await addRemote(third, { address: machines.store, key });
  await syncRemote(third, 'home');
  const here = readFileSync(third.archive.originals.path(PROJECT, 's1.jsonl'), 'utf8');
  expect(here).toContain('quetzalcoatl');
  expect(here).toContain('hoatzin');
});

test('where the end is lost for good, what there is stays and the purged text goes', async () => {
  const { light } = await lightAlone();
  await (await storeOf(light)).remove((await originals(light))[1]!);
  await purge(light, 'kingfisher');
  for (let round = 0; round < 3; round++) await syncRemote(light, 'home');
  expect(await stored(light)).not.toContain('kingfisher');
  expect(await stored(light, 'bytes')).toContain('quetzalcoatl');
});

test('an original with a purged text whose beginning is lost goes, though the sync that noticed had nothing else to do', async () => {
  const { light } = await lightAlone([OTHER, GROWN]);
  await purge(light, 'kingfisher');
  const [beginning] = await originals(light);
  const cut = await without(light, beginning!);
  for (let round = 0; round < 3; round++) await syncRemote(cut, 'home');
  await (await storeOf(light)).remove(beginning!);
  const { notes } = await syncRemote(light, 'home');
  expect(notes.join()).toContain('contain purged text');
  expect(await stored(light)).toContain('kingfisher');
  await syncRemote(light, 'home');
  expect(await stored(light)).not.toContain('kingfisher');
  expect((await syncRemote(light, 'home')).notes).toEqual([]);
});

test('a segment of a newer format that cannot be searched for purged text is named', async () => {
  const { light } = await lightAlone();
  const store = await storeOf(light);
  const [, end] = await originals(light);
  const newer = Buffer.from(`{"keepsake":"segment","v":99}\n${'x'.repeat(99)}`);
  await store.remove(end!);
  await store.put(end!.replace(/[0-9a-f]{32}$/, segmentId(newer)), newer);
  await purge(light, 'quetzalcoatl');
  const { notes } = await syncRemote(light, 'home');
  expect(notes.join()).toContain('1 segments of the revoked machine');
  expect(notes.join()).toContain('newer format');
});

test('a purge in a project that now shares only facts sends no later words', async () => {
  const first = machines.add();
  await say(first, BEGUN);
  await joined(first);
  await share(first, 'facts');
  const keepit = '##keepit0.90##releases are tagged as osprey##keepit##';
  await say(first, [...BEGUN, { you: `Remember: ${keepit}` }, { agent: 'Yes.' }]);
  await purge(first, 'kingfisher');
  await syncRemote(first, 'home');
  expect(await stored(first)).not.toContain('kingfisher');
  // As a fact it may leave.
  expect(await stored(first, 'bytes')).not.toContain('osprey');
  expect(await stored(first, 'talk')).not.toContain('osprey');
  expect(await stored(first, 'bytes')).toContain('quetzalcoatl');
  const third = machines.add();
  await addRemote(third, { address: machines.store, key: await keyOf(first) });
  await syncRemote(third, 'home');
  expect(readFileSync(third.archive.originals.path(PROJECT, 's1.jsonl'), 'utf8')).toContain('quetzalcoatl');
});

test('words from this machine in a session of a retired one stay in the store, although less is shared now', async () => {
  const first = machines.add();
  await say(first, BEGUN);
  const key = await joined(first);
  const second = machines.add();
  await joined(second, { key });
  await say(second, GONE_ON);
  await syncRemote(second, 'home');
  expect(await stored(second, 'bytes')).toContain('hoatzin');
  await share(second, 'facts');
  await retireOther(second);
  await purge(second, 'kingfisher');
  for (let round = 0; round < 2; round++) await syncRemote(second, 'home');
  expect(await stored(second)).not.toContain('kingfisher');
  expect(await stored(second, 'bytes')).toContain('hoatzin');
});

async function keyOf(world: TestWorld): Promise<string> {
  return (await (await world.remotes!()).files.read('home/key'))!.toString('utf8').trim();
}
