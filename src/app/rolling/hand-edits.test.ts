import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { sync } from '../sync/sync.ts';
import { type MemoryRecords, memoryRecords } from './memory-records.ts';
import { setNote } from './notes.ts';
import { MEMORY_FILE } from './rolling-memory.ts';

const PROJECT = '-srv-shop' as ProjectId;
let world: TestWorld;
beforeEach(async () => {
  world = makeWorld();
  mkdirSync(join(world.projects, PROJECT), { recursive: true });
  const said = [{ you: 'Lock the lamp room.' }, { agent: 'Done.' }];
  writeFileSync(join(world.projects, PROJECT, 'one.jsonl'), workSession('one', said));
  await sync(world);
});
afterEach(() => world.remove());

const read = async (file: string) => (await world.archive.files.read(PROJECT, file))?.toString() ?? '';
const stamps = ({ blocks }: Pick<MemoryRecords, 'blocks'>) => Object.values(blocks).map(({ hlc }) => hlc);

test('what was written into memory.md by hand has the time of the sync that noticed it, not of the export', async () => {
  expect(stamps(JSON.parse(await read('rolling/records.json')))).toEqual([0]);
  await world.archive.files.write(PROJECT, MEMORY_FILE, `${await read(MEMORY_FILE)}- by hand\n`);
  const before = world.clock.millis();
  await sync(world);
  const noticed = world.clock.millis();
  for (let later = 0; later < 60; later++) world.clock.now();
  const [hlc] = stamps(await memoryRecords(world, PROJECT, undefined));
  expect(hlc).toBeGreaterThanOrEqual(before);
  expect(hlc).toBeLessThanOrEqual(noticed);
});

test('a note has the time it was set at', async () => {
  await setNote(world, PROJECT, { name: 'project', text: '# Shop\n\nTea.\n' });
  await setNote(world, PROJECT, { name: 'project', text: '# Shop\n\nTea and cake.\n' });
  const noticed = world.clock.millis();
  for (let later = 0; later < 60; later++) world.clock.now();
  const { notes } = await memoryRecords(world, PROJECT, undefined);
  const line = notes.project!.find(({ text }) => text.includes('cake'));
  expect(line).toMatchObject({ hlc: expect.any(Number) });
  expect((line as { hlc: number }).hlc).toBeLessThanOrEqual(noticed);
});
