import { chmodSync, cpSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectId, SessionId } from '../../src/core/model/ids.ts';
import { makeWorld, type TestWorld } from './world.ts';

export const OLD_PROJECT = '-home-ada-dev-shop' as ProjectId;
/** It holds notices in the middle, and begins with words of the user. */
export const OLD_SESSION = '1ada0000-aaaa-4aaa-8aaa-000000000001' as SessionId;
/** It begins with a notice, and hooks of that version followed it. */
export const OLD_RUNNING = '2ada0000-aaaa-4aaa-8aaa-000000000002' as SessionId;

const FIXTURE = join(import.meta.dirname, '../fixtures/archive-engine-1');

/** A world whose archive an older version of Keepsake made. */
export function oldArchive(): TestWorld {
  const world = makeWorld();
  const { archive } = world.places;
  for (const folder of ['projects', 'cache'])
    cpSync(join(FIXTURE, folder), join(archive, folder), { recursive: true });
  // Git does not keep who may read a file.
  for (const name of ['.', ...readdirSync(archive, { recursive: true, encoding: 'utf8' })]) {
    const path = join(archive, name);
    chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600);
  }
  return world;
}
