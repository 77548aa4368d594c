import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeWorld, type TestWorld } from '../../test/made/world.ts';
import { newProjectChange } from '../core/model/change.ts';
import { toProjectId } from '../core/model/ids.ts';
import type { Archive } from '../ports/archive.ts';
import { cachedArchive } from './cached-archive.ts';

const project = toProjectId('-srv-shop');
const named = (displayName: string) => [{ at: ['displayName'], put: displayName }];

let world: TestWorld;
let opened: number;
let archive: Archive;
beforeEach(async () => {
  world = makeWorld();
  opened = 0;
  const open = (id: typeof project) => {
    opened++;
    return world.archive.open(id);
  };
  archive = cachedArchive({ ...world.archive, open });
  await archive.change(project, [
    newProjectChange({ projectId: project, originalPath: '/srv/shop', displayName: 'shop', createdAt: '' }),
  ]);
});
afterEach(() => world.remove());

const name = async () => (await archive.open(project))?.manifest.displayName;

test('what has not changed is read once, by a hundred that ask at once too', async () => {
  await Promise.all(Array.from({ length: 100 }, () => archive.open(project)));
  expect(await name()).toBe('shop');
  expect(opened).toBe(1);
});

test('written data is read by the next request, also between others', async () => {
  for (let n = 0; n < 20; n++) {
    const reading = archive.open(project);
    await archive.change(project, named(`own ${n}`));
    expect(await name()).toBe(`own ${n}`);
    await reading;
  }
});

test('what another process writes is seen', async () => {
  expect(await name()).toBe('shop');
  await world.archive.change(project, named('theirs'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(await name()).toBe('theirs');
});

test('returned objects cannot be changed by their receiver', async () => {
  const found = await archive.open(project);
  expect(() => Object.assign(found?.manifest ?? {}, { displayName: 'x' })).toThrow(TypeError);
  expect(() => found?.manifest.links.push({} as never)).toThrow(TypeError);
});

test('a project that is removed is gone', async () => {
  expect(await name()).toBe('shop');
  await archive.removeProject(project);
  expect(await archive.open(project)).toBeUndefined();
});
