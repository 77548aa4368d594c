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
import { allFacts } from '../layers/facts.ts';
import { addFact } from '../layers/facts-edit.ts';
import { verify } from '../maintenance/verify.ts';
import { preparePurge } from '../purge/purge.ts';
import { openRemote, readRemote } from '../segment/remote-record.ts';
import { originalOf, showSession } from '../session/show.ts';
import { sync } from '../sync/sync.ts';
import { addRemote } from './add-remote.ts';
import { fetchSession } from './fetch-original.ts';
import { setPrivate } from './private.ts';
import { prepareWholePurge } from './purge-sealed.ts';
import { remoteStatus, retireDevice } from './remote-status.ts';
import { approveRemote, shareProjects } from './share.ts';
import { syncRemote } from './sync-remote.ts';

const PROJECT = '-srv-shop' as ProjectId;
type Said = Parameters<typeof workSession>[1];
const SAID: Said = [
  { you: 'From now on always run the linter before a commit.' },
  { agent: 'Understood.' },
  { run: 'cat prices.csv', prints: 'quetzalcoatl;12;99' },
  { agent: 'The prices are in cents.' },
  { you: 'Deploy by pushing to the kingfisher branch.' },
  { agent: 'Done.' },
];
const MORE: Said = [...SAID, { you: 'And tag it as osprey.' }, { agent: 'Tagged.' }];

let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

async function say(world: TestWorld, id: string, said: Said): Promise<void> {
  mkdirSync(join(world.projects, PROJECT), { recursive: true });
  writeFileSync(join(world.projects, PROJECT, `${id}.jsonl`), workSession(id, said));
  await sync(world);
}

async function firstMachine(level: ShareLevel): Promise<{ first: TestWorld; key: string }> {
  const first = machines.add();
  await say(first, 's1', SAID);
  const { key } = await addRemote(first, { address: machines.store });
  await shareProjects(first, { all: true, level });
  await approveRemote(first);
  await syncRemote(first, 'home');
  return { first, key: key! };
}

async function secondMachine(key: string, light: boolean): Promise<TestWorld> {
  const second = machines.add();
  await addRemote(second, { address: machines.store, key, light });
  const { notes } = await syncRemote(second, 'home');
  expect(notes).toEqual([]);
  return second;
}

async function storedLines(world: TestWorld, lane?: string): Promise<string> {
  const remote = await openRemote(world, await readRemote(world, 'home'));
  const all: string[] = [];
  for (const { name } of await remote.store.list('r/')) {
    const parsed = parseSegmentName(name)!;
    if (lane !== undefined && parsed.lane !== lane) continue;
    const opened = openSegment(parsed, (await remote.store.get(name))!, remote);
    if (opened.state === 'read') all.push(...opened.lines);
  }
  return all.join('\n');
}

const original = (world: TestWorld) =>
  readFileSync(world.archive.originals.path(PROJECT, 's1.jsonl'), 'utf8');

/** The lines of L1, except for their places in the original. */
async function refined(world: TestWorld): Promise<string[]> {
  const record = (await world.archive.open(PROJECT))!.manifest.sessions.s1!;
  const text = (await world.archive.files.read(PROJECT, record.l1.file))!.toString();
  return text.split('\n').map((line) => line.replace(/,"src":\d+\}$/, ''));
}

const factIds = async (world: TestWorld) =>
  (await allFacts(world, PROJECT)).map(({ id, content }) => [id, content]);
const agent = async (world: TestWorld) =>
  (await world.archive.open(PROJECT))!.manifest.sessions.s1!.metadata.agent;

test('with the level talk no tool output leaves, and the other machine knows what was said', async () => {
  const { first, key } = await firstMachine('talk');
  expect(await storedLines(first)).toContain('kingfisher');
  expect(await storedLines(first)).not.toContain('quetzalcoatl');
  expect(await storedLines(first, 'bytes')).toBe('');
  const second = await secondMachine(key, false);
  expect(await refined(second)).toEqual(await refined(first));
  expect(await factIds(second)).toEqual(await factIds(first));
  expect((await verify(second)).problems).toEqual([]);
  await sync(second);
  expect(await agent(second)).toBe('talk');
  await expect(fetchSession(second, { session: 's1' })).rejects.toMatchObject({ code: 'not-found' });
  await say(first, 's1', MORE);
  await syncRemote(first, 'home');
  await syncRemote(second, 'home');
  expect(await refined(second)).toEqual(await refined(first));
  await shareProjects(second, { all: true });
  await approveRemote(second);
  expect((await syncRemote(second, 'home')).pushed.sessions, 'what others said is theirs to send').toBe(0);
});

