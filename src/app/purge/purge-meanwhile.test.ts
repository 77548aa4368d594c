import { appendFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { Originals } from '../../ports/archive.ts';
import { verify } from '../maintenance/verify.ts';
import { register } from '../sync/register.ts';
import { sync } from '../sync/sync.ts';
import type { World } from '../world.ts';
import { unregister, whatToUnregister } from './unregister.ts';

const ID = '11111111-aaaa-4aaa-8aaa-000000000001';
const OTHER = '22222222-aaaa-4aaa-8aaa-000000000002';

let world: TestWorld;
let source: string;
beforeEach(async () => {
  world = makeWorld();
  const folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  source = join(folder, `${ID}.jsonl`);
  writeFileSync(source, transcript('/srv/shop', ID, [{ you: 'Hello' }]));
  writeFileSync(join(folder, `${OTHER}.jsonl`), transcript('/srv/shop', OTHER, [{ you: 'Other words' }]));
  await sync(world);
  appendFileSync(source, transcript('/srv/shop', ID, [{ you: 'Hello again, and secretly' }]));
});
afterEach(() => world.remove());

const purge = async () => {
  await unregister(world, await whatToUnregister(world, { session: ID }), { purge: true });
};

/** A second actor's work, done once when the first is about to do, or has just done, one thing with an original. */
function interrupted(step: 'absorb' | 'hash', when: 'before' | 'after', work: () => Promise<void>): World {
  let done = false;
  const originals: Originals = {
    ...world.archive.originals,
    [step]: async (...args: never[]) => {
      const act = async () => {
        if (done || !String(args[1]).startsWith(ID)) return;
        done = true;
        await work();
      };
      if (when === 'before') await act();
      const result = await (world.archive.originals[step] as (...all: never[]) => Promise<unknown>)(...args);
      if (when === 'after') await act();
      return result;
    },
  };
  return { ...world, archive: { ...world.archive, originals } };
}

const kept = async () => {
  const [project] = await world.archive.projects();
  return Object.keys((await world.archive.open(project!))?.manifest.sessions ?? {});
};
const filesWith = (words: string) =>
  readdirSync(world.places.archive, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'lock.sqlite')
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => file.includes(ID.slice(0, 8)) || readFileSync(file, 'utf8').includes(words));

test.each([
  ['absorb', 'before'],
  ['absorb', 'after'],
  ['hash', 'before'],
  ['hash', 'after'],
] as const)(
  'a purge while a sync works, %s: %s, is not undone and leaves nothing behind',
  async (step, when) => {
    await sync(interrupted(step, when, purge));
    expect(await kept()).toEqual([OTHER]);
    expect(filesWith('secretly')).toEqual([]);
    await sync(world);
    expect(await kept()).toEqual([OTHER]);
    expect((await verify(world)).problems).toEqual([]);
  },
);

test('what a killed sync left of a purged session goes with the next one, but not what is just being written', async () => {
  await purge();
  const copy = join(world.places.archive, 'projects', '-srv-shop', 'originals', `${ID}.jsonl`);
  writeFileSync(copy, 'secretly\n');
  await sync(world);
  expect(filesWith('secretly')).toEqual([copy]);
  utimesSync(copy, 0, 0);
  await sync(world);
  expect(filesWith('secretly')).toEqual([]);
});

test('a copy that was registered after its purge is never swept, even if its record was lost', async () => {
  await purge();
  await register(world, source);
  const [project] = await world.archive.projects();
  await world.archive.change(project!, [{ at: ['sessions', ID], drop: true }]);
  const copy = world.archive.originals.path(project!, `${ID}.jsonl`);
  utimesSync(copy, 0, 0);
  await sync(world);
  expect(readFileSync(copy)).toEqual(readFileSync(source));
});

test('a register asked for by name brings a purged session back, and syncs then keep it', async () => {
  await purge();
  await register(world, source);
  expect(await kept()).toEqual([OTHER, ID]);
  appendFileSync(source, transcript('/srv/shop', ID, [{ you: 'More' }]));
  await sync(world);
  expect(await kept()).toEqual([OTHER, ID]);
  expect((await verify(world)).problems).toEqual([]);
});
