import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReplicaPlace } from './entrypoints/hub/replicas.ts';
import { openReplicas } from './open-replicas.ts';

const REPO = 'a'.repeat(32);
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-replicas-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function written(place: ReplicaPlace): Promise<void> {
  const { world, close } = await place.open(REPO);
  await world.archive.files.write(undefined, 'hub-replica.json', '{}');
  await close();
}

/** How often work waits for the disk. */
async function syncs(work: () => Promise<void>): Promise<number> {
  const file = await open(root, 'r');
  const prototype = Object.getPrototypeOf(file) as { sync(): Promise<void> };
  await file.close();
  const { sync } = prototype;
  let count = 0;
  prototype.sync = function (this: typeof file) {
    count++;
    return sync.call(this);
  };
  try {
    await work();
    return count;
  } finally {
    prototype.sync = sync;
  }
}

test('indexes of a hub wait for no disk, and are reused only until the machine restarts', async () => {
  const boot = join(root, 'boot');
  const again = (owner = 'x') => openReplicas(join(root, 'cache'), owner, boot);
  writeFileSync(boot, 'first');
  const place = await again();
  expect(await syncs(() => written(place))).toBe(0);
  await place.close();
  const second = await again();
  expect(await second.kept()).toEqual([REPO]);
  await second.close();
  writeFileSync(boot, 'second');
  const third = await again();
  expect(await third.kept()).toEqual([]);
  await written(third);
  await third.close();
  const other = await again('y');
  expect(await other.kept()).toEqual([]);
  await other.close();
});

test('where nobody says when the machine was started, they are on the disk before they are used', async () => {
  const again = () => openReplicas(join(root, 'cache'), 'x', join(root, 'none'));
  const place = await again();
  expect(await syncs(() => written(place))).toBeGreaterThan(0);
  await place.close();
  const second = await again();
  expect(await second.kept()).toEqual([REPO]);
  await second.close();
});
