import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Turn, transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { previewMatrix, previewProject, previewSession } from '../retention/preview.ts';
import { search } from '../search/search.ts';
import { sync } from '../sync/sync.ts';
import { setKeepit } from './change.ts';
import { findKeepit, listKeepits } from './keepits.ts';

const OLD = '11111111-aaaa-4aaa-8aaa-000000000001';
const NEW = '22222222-aaaa-4aaa-8aaa-000000000002';
const BLOG = '33333333-aaaa-4aaa-8aaa-000000000003';

let world: TestWorld;
beforeEach(async () => {
  world = makeWorld();
  const session = (cwd: string, id: string, turns: Turn[]) => {
    const folder = join(world.projects, cwd.replaceAll('/', '-'));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${id}.jsonl`), transcript(cwd, id, turns));
  };
  session('/srv/shop', OLD, [
    {
      you: '##keepit0.80## Prices in cents.',
      agent: '##keepit0.25## Noted.',
      at: '2026-01-05T10:00:00.000Z',
    },
    { you: '##keepit1.00## Never floats.', at: '2026-01-05T11:00:00.000Z' },
  ]);
  session('/srv/shop', NEW, [{ you: '##keepit0.80## Stock in units.', at: '2026-01-09T10:00:00.000Z' }]);
  session('/srv/blog', BLOG, [{ you: '##keepit0.50## Posts in Markdown.', at: '2026-01-07T10:00:00.000Z' }]);
  await sync(world);
});
afterEach(() => world.remove());

const words = async (request: Parameters<typeof listKeepits>[1]) =>
  (await listKeepits(world, request)).items.map((it) => it.content);

test('heaviest first, then newest, of all projects, of one, or of a session', async () => {
  expect(await words({})).toEqual([
    'Never floats.',
    'Stock in units.',
    'Prices in cents.',
    'Posts in Markdown.',
    'Noted.',
  ]);
  expect(await words({ project: 'blog' })).toEqual(['Posts in Markdown.']);
  expect(await words({ session: OLD.slice(0, 6) })).toEqual(['Never floats.', 'Prices in cents.', 'Noted.']);
});

test('filters and pages', async () => {
  expect(await words({ origin: 'assistant' })).toEqual(['Noted.']);
  expect(await words({ preset: 'important' })).toEqual(['Stock in units.', 'Prices in cents.']);
  expect(await words({ least: 0.3, most: 0.8, project: 'shop' })).toEqual([
    'Stock in units.',
    'Prices in cents.',
  ]);
  const first = await listKeepits(world, { limit: 3 });
  const rest = await listKeepits(world, { limit: 3, after: first.next! });
  expect([...first.items, ...rest.items].map((it) => it.content)).toEqual(await words({}));
  expect([first.total, rest.next]).toEqual([5, null]);
});

test('an id is found by any beginning that is unique, with or without its k_', async () => {
  const { ids } = await listKeepits(world);
  const [id] = ids as [string];
  for (const text of [id, id.slice(2), id.slice(0, 12), id.toUpperCase()])
    expect((await findKeepit(world, text)).keepit.markerId).toBe(id);
  await expect(findKeepit(world, 'k_zz')).rejects.toMatchObject({ code: 'not-found' });
  await expect(findKeepit(world, 'k_')).rejects.toMatchObject({ code: 'not-found' });
});

test('a search by weight goes by the weights that count now', async () => {
  const found = async () =>
    (await search(world, { query: 'prices cents', filters: { keepitMin: 0.9, keepitMax: 0.99 } })).hits.map(
      (hit) => hit.text,
    );
  expect(await found()).toEqual([]);
  const id = (await listKeepits(world)).items.find((it) => it.content.startsWith('Prices'))!.markerId;
  await setKeepit(world, id, 0.95);
  expect(await found()).toEqual([expect.stringContaining('Prices in cents.')]);
});

test("a preview answers as the interface says, at the session's own distance or another", async () => {
  const near = await previewSession(world, OLD, { ratio: 30 });
  expect(near.threshold).toBe(0.56);
  const { markers, threshold } = await previewSession(world, OLD, {
    ratio: 30,
    aggressiveness: 'aggressive',
    distance: 5,
  });
  expect(threshold).toBe(0.65);
  expect(markers.map(({ weight, survives }) => [weight, survives])).toEqual([
    [0.8, true],
    [0.25, false],
    [1, true],
  ]);
});

test('texts that look like markers are listed with what to write, in their session, project or all', async () => {
  const folder = join(world.projects, '-srv-bakery');
  mkdirSync(folder);
  const id = '44444444-aaaa-4aaa-8aaa-000000000004';
  const turns: Turn[] = [{ you: 'Ovens are hot. ##keepit0.5## Very.', agent: 'They are.' }];
  writeFileSync(join(folder, `${id}.jsonl`), transcript('/srv/bakery', id, turns));
  await sync(world);
  const missed = async (request: Parameters<typeof listKeepits>[1]) =>
    (await listKeepits(world, request)).missed.map(({ sessionId, text, marker }) => [
      sessionId,
      text,
      marker,
    ]);
  const found = [[id, '##keepit0.5##', '##keepit0.50##']];
  expect(await missed({})).toEqual(found);
  expect(await missed({ session: id })).toEqual(found);
  expect(await missed({ project: 'bakery', preset: 'pinned' })).toEqual(found);
  expect(await missed({ project: 'shop' })).toEqual([]);
  expect(await missed({ session: NEW })).toEqual([]);
});

test('a project is previewed session by session, the nearest first', async () => {
  const { items } = await previewProject(world, 'shop', { ratio: 50 });
  expect(items.map((it) => [it.sessionId, it.sessionDistance, it.threshold])).toEqual([
    [NEW, 1, 0.55],
    [OLD, 2, 0.6],
  ]);
  const page = await previewProject(world, 'shop', { ratio: 50, limit: 1 });
  expect((await previewProject(world, 'shop', { ratio: 50, after: page.next! })).items).toEqual([items[1]]);
});

test('the overview shows where a weight begins to decay', async () => {
  const matrix = await previewMatrix(world, { session: NEW }, {});
  expect([matrix.distances, matrix.ratios]).toEqual([
    [1, 5, 10],
    [5, 10, 15, 30, 50],
  ]);
  expect(matrix.thresholds[2]).toEqual([0.15, 0.4, 0.45, 0.8, 1]);
  expect(matrix.markers[0]?.verdicts[2]).toEqual([
    'SURVIVES',
    'SURVIVES',
    'SURVIVES',
    'BARELY SURVIVES',
    'SUMMARIZED',
  ]);
});

test('where fading is turned off everything survives', async () => {
  await world.settings.writeGlobal(() => ({ defaults: { keepitDecayEnabled: false } }));
  const { markers, threshold } = await previewSession(world, OLD, { ratio: 50, distance: 10 });
  // One of the assistant's waits for the user.
  expect(markers.filter((marker) => !marker.survives).map(({ held }) => held)).toEqual([true]);
  expect(threshold).toBe(0);
});