test('a light machine brings the talk, and an original when it is asked for', async () => {
  const { first, key } = await firstMachine('all');
  const second = await secondMachine(key, true);
  expect(await agent(second)).toBe('talk');
  expect(original(second)).not.toContain('quetzalcoatl');
  expect(await refined(second)).toEqual(await refined(first));
  expect((await fetchSession(second, { session: 's1' })).bytes).toBeGreaterThan(0);
  expect(await agent(second)).toBe('claude-code');
  expect(original(second)).toBe(original(first));
  await expect(fetchSession(second, { session: 's1' })).rejects.toMatchObject({ code: 'conflict' });
  await say(first, 's1', MORE);
  await syncRemote(first, 'home');
  await syncRemote(second, 'home');
  expect(original(second), 'what was fetched grows with the session').toBe(original(first));
  expect(Object.keys((await second.archive.open(PROJECT))!.manifest.sessions)).toEqual(['s1']);
  expect((await verify(second)).problems).toEqual([]);
  expect((await syncRemote(second, 'home')).pulled.segments).toBe(0);
});

test('a whole machine takes originals where there are any, also after it had only the talk', async () => {
  const { first, key } = await firstMachine('talk');
  const second = await secondMachine(key, false);
  expect(await agent(second)).toBe('talk');
  await shareProjects(first, { all: true, level: 'all' });
  await approveRemote(first);
  await syncRemote(first, 'home');
  await syncRemote(second, 'home');
  expect(await agent(second)).toBe('claude-code');
  expect(original(second)).toBe(original(first));
  expect((await verify(second)).problems).toEqual([]);
});

test('a purge goes through both lanes', async () => {
  const { first, key } = await firstMachine('all');
  const second = await secondMachine(key, true);
  const { carryOut } = await preparePurge(first, { kind: 'text', text: 'kingfisher' });
  expect((await carryOut()).left).toEqual([]);
  await syncRemote(first, 'home');
  await syncRemote(second, 'home');
  expect(await storedLines(first)).not.toContain('kingfisher');
  expect(original(second)).not.toContain('kingfisher');
  expect((await refined(second)).join('\n')).not.toContain('kingfisher');
  expect((await refined(second)).join('\n')).toContain('Deploy by pushing');
});

