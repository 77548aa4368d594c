import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Checkouts } from '../../../test/made/checkouts.ts';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import { workSession } from '../../../test/made/work.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { openSegment } from '../../core/remote/open-segment.ts';
import { parseSegmentName } from '../../core/remote/segment-name.ts';
import { allFacts } from '../layers/facts.ts';
import { addFact } from '../layers/facts-edit.ts';
import { verify } from '../maintenance/verify.ts';
import { preparePurge } from '../purge/purge.ts';
import { openRemote, readRemote } from '../segment/remote-record.ts';
import { renameSession } from '../session/rename.ts';
import { sync } from '../sync/sync.ts';
import { addRemote } from './add-remote.ts';
import { remoteStatus } from './remote-status.ts';
import { approveRemote, shareProjects } from './share.ts';
import { syncRemote } from './sync-remote.ts';

const PROJECT = '-srv-shop' as ProjectId;
let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

async function machine(sessions: Record<string, Parameters<typeof workSession>[1]>): Promise<TestWorld> {
  const world = machines.add();
  mkdirSync(join(world.projects, PROJECT), { recursive: true });
  for (const [id, said] of Object.entries(sessions))
    writeFileSync(join(world.projects, PROJECT, `${id}.jsonl`), workSession(id, said));
  await sync(world);
  return world;
}

