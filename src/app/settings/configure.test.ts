import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { readHistory } from '../find/history.ts';
import { findProject } from '../find/project.ts';
import { renameProject } from '../find/rename-project.ts';
import { sync } from '../sync/sync.ts';
import { getSettings, listSettings, putProjectSettings, setSetting } from './configure.ts';

let world: TestWorld;
beforeEach(async () => {
  world = makeWorld();
  mkdirSync(join(world.projects, 'p'), { recursive: true });
  writeFileSync(join(world.projects, 'p', 'talk.jsonl'), transcript('/srv/shop', 'talk', [{ you: 'Hello' }]));
  await sync(world);
});
afterEach(() => world.remove());

test("a project's setting beats the global one, and two at once both stay", async () => {
  await setSetting(world, 'levels.light', '5');
  await Promise.all([
    setSetting(world, 'levels.light', '6', 'shop'),
    setSetting(world, 'levels.moderate', '12', 'shop'),
  ]);
  const rows = await getSettings(world, 'levels', 'shop');
  expect(rows.map(({ value, source }) => [value, source])).toEqual([
    [6, 'project'],
    [12, 'project'],
    [30, 'default'],
  ]);
  expect((await getSettings(world, 'levels.light'))[0]).toMatchObject({
    value: 5,
    source: 'global',
    default: 4,
  });
});

test("setting a key takes the place of the manifest's older name for it", async () => {
  const project = await findProject(world, 'shop');
  await putProjectSettings(world, project, { keepitDecayEnabled: false });
  expect((await getSettings(world, 'defaults.keepitDecayEnabled', 'shop'))[0]).toMatchObject({
    value: false,
  });
  await setSetting(world, 'defaults.keepitDecayEnabled', 'on', 'shop');
  expect((await world.archive.open(project))?.manifest.settings).toEqual({
    defaults: { keepitDecayEnabled: true },
  });
});

test('wrong settings reach neither file nor manifest', async () => {
  const project = await findProject(world, 'shop');
  await expect(setSetting(world, 'levels.light', '0', 'shop')).rejects.toMatchObject({ code: 'usage' });
  await expect(putProjectSettings(world, project, { levels: { light: 'x' } })).rejects.toMatchObject({
    code: 'config',
  });
  await expect(setSetting(world, 'version', '2')).rejects.toMatchObject({ code: 'usage' });
  expect((await world.archive.open(project))?.manifest.settings).toEqual({});
  expect(await world.settings.readText()).toBeUndefined();
});

test('every setting is listed once, with words that explain it', async () => {
  const rows = await listSettings(world);
  expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
  expect(rows.every((row) => row.about !== '' && row.source === 'default')).toBe(true);
});

test('a setting with fixed words says which, and takes each of them', async () => {
  const fixed = (await listSettings(world)).filter((row) => row.choices);
  expect(fixed.find((row) => row.key === 'ui.defaultView')?.choices).toEqual(['timeline', 'list']);
  for (const { key, choices = [] } of fixed)
    for (const choice of choices)
      expect(await setSetting(world, key, choice)).toMatchObject({ value: choice });
});

test('what was changed is in the history, newest first', async () => {
  await renameProject(world, 'shop', 'store');
  await setSetting(world, 'levels.light', '6', 'store');
  const { items } = await readHistory(world, { limit: 2 });
  expect(items.map((item) => [item.action, item.note])).toEqual([
    ['settings', 'levels.light = 6'],
    ['rename', 'Renamed from shop to store.'],
  ]);
  for (const name of ['', ' ', 'a\nb', 'x'.repeat(101)]) {
    await expect(renameProject(world, 'store', name)).rejects.toMatchObject({ code: 'usage' });
  }
});