test('an own session that went on elsewhere grows on a light machine, and is there once', async () => {
  const first = machines.add();
  await say(first, 's1', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
  const { key } = await addRemote(first, { address: machines.store });
  const second = await secondMachine(key!, true);
  await say(second, 's2', SAID);
  for (const world of [first, second]) {
    await shareProjects(world, { all: true });
    await approveRemote(world);
  }
  for (const world of [second, first]) await syncRemote(world, 'home');
  await say(first, 's2', MORE);
  await syncRemote(first, 'home');
  await syncRemote(second, 'home');
  const sessions = (await second.archive.open(PROJECT))!.manifest.sessions;
  expect(Object.keys(sessions).sort()).toEqual(['s1', 's2']);
  expect(sessions.s1!.metadata.agent, 'nobody worked with it here').toBe('talk');
  const path = (world: TestWorld) => world.archive.originals.path(PROJECT, 's2.jsonl');
  expect(readFileSync(path(second), 'utf8')).toBe(readFileSync(path(first), 'utf8'));
});

test('talk whose title came later is the same session on a light machine', async () => {
  const { first, key } = await firstMachine('talk');
  const second = await secondMachine(key, true);
  await say(first, 's1', [
    ...SAID,
    { line: { type: 'ai-title', aiTitle: 'Prices in cents', sessionId: 's1' } },
  ]);
  await syncRemote(first, 'home');
  await syncRemote(second, 'home');
  const sessions = (await second.archive.open(PROJECT))!.manifest.sessions;
  expect(Object.keys(sessions)).toEqual(['s1']);
  expect(sessions.s1!.metadata.title).toBe('Prices in cents');
  expect(await refined(second)).toEqual(await refined(first));
  await say(first, 's1', [...MORE, { line: { type: 'ai-title', aiTitle: 'Prices', sessionId: 's1' } }]);
  await syncRemote(first, 'home');
  await syncRemote(second, 'home');
  expect(await refined(second)).toEqual(await refined(first));
  expect((await verify(second)).problems).toEqual([]);
});

test('an original that came with a part missing is brought whole once its machine sent that again', async () => {
  const { first, key } = await firstMachine('all');
  await say(first, 's1', MORE);
  await syncRemote(first, 'home');
  const second = await secondMachine(key, true);
  expect((await syncRemote(second, 'home')).pulled.segments).toBe(0);
  const remote = await openRemote(first, await readRemote(first, 'home'));
  const parts = (await remote.store.list('r/')).filter(({ name }) => name.includes('/bytes/'));
  await remote.store.put(parts.at(-1)!.name, Buffer.from('torn'));
  await fetchSession(second, { session: 's1' });
  expect(original(second)).not.toContain('osprey');
  await syncRemote(first, 'home');
  await syncRemote(second, 'home');
  expect(original(second)).toBe(original(first));
  const { sessions } = (await second.archive.open(PROJECT))!.manifest;
  expect(Object.keys(sessions)).toEqual(['s1']);
  expect((await syncRemote(second, 'home')).pulled.segments).toBe(0);
});

test('an original that a light machine has fetched is deleted when its machine withdraws it, and does not return', async () => {
  const { first, key } = await firstMachine('all');
  const second = await secondMachine(key, true);
  await shareProjects(second, { all: true });
  await approveRemote(second);
  await syncRemote(second, 'home');
  await fetchSession(second, { session: 's1' });
  await setPrivate(first, { session: 's1' });
  await syncRemote(first, 'home');
  expect(await storedLines(first)).not.toContain('quetzalcoatl');
  const { pushed } = await syncRemote(second, 'home');
  expect(pushed.restored).toBe(0);
  expect(await storedLines(first)).not.toContain('quetzalcoatl');
  const remote = await openRemote(second, await readRemote(second, 'home'));
  for (const name of await remote.remotes.files.list('home/repos')) {
    const bytes = (await remote.remotes.files.read(`home/repos/${name}`))!;
    const parsed = /replica\/(.*)$/.exec(name)?.[1];
    const opened =
      parsed && openSegment(parseSegmentName(`r/${name.split('/')[0]}/${parsed}`)!, bytes, remote);
    expect(JSON.stringify([opened])).not.toContain('quetzalcoatl');
  }
});

async function retireFirst(world: TestWorld): Promise<void> {
  const gone = (await remoteStatus(world))[0]!.devices.find(({ isThis }) => !isThis)!;
  await retireDevice(world, { device: gone.id });
}

async function lightAlone(level: ShareLevel = 'all'): Promise<{ light: TestWorld; key: string }> {
  const { key } = await firstMachine('all');
  const light = await secondMachine(key, true);
  await say(light, 's2', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
  await shareProjects(light, { all: true, level });
  await approveRemote(light);
  await syncRemote(light, 'home');
  return { light, key };
}

test.each([
  ['before', 'all'],
  ['after', 'all'],
  ['after', 'talk'],
  ['before', 'facts'],
] as const)(
  'a text purged %s its machine is retired leaves the original that no machine has, and the rest of it stays: level %s',
  async (when, level) => {
    const { light, key } = await lightAlone(level);
    if (when === 'after') await retireFirst(light);
    const { carryOut } = await prepareWholePurge(light, { kind: 'text', text: 'kingfisher' });
    await carryOut();
    await syncRemote(light, 'home');
    if (when === 'before') await retireFirst(light);
    await syncRemote(light, 'home');
    expect(await storedLines(light)).not.toContain('kingfisher');
    expect(await storedLines(light, 'bytes')).toContain('quetzalcoatl');
    const third = machines.add();
    await addRemote(third, { address: machines.store, key });
    await syncRemote(third, 'home');
    expect(original(third)).toContain('quetzalcoatl');
    expect(original(third)).not.toContain('kingfisher');
    expect((await third.archive.open(PROJECT))!.manifest.sessions.s2?.metadata.agent).toBe(
      { all: 'claude-code', talk: 'talk', facts: undefined }[level],
    );
    await syncRemote(light, 'home');
    const { pulled, pushed } = await syncRemote(light, 'home');
    expect([pulled.segments, pushed.segments]).toEqual([0, 0]);
  },
);

test.each(['talk', 'facts'] as const)(
  'what is said and printed since then stays at home with the level %s, also after another purge',
  async (level) => {
    const { light, key } = await lightAlone(level);
    await retireFirst(light);
    const purge = async (text: string) => {
      const { carryOut } = await prepareWholePurge(light, { kind: 'text', text });
      await carryOut();
      await syncRemote(light, 'home');
    };
    await purge('kingfisher');
    const more = [...SAID, { you: 'And tag it as osprey.' }, { run: 'git tag', prints: 'hoatzin' }];
    await say(light, 's1', more);
    await syncRemote(light, 'home');
    await purge('quetzalcoatl');
    const stored = await storedLines(light);
    expect(stored).not.toContain('quetzalcoatl');
    expect(stored).not.toContain('hoatzin');
    expect(stored.includes('osprey')).toBe(level === 'talk');
    const third = machines.add();
    await addRemote(third, { address: machines.store, key });
    await syncRemote(third, 'home');
    expect(original(third)).toContain('cat prices.csv');
  },
);

test('a purge sends no more of a session than may leave today', async () => {
  const { first } = await firstMachine('all');
  await shareProjects(first, { all: true, level: 'talk' });
  await say(first, 's1', [...SAID, { run: 'cat birds.csv', prints: 'hoatzin' }, { agent: 'One bird.' }]);
  await syncRemote(first, 'home');
  const { carryOut } = await prepareWholePurge(first, { kind: 'text', text: 'kingfisher' });
  await carryOut();
  await syncRemote(first, 'home');
  const stored = await storedLines(first);
  expect(stored).not.toContain('kingfisher');
  expect(stored).not.toContain('hoatzin');
  expect(stored).toContain('quetzalcoatl');
  expect(stored).toContain('One bird.');
});

test('a purged session leaves the store also where only light machines are left, and other originals stay there', async () => {
  const { first, key } = await firstMachine('all');
  await say(first, 's3', [{ run: 'cat birds.csv', prints: 'hoatzin' }, { agent: 'One bird.' }]);
  await syncRemote(first, 'home');
  const light = await secondMachine(key, true);
  const other = await secondMachine(key, true);
  for (const world of [light, other]) {
    await shareProjects(world, { all: true });
    await approveRemote(world);
    await syncRemote(world, 'home');
  }
  const { carryOut } = await prepareWholePurge(light, { kind: 'session', session: 's1', project: PROJECT });
  await carryOut();
  await syncRemote(light, 'home');
  await retireFirst(light);
  // It only says so: another light machine is the first to look.
  await syncRemote(light, 'home', { direction: 'push' });
  await syncRemote(other, 'home');
  expect(await storedLines(other)).not.toContain('kingfisher');
  expect(await storedLines(other, 'bytes')).not.toContain('quetzalcoatl');
  expect(await storedLines(other, 'bytes')).toContain('hoatzin');
  const { s3 } = (await other.archive.open(PROJECT))!.manifest.sessions;
  expect(s3!.metadata.agent, 'nothing of it was purged: it is not fetched').toBe('talk');
});

/** The names that a machine asks the store for during some work, and what it answers for some of them. */
async function watched(
  world: TestWorld,
  work: (world: TestWorld) => Promise<unknown>,
  answer: (name: string, bytes: Buffer | undefined) => Buffer | undefined = (_, bytes) => bytes,
): Promise<string[]> {
  const asked: string[] = [];
  const remotes = await world.remotes!();
  const open: typeof remotes.open = async (address) => {
    const store = await remotes.open(address);
    const get = async (name: string) => {
      asked.push(name);
      return answer(name, await store.get(name));
    };
    return { ...store, get };
  };
  await work({ ...world, remotes: async () => ({ ...remotes, open }) });
  return asked;
}

test.each(['absent', 'newer'])(
  'an original that is %s does not hold up the purge of another, and none is fetched twice',
  async (kind) => {
    const { first, key } = await firstMachine('all');
    await say(first, 's3', [{ run: 'cat birds.csv', prints: 'hoatzin' }, { agent: 'The kingfisher, too.' }]);
    await syncRemote(first, 'home');
    const light = await secondMachine(key, true);
    await shareProjects(light, { all: true });
    await approveRemote(light);
    await syncRemote(light, 'home');
    const remote = await openRemote(first, await readRemote(first, 'home'));
    const bytes = (await remote.store.list('r/')).flatMap(({ name }) =>
      name.includes('/bytes/') ? [name] : [],
    );
    const hidden = bytes.at(-1)!;
    const answer = (name: string, real: Buffer | undefined) => {
      if (name !== hidden || !real) return real;
      return kind === 'absent' ? undefined : Buffer.from(`{"keepsake":"segment","v":99}\n${'x'.repeat(99)}`);
    };
    if (kind === 'newer') {
      const made = answer(hidden, Buffer.alloc(0))!;
      await remote.store.remove(hidden);
      await remote.store.put(hidden.replace(/[0-9a-f]{32}$/, segmentId(made)), made);
    }
    await retireFirst(light);
    const { carryOut } = await prepareWholePurge(light, { kind: 'text', text: 'kingfisher' });
    await carryOut();
    await watched(light, (world) => syncRemote(world, 'home'), answer);
    const left = await remote.store.list('r/');
    expect(left.map(({ name }) => name)).not.toContain(bytes[0]);
    expect(await storedLines(light, 'bytes')).toContain('quetzalcoatl');
    const again = await watched(light, (world) => syncRemote(world, 'home'), answer);
    expect(again.filter((name) => name !== hidden)).toEqual([]);
    if (kind === 'newer') return;
    await syncRemote(light, 'home');
    expect(await storedLines(light), 'it is there again').not.toContain('kingfisher');
    expect(await storedLines(light, 'bytes')).toContain('hoatzin');
  },
);

test('where only the messages are, asking for the original says how to get it', async () => {
  const { key } = await firstMachine('all');
  const light = await secondMachine(key, true);
  const original = async () => originalOf(light, await showSession(light, 's1'));
  await expect(original()).rejects.toMatchObject({
    message: 'Only the messages of s1 are on this machine.',
    hint: 'To download its original: keepsake remote fetch s1',
  });
  await fetchSession(light, { session: 's1' });
  expect(readFileSync(await original(), 'utf8')).toContain('quetzalcoatl');
});

/** A kill removed the copy of talk, while another stream of its session is here. */
async function withoutCopy(): Promise<TestWorld> {
  const { key } = await firstMachine('all');
  const light = await secondMachine(key, true);
  const { originals } = light.archive;
  const other = join(light.projects, 'other.jsonl');
  writeFileSync(other, workSession('s1', [{ you: 'Say it otherwise.' }, { agent: 'Yes.' }]));
  await originals.absorb(PROJECT, 's1@0a0b0c0d.jsonl', { path: other }, 'copy');
  await originals.remove(PROJECT, 's1.jsonl');
  await shareProjects(light, { all: true });
  await approveRemote(light);
  return light;
}

test('talk whose copy went with a kill, while another stream of the session is here, comes again', async () => {
  const light = await withoutCopy();
  await syncRemote(light, 'home');
  await addFact(light, { content: 'The shelf is green.', project: PROJECT });
  await syncRemote(light, 'home');
  expect(await light.archive.originals.list(PROJECT)).toContain('s1.jsonl');
});

test('talk whose copy went with a kill keeps its record where no segment of it is here to bring it again', async () => {
  const light = await withoutCopy();
  const { store, remotes } = await openRemote(light, await readRemote(light, 'home'));
  for (const { name } of await store.list('r/')) if (name.includes('/talk/')) await store.remove(name);
  for (const name of await remotes.files.list('home/repos'))
    if (name.includes('/talk/')) await remotes.files.remove(`home/repos/${name}`);
  await syncRemote(light, 'home');
  expect(Object.keys((await light.archive.open(PROJECT))!.manifest.sessions)).toContain('s1');
});
