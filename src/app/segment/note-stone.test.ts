import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import { workSession } from '../../../test/made/work.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Tombstone } from '../../core/model/manifest.ts';
import { projectLine } from '../bundle/export-project.ts';
import { addRemote } from '../remote/add-remote.ts';
import { sync } from '../sync/sync.ts';
import { noteStone } from './note-stone.ts';
import { openRemote, readRemote } from './remote-record.ts';

const PROJECT = '-srv-shop' as ProjectId;
const ELSEWHERE = '0'.repeat(32);
const STONE: Tombstone = { kind: 'session', id: 'session-gone-9', at: '2026-05-01T00:00:00.000Z' };

let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

test('a purge is noted in the folder that an import would choose, also where that belongs to another repository here', async () => {
  const world = machines.add();
  mkdirSync(join(world.projects, PROJECT), { recursive: true });
  const said = [{ you: 'Add a page.' }, { agent: 'Done.' }];
  writeFileSync(join(world.projects, PROJECT, 'session-1.jsonl'), workSession('session-1', said));
  await sync(world);
  await addRemote(world, { address: machines.store });
  const remote = await openRemote(world, await readRemote(world, 'home'));
  const stones = async () => (await world.archive.open(PROJECT))!.manifest.tombstones;
  expect(await noteStone(remote, ELSEWHERE, { stone: STONE, projects: [] })).toBe(false);
  expect(await stones()).toEqual([]);
  const { manifest } = (await world.archive.open(PROJECT))!;
  const line = projectLine(manifest, { secrets: false, template: false });
  expect(await noteStone(remote, ELSEWHERE, { stone: STONE, projects: [line] })).toBe(true);
  expect(await stones()).toEqual([STONE]);
});
