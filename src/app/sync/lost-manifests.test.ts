import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { renameProject } from '../find/rename-project.ts';
import { addKeepit, removeKeepit, setKeepit } from '../keepit/change.ts';
import { verify } from '../maintenance/verify.ts';
import { unregister, whatToUnregister } from '../purge/unregister.ts';
import { setSetting } from '../settings/configure.ts';
import { register } from './register.ts';
import { sync } from './sync.ts';

const PROJECT = '-srv-shop' as ProjectId;
const [KEPT, OUT, GONE, BACK] = [1, 2, 3, 4].map((n) => `${n}1111111-aaaa-4aaa-8aaa-00000000000${n}`) as [
  string,
  string,
  string,
  string,
];

let world: TestWorld;
beforeEach(async () => {
  world = makeWorld();
  const folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  for (const id of [KEPT, OUT, GONE, BACK])
    writeFileSync(join(folder, `${id}.jsonl`), transcript('/srv/shop', id, [{ you: `I am ${id}` }]));
  await sync(world);
  for (const id of [OUT, BACK]) await unregister(world, await whatToUnregister(world, { session: id }));
  await unregister(world, await whatToUnregister(world, { session: GONE }), { purge: true });
  await register(world, join(folder, `${BACK}.jsonl`));
  await renameProject(world, 'shop', 'The shop');
  await setSetting(world, 'levels.light', '5', 'The shop');
});
afterEach(() => world.remove());

function lose(what: RegExp): void {
  const folder = join(world.places.archive, 'projects', PROJECT);
  for (const name of readdirSync(folder)) if (what.test(name)) rmSync(join(folder, name));
  rmSync(join(world.places.archive, 'cache'), { recursive: true });
}

async function recorded() {
  const manifest = (await world.archive.open(PROJECT))!.manifest;
  const { originalPath, displayName, settings, tombstones } = manifest;
  const sessions = Object.values(manifest.sessions).map((record) => [
    record.sessionId,
    record.registered,
    record.originalHash,
    record.originalMessages,
  ]);
  return {
    originalPath,
    displayName,
    settings,
    stones: tombstones.map(({ id }) => id),
    sessions: sessions.sort(),
  };
}

test("with every manifest lost the history gives the project's identity and what the user removed", async () => {
  const before = await recorded();
  lose(/^manifest/);
  await sync(world);
  expect(await world.archive.projects()).toEqual([PROJECT]);
  expect(await recorded()).toEqual(before);
  expect((await verify(world)).problems).toEqual([]);
  expect((await world.archive.open(PROJECT))?.notes).toEqual([]);
});

test('with nothing left but the originals a sync brings them back under their own path', async () => {
  lose(/^(manifest|history)/);
  rmSync(world.projects, { recursive: true });
  expect(await world.archive.projects()).toEqual([PROJECT]);
  expect((await world.archive.open(PROJECT))?.rebuilt).toBe(true);
  await sync(world);
  const now = await recorded();
  expect(now).toMatchObject({ originalPath: '/srv/shop', displayName: 'shop' });
  expect(now.sessions.map(([id]) => id)).toEqual([KEPT, OUT, BACK]);
  expect((await verify(world)).problems).toEqual([]);
});

test('with the history alone a purged session stays away', async () => {
  await unregister(world, await whatToUnregister(world, { project: 'The shop' }), { purge: true });
  lose(/^manifest/);
  await sync(world);
  expect((await recorded()).sessions).toEqual([]);
  expect((await world.archive.open(PROJECT))?.notes).toEqual([]);
});

test('what was done to keepits comes back from the history', async () => {
  const added = await addKeepit(world, KEPT, { text: KEPT, weight: 0.9 });
  const twice = await addKeepit(world, BACK, { text: BACK, weight: 0.5 });
  await setKeepit(world, twice.keepit.markerId, 0.7);
  await removeKeepit(world, added.keepit.markerId);
  const before = (await world.archive.open(PROJECT))!.manifest.overlays;
  expect(before).toHaveLength(4);
  lose(/^manifest/);
  await sync(world);
  expect((await world.archive.open(PROJECT))!.manifest.overlays).toEqual(before);
});
