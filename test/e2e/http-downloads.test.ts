import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeScenario, type Scenario } from '../made/http-scenario.ts';

let made: Scenario;
let kept: string[];
beforeAll(async () => {
  made = await makeScenario();
  kept = cached();
});
afterAll(() => made.world.remove());

/** Without what a reader notes of a manifest once that is a few seconds old. */
const cached = () =>
  (readdirSync(join(made.world.places.archive, 'cache'), { recursive: true }) as string[])
    .filter((path) => !path.startsWith('manifests'))
    .sort();

/** Files below the archive's originals that this process holds open. */
function held(): string[] {
  if (!existsSync('/proc/self/fd')) return [];
  const links = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  return links.filter((path) => path.startsWith(made.world.places.archive) && /originals|cache/.test(path));
}

const paths = () => [
  '/api/memory/sessions/one/original',
  `/api/memory/export?project=${encodeURIComponent(made.project)}`,
];

test('a download that nobody reads opens nothing and leaves nothing', async () => {
  const { client } = made;
  const exported = async () =>
    (await client.call('get /api/memory/history', { project: made.project })).json.items.filter(
      (it) => it.action === 'export',
    );
  const before = await exported();
  for (const path of paths())
    for (let n = 0; n < 5; n++) {
      const response = await client.send('get', path);
      expect(response.status).toBe(200);
      await new Promise((resolve) => setImmediate(resolve));
      expect(held()).toEqual([]);
      await response.body?.cancel();
    }
  expect([held(), cached()]).toEqual([[], kept]);
  expect(await exported()).toEqual(before);
});

test('a download that is left in the middle closes its files, and nothing of it stays', async () => {
  // More than the pipes in between hold.
  const { json } = await made.client.call('get /api/memory/sessions/{sessionId}', { sessionId: 'two' });
  const noise = Array.from(
    { length: 60_000 },
    (_, n) => `{"n":"${Math.imul(n + 1, 2_654_435_761) >>> 0}"}\n`,
  );
  writeFileSync(json.archivedFile, noise.join(''));
  for (const path of ['/api/memory/sessions/two/original', paths()[1] ?? '']) {
    const response = await made.client.send('get', path);
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await reader?.cancel();
    expect([held(), cached()]).toEqual([[], kept]);
  }
});

test('a downloaded export is a whole bundle, and leaves no file that a purge would have to name', async () => {
  const { client, world, project } = made;
  const response = await client.send('get', paths()[1] ?? '');
  const file = join(world.places.home, 'taken.keepsake.gz');
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  expect(readFileSync(file).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  const dry = await client.call('post /api/memory/import/bundle', {}, { body: { path: file, dryRun: true } });
  expect(dry.json.projects).toMatchObject([{ projectId: project, sessions: { added: 0 } }]);
  const purge = await client.call(
    'post /api/memory/purge',
    {},
    { body: { text: 'The oven has a detail 3', dryRun: true } },
  );
  expect(purge.json.outside.filter(({ kind }) => kind === 'export')).toEqual([]);
  const { json } = await client.call('get /api/memory/history', { project });
  expect(json.items.find(({ action }) => action === 'export')?.note).toBe('Exported all of it');
  expect(cached()).toEqual(kept);
});
