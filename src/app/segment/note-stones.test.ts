import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import { workSession } from '../../../test/made/work.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Tombstone } from '../../core/model/manifest.ts';
import { projectLine } from '../bundle/export-project.ts';
import { addRemote } from '../remote/add-remote.ts';
import { sync } from '../sync/sync.ts';
import { noteStones } from './note-stones.ts';
import { openRemote, readRemote } from './remote-record.ts';
import { stoneId } from './sent-again.ts';

const PROJECT = '-srv-shop' as ProjectId;
const ELSEWHERE = '0'.repeat(32);
const STONE: Tombstone = { kind: 'session', id: 'session-gone-9', at: '2026-05-01T00:00:00.000Z' };

let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

/** A machine with a session and a remote. */
async function withSession(): Promise<TestWorld> {
  const world = machines.add();
  mkdirSync(join(world.projects, PROJECT), { recursive: true });
  const said = [{ you: 'Add a page.' }, { agent: 'Done.' }];
  writeFileSync(join(world.projects, PROJECT, 'session-1.jsonl'), workSession('session-1', said));
  await sync(world);
  await addRemote(world, { address: machines.store });
  return world;
}

test('a purge is noted in the folder that an import would choose, also where that belongs to another repository here', async () => {
  const world = await withSession();
  const remote = await openRemote(world, await readRemote(world, 'home'));
  const stones = async () => (await world.archive.open(PROJECT))!.manifest.tombstones;
  expect((await noteStones(remote, ELSEWHERE, [{ stone: STONE, projects: [] }])).size).toBe(0);
  expect(await stones()).toEqual([]);
  const { manifest } = (await world.archive.open(PROJECT))!;
  const line = projectLine(manifest, { secrets: false, template: false });
  expect((await noteStones(remote, ELSEWHERE, [{ stone: STONE, projects: [line] }])).size).toBe(1);
  expect(await stones()).toEqual([STONE]);
  const [last] = (await world.archive.history(PROJECT)).slice(-1);
  expect(last).toMatchObject({ action: 'purge', sessionId: STONE.id });
});

test('a session that someone brings in while its purge is noted stays until the purge is carried out', async () => {
  const world = machines.add();
  mkdirSync(join(world.projects, PROJECT), { recursive: true });
  const said = [{ you: 'Add a page.' }, { agent: 'Done.' }];
  const say = async (id: string) => {
    writeFileSync(join(world.projects, PROJECT, `${id}.jsonl`), workSession(id, said));
    await sync(world);
  };
  await say('session-1');
  await addRemote(world, { address: machines.store });
  const { manifest } = (await world.archive.open(PROJECT))!;
  const projects = [projectLine(manifest, { secrets: false, template: false })];
  const open: typeof world.archive.open = async (project) => {
    const opened = await world.archive.open(project);
    if (!Object.hasOwn(opened?.manifest.sessions ?? {}, STONE.id)) await say(STONE.id);
    return opened;
  };
  const meanwhile = { ...world, archive: { ...world.archive, open } };
  const remote = await openRemote(meanwhile, await readRemote(world, 'home'));
  const coming = { stone: STONE, projects };
  const isNoted = async (again: string[]) =>
    (await noteStones(remote, ELSEWHERE, [{ ...coming, again: new Set(again) }])).get(stoneId(STONE));
  expect(await isNoted([])).toBe(false);
  const now = async () => (await world.archive.open(PROJECT))!.manifest;
  expect(Object.keys((await now()).sessions)).toContain(STONE.id);
  expect(await world.archive.originals.list(PROJECT)).toContain(`${STONE.id}.jsonl`);
  expect((await now()).tombstones).toEqual([]);
  // Sent again by another device, it may be here beside its tombstone.
  expect(await isNoted(['another'])).toBe(true);
  expect(Object.keys((await now()).sessions)).toContain(STONE.id);
  expect((await now()).tombstones).toEqual([STONE]);
});

test('many purges that come at once list the copies of a folder as often as a single one', async () => {
  const world = await withSession();
  let lists = 0;
  const list: typeof world.archive.originals.list = (...args) => {
    lists++;
    return world.archive.originals.list(...args);
  };
  const originals = { ...world.archive.originals, list };
  const counted = { ...world, archive: { ...world.archive, originals } };
  const remote = await openRemote(counted, await readRemote(world, 'home'));
  const { manifest } = (await world.archive.open(PROJECT))!;
  const projects = [projectLine(manifest, { secrets: false, template: false })];
  const listed = async (ids: string[]) => {
    lists = 0;
    const stones = ids.map((id) => ({ stone: { ...STONE, id }, projects }));
    expect((await noteStones(remote, ELSEWHERE, stones)).size).toBe(ids.length);
    return lists;
  };
  const one = await listed(['gone-1']);
  expect(await listed(['gone-2', 'gone-3', 'gone-4'])).toBe(one);
  expect((await world.archive.open(PROJECT))!.manifest.tombstones).toHaveLength(4);
});
