import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { ownMemoryNotice } from './own-memory-notice.ts';

const PROJECT = '-srv-shop' as ProjectId;
let world: TestWorld;
let own = '';
beforeEach(() => {
  world = makeWorld();
  world.places.cwd = '/srv/shop';
  own = join(world.places.claude, 'projects', PROJECT, 'memory');
});
afterEach(() => world.remove());

function writeOwnMemory(): void {
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'MEMORY.md'), '# Notes\n');
}

test("the user gets one note per project about Claude Code's own memory, and its file stays", async () => {
  writeOwnMemory();
  expect(await ownMemoryNotice(world, PROJECT)).toContain('(MEMORY.md) is also active in this project');
  expect(await ownMemoryNotice(world, PROJECT)).toBeUndefined();
  expect(readFileSync(join(own, 'MEMORY.md'), 'utf8')).toBe('# Notes\n');
});

test('nothing is said where there is none, or where it is switched off', async () => {
  expect(await ownMemoryNotice(world, PROJECT)).toBeUndefined();
  writeOwnMemory();
  writeFileSync(join(world.places.claude, 'settings.json'), '{"autoMemoryEnabled": false}');
  expect(await ownMemoryNotice(world, PROJECT)).toBeUndefined();
  writeFileSync(join(world.places.claude, 'settings.json'), '{}');
  expect(await ownMemoryNotice(world, PROJECT)).toContain('MEMORY.md');
});
