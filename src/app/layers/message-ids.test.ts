import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { sync } from '../sync/sync.ts';
import { allFacts } from './facts.ts';
import { idsFile } from './message-ids.ts';
import { dropLayers, updateLayers } from './update.ts';

const PROJECT = '-srv-shop' as ProjectId;

let world: TestWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

test('a copy that is not here keeps no facts from being made, and names their messages once it is back', async () => {
  mkdirSync(join(world.projects, PROJECT), { recursive: true });
  const path = join(world.projects, PROJECT, 'session-1.jsonl');
  const said = [{ you: 'From now on always run the linter before a commit.' }, { agent: 'Understood.' }];
  writeFileSync(path, workSession('session-1', said));
  await sync(world);
  const ids = async () =>
    (await allFacts(world, PROJECT)).flatMap(({ sources }) => sources.map((it) => it.messageUuid));
  const before = await ids();
  expect(before.length).toBeGreaterThan(0);
  expect(before).not.toContain('');
  const again = async () => {
    await dropLayers(world, PROJECT);
    await world.archive.files.remove(undefined, idsFile(PROJECT));
    await updateLayers(world, PROJECT);
    return ids();
  };
  await world.archive.originals.remove(PROJECT, 'session-1.jsonl');
  expect(await again()).toEqual(before.map(() => ''));
  await world.archive.originals.absorb(PROJECT, 'session-1.jsonl', { path }, 'copy');
  await dropLayers(world, PROJECT);
  await updateLayers(world, PROJECT);
  expect(await ids()).toEqual(before);
});
