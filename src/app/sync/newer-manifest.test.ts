import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { readHistory } from '../find/history.ts';
import { listProjects } from '../find/projects.ts';
import { listSessions } from '../find/sessions.ts';
import { search } from '../search/search.ts';
import { showSession } from '../session/show.ts';
import { sync } from './sync.ts';

const ID = '11111111-aaaa-4aaa-8aaa-000000000001';
const OTHER = '22222222-aaaa-4aaa-8aaa-000000000002';
const newer = { code: 'newer-version' };

let world: TestWorld;
let notes: string[];
let source: string;
let manifest: string;
beforeEach(async () => {
  world = makeWorld();
  notes = [];
  world.report = (note) => notes.push(note);
  const folder = join(world.projects, 'all');
  mkdirSync(folder, { recursive: true });
  source = join(folder, `${ID}.jsonl`);
  writeFileSync(source, transcript('/srv/shop', ID, [{ you: 'Hello marzipan' }]));
  writeFileSync(join(folder, `${OTHER}.jsonl`), transcript('/srv/mill', OTHER, [{ you: 'Hello marzipan' }]));
  await sync(world);
  manifest = join(world.places.archive, 'projects', '-srv-mill', 'manifest.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"version":"1.0.0"', '"version":"9.0.0"'));
});
afterEach(() => world.remove());

test('a project that a newer Keepsake wrote is noted, and the others are listed, shown, searched and synced', async () => {
  const before = readFileSync(manifest);
  expect((await listSessions(world)).items.map((row) => row.sessionId)).toEqual([ID]);
  expect(notes.join()).toContain('newer version of Keepsake');
  expect((await listProjects(world)).map((project) => project.projectId)).toEqual(['-srv-shop']);
  expect((await showSession(world, ID)).sessionId).toBe(ID);
  expect((await readHistory(world)).items.length).toBeGreaterThan(0);
  appendFileSync(source, transcript('/srv/shop', ID, [{ you: 'Hello marzipan' }, { you: 'Hello nougat' }]));
  const report = await sync(world);
  expect(report).toMatchObject({ grown: 1 });
  expect(report.notes.join()).toContain('newer version of Keepsake');
  expect((await search(world, { query: 'nougat' })).hits[0]?.sessionId).toBe(ID);
  expect(readFileSync(manifest)).toEqual(before);
});

test('where every project is of a newer Keepsake a list fails, and is not empty', async () => {
  await world.archive.removeProject('-srv-shop' as ProjectId);
  await expect(listSessions(world)).rejects.toMatchObject(newer);
});

test('what asks for that project fails and says why', async () => {
  await expect(listSessions(world, { project: '-srv-mill' })).rejects.toMatchObject(newer);
  await expect(listSessions(world, { project: '/srv/mill' })).rejects.toMatchObject(newer);
  expect((await listSessions(world, { project: 'shop' })).items).toHaveLength(1);
});
