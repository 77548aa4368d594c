import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorld } from '../../../test/made/world.ts';
import { openArchive } from '../../adapters/archive-fs/open-archive.ts';
import { sync } from './sync.ts';

test('a sync removes what killed writers left behind, once it is old', async () => {
  const world = makeWorld();
  const root = world.places.archive;
  mkdirSync(join(root, 'cache'), { recursive: true });
  const left = ['.tmp-0123456789abcdef-config.json', 'cache/.tmp-0123456789abcdef-sources.json'];
  for (const name of left) writeFileSync(join(root, name), 'half');
  await sync({ ...world, archive: openArchive(root, { now: () => new Date().toISOString() }) });
  const there = () =>
    (readdirSync(root, { recursive: true }) as string[]).filter((name) => name.includes('.tmp-'));
  expect(there().sort()).toEqual(left);
  await sync({ ...world, archive: openArchive(root, { now: () => '2999-01-01T00:00:00.000Z' }) });
  expect(there()).toEqual([]);
  await world.remove();
});
