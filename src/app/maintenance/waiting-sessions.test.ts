import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { sync } from '../sync/sync.ts';
import { waitingSessions } from './waiting-sessions.ts';

let world: TestWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

const LARGE = 60 * 1024 * 1024;

async function file(n: number, ask: string): Promise<FoundTranscript> {
  const id = `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`;
  const folder = join(world.places.claudeProjects[0]!, '-work-app');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${id}.jsonl`);
  writeFileSync(path, transcript('/srv/app', id, [{ you: ask, agent: 'I will.' }]));
  const found = await world.transcripts.inspect(path);
  if (!found || found === 'folder') throw new Error('no file');
  return { ...found, mtimeMs: n * 1000 };
}

test('of a lot to read the newest sessions are named by what was asked first, secrets masked', async () => {
  const key = `sk-ant-api03-${'A1b2'.repeat(20)}`;
  const files = [
    await file(1, 'Paint the lighthouse in red and white.'),
    await file(3, `Log in with ${key} and count the gulls on the roof.`),
    await file(2, 'Sweep the gallery of the lighthouse.'),
  ];
  const look = await waitingSessions(world, [{ ...files[0]!, size: LARGE }, ...files.slice(1)]);
  expect(look?.sessions).toBe(3);
  expect(look?.newest.map(({ mtimeMs, cwd }) => `${mtimeMs} ${cwd}`)).toEqual([
    '3000 /srv/app',
    '2000 /srv/app',
    '1000 /srv/app',
  ]);
  expect(look?.newest[0]?.ask).toContain('count the gulls');
  expect(JSON.stringify(look)).not.toContain(key);
  expect(look?.newest[2]?.ask).toContain('Paint the lighthouse');
});

test('of little to read nothing is said, nor of what was read before', async () => {
  const one = await file(1, 'Paint the lighthouse in red and white.');
  expect(await waitingSessions(world, [one])).toBeUndefined();
  await sync(world);
  const found = await world.transcripts.inspect(one.path);
  if (!found || found === 'folder') throw new Error('no file');
  expect(await waitingSessions(world, [found])).toBeUndefined();
});