function stored(): string {
  return readdirSync(machines.store, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

/** Every line that the store holds, unpacked. */
async function lines(world: TestWorld): Promise<string> {
  const remote = await openRemote(world, await readRemote(world, 'home'));
  const all: string[] = [];
  for (const { name } of await remote.store.list('r/')) {
    const opened = openSegment(parseSegmentName(name)!, (await remote.store.get(name))!, remote);
    if (opened.state === 'read') all.push(...opened.lines);
  }
  return all.join('\n');
}

const SAID = [{ you: 'From now on always run the linter before a commit.' }, { agent: 'Understood.' }];

test('what one machine knows the other knows after a sync, and nothing goes around in circles', async () => {
  const first = await machine({ s1: SAID });
  const { key } = await addRemote(first, { address: machines.store });
  await shareProjects(first, { all: true });
  expect((await syncRemote(first, 'home')).pushed.segments, 'nothing is approved').toBe(0);
  await approveRemote(first);
  await addFact(first, { content: 'Prices are in cents.', project: PROJECT });
  expect((await syncRemote(first, 'home')).pushed).toMatchObject({ sessions: 1 });
  const second = await machine({ s2: [{ you: 'Add a test.' }, { agent: 'Done.' }] });
  await addRemote(second, { address: machines.store, key: key! });
  await shareProjects(second, { all: true });
  await approveRemote(second);
  const report = await syncRemote(second, 'home');
  expect(report.notes).toEqual([]);
  expect(report.pulled).toMatchObject({ sessions: 1 });
  expect(Object.keys((await second.archive.open(PROJECT))!.manifest.sessions).sort()).toEqual(['s1', 's2']);
  const facts = (await allFacts(second, PROJECT)).map(({ content }) => content);
  expect(facts).toContain('Prices are in cents.');
  await syncRemote(first, 'home');
  expect(Object.keys((await first.archive.open(PROJECT))!.manifest.sessions).sort()).toEqual(['s1', 's2']);
  await syncRemote(second, 'home');
  await syncRemote(first, 'home');
  for (const world of [first, second]) {
    const quiet = await syncRemote(world, 'home');
    expect([quiet.pushed.segments, quiet.pulled.segments, quiet.pushed.removed]).toEqual([0, 0, 0]);
    expect((await verify(world)).problems).toEqual([]);
  }
  expect(stored()).not.toContain('linter');
});

test('a name alone travels, and every machine that carried out a purge counts, in any order', async () => {
  const first = await machine({ s1: [...SAID, { you: 'The pilot is Brunhilde.' }] });
  const { key } = await addRemote(first, { address: machines.store });
  await shareProjects(first, { all: true });
  await approveRemote(first);
  await syncRemote(first, 'home');
  const second = await machine({});
  await addRemote(second, { address: machines.store, key: key! });
  await syncRemote(second, 'home');
  await shareProjects(second, { all: true });
  await approveRemote(second);
  await syncRemote(second, 'home');
  await renameSession(first, { session: 's1', project: PROJECT, name: 'The linter' });
  await syncRemote(first, 'home');
  await syncRemote(second, 'home');
  expect((await second.archive.open(PROJECT))!.manifest.sessions.s1!.name).toBe('The linter');
  await (await preparePurge(first, { kind: 'text', text: 'Brunhilde' })).carryOut();
  for (const world of [first, second, first]) await syncRemote(world, 'home');
  for (const world of [first, second]) {
    const [{ purges }] = (await remoteStatus(world)) as [Awaited<ReturnType<typeof remoteStatus>>[0]];
    expect(purges.map(({ confirmed, missing }) => [confirmed.length, missing])).toEqual([[2, []]]);
  }
});

test('a session that grew sends its new end alone', async () => {
  const first = await machine({ s1: SAID });
  const { key } = await addRemote(first, { address: machines.store });
  await shareProjects(first, { all: true });
  await approveRemote(first);
  await syncRemote(first, 'home');
  const second = await machine({});
  await addRemote(second, { address: machines.store, key: key! });
  await syncRemote(second, 'home');
  const more = [...SAID, { you: 'And deploy by pushing to main.' }, { agent: 'Done.' }];
  writeFileSync(join(first.projects, PROJECT, 's1.jsonl'), workSession('s1', more));
  await sync(first);
  await syncRemote(first, 'home');
  await syncRemote(second, 'home');
  const bytes = (world: TestWorld) => readFileSync(world.archive.originals.path(PROJECT, 's1.jsonl'), 'utf8');
  expect(bytes(second)).toBe(bytes(first));
});

test('a session that went on in two ways is two streams everywhere', async () => {
  const first = await machine({ s1: [...SAID, { you: 'Here one way.' }, { agent: 'Yes.' }] });
  const { key } = await addRemote(first, { address: machines.store });
  await shareProjects(first, { all: true });
  await approveRemote(first);
  await syncRemote(first, 'home');
  const second = await machine({ s1: [...SAID, { you: 'There the other way.' }, { agent: 'No.' }] });
  await addRemote(second, { address: machines.store, key: key! });
  await shareProjects(second, { all: true });
  await approveRemote(second);
  for (const world of [second, first, second, first]) await syncRemote(world, 'home');
  for (const world of [first, second]) {
    const ids = Object.keys((await world.archive.open(PROJECT))!.manifest.sessions).sort();
    expect(ids).toEqual(['s1', expect.stringMatching(/^s1@[0-9a-f]{8}$/)]);
    expect((await syncRemote(world, 'home')).pushed.segments).toBe(0);
    expect((await verify(world)).problems).toEqual([]);
  }
});

test('a purge reaches the store and the other machine', async () => {
  const first = await machine({
    s1: [{ you: 'My name is Zanzibarfoo, keep the tests green.' }, { agent: 'Yes.' }],
    s3: SAID,
  });
  const { key } = await addRemote(first, { address: machines.store, plain: true });
  await shareProjects(first, { all: true });
  await approveRemote(first);
  await syncRemote(first, 'home');
  const second = await machine({});
  await addRemote(second, { address: machines.store, key: key! });
  await syncRemote(second, 'home');
  await shareProjects(second, { all: true });
  await approveRemote(second);
  await syncRemote(second, 'home');
  const { carryOut } = await preparePurge(first, { kind: 'text', text: 'Zanzibarfoo' });
  expect((await carryOut()).left).toEqual([]);
  await syncRemote(first, 'home');
  const report = await syncRemote(second, 'home');
  expect(report.purges).toBe(1);
  await syncRemote(first, 'home');
  expect(await lines(first)).not.toContain('Zanzibarfoo');
  for (const world of [first, second]) {
    const bytes = readFileSync(world.archive.originals.path(PROJECT, 's1.jsonl'), 'utf8');
    expect(bytes).not.toContain('Zanzibarfoo');
    expect(bytes).toContain('keep the tests green');
    expect((await verify(world)).problems).toEqual([]);
  }
});

test('a purge that another machine has confirmed is carried out by a third one, too', async () => {
  const first = await machine({
    s1: [{ you: 'My name is Zanzibarfoo, keep the tests green.' }, { agent: 'Yes.' }],
  });
  const { key } = await addRemote(first, { address: machines.store });
  const others = [await machine({}), await machine({})];
  for (const world of [first, ...others]) {
    if (world !== first) await addRemote(world, { address: machines.store, key: key! });
    else await shareProjects(world, { all: true });
    await approveRemote(world);
    await syncRemote(world, 'home');
  }
  const { carryOut } = await preparePurge(first, { kind: 'text', text: 'Zanzibarfoo' });
  await carryOut();
  await syncRemote(first, 'home');
  // The second one shares the project, too: it confirms before the third one hears of it.
  await shareProjects(others[0]!, { all: true });
  await approveRemote(others[0]!);
  for (const world of others) expect((await syncRemote(world, 'home')).purges).toBe(1);
  for (const world of others)
    expect(readFileSync(world.archive.originals.path(PROJECT, 's1.jsonl'), 'utf8')).not.toContain(
      'Zanzibarfoo',
    );
});

test('a session that a worktree has meets its other stream there, and both are known everywhere', async () => {
  const made = [machines.add(), machines.add()];
  const [first, second] = made as [TestWorld, TestWorld];
  const origin = 'git@github.com:acme/shop.git';
  const there = new Checkouts(first);
  there.session(
    's1',
    there.make('shop', origin),
    'Here one way, and it is the longer one of both by far, with the folder in which it was said.',
  );
  const here = new Checkouts(second);
  const shop = here.make('shop', origin);
  here.session('s2', shop, 'Add a test.');
  here.session('s1', here.worktree(shop, 'shop-fix'), 'There the other way.');
  let key: string | undefined;
  for (const world of [first, second]) {
    await sync(world);
    const added = await addRemote(world, { address: machines.store, ...(key === undefined ? {} : { key }) });
    key ??= added.key;
    await shareProjects(world, { all: true });
    await approveRemote(world);
    await syncRemote(world, 'home');
  }
  for (const world of [first, second, first]) await syncRemote(world, 'home');
  for (const world of [first, second]) {
    const texts: string[] = [];
    for (const project of await world.archive.projects())
      for (const id of Object.keys((await world.archive.open(project))!.manifest.sessions))
        texts.push(readFileSync(world.archive.originals.path(project, `${id}.jsonl`), 'utf8'));
    expect(texts).toHaveLength(3);
    for (const said of ['Here one way, and', 'There the other way.', 'Add a test.'])
      expect(texts.join('')).toContain(said);
    expect((await verify(world)).problems).toEqual([]);
    expect((await syncRemote(world, 'home')).pushed.segments).toBe(0);
  }
});

test('a segment that is damaged in the store is put there again by its device', async () => {
  const first = await machine({ s1: SAID });
  const { key } = await addRemote(first, { address: machines.store });
  await shareProjects(first, { all: true });
  await approveRemote(first);
  await syncRemote(first, 'home');
  const entries = readdirSync(machines.store, { recursive: true, withFileTypes: true });
  const segments = entries.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name));
  for (const path of segments) writeFileSync(path, readFileSync(path).subarray(0, 20));
  const second = await machine({});
  await addRemote(second, { address: machines.store, key: key! });
  const report = await syncRemote(second, 'home');
  expect(report.notes.join()).toContain('is damaged on the remote');
  expect(report.pulled.segments).toBe(0);
  await syncRemote(first, 'home');
  expect((await syncRemote(second, 'home')).pulled).toMatchObject({ sessions: 1 });
  expect(await lines(second)).toContain('linter');
});
