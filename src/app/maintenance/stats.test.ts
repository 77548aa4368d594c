import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { compose } from '../compose/compose.ts';
import { compressSession } from '../compress/compress.ts';
import { unregister, whatToUnregister } from '../purge/unregister.ts';
import { sync } from '../sync/sync.ts';
import { readStats } from './stats.ts';

let world: TestWorld;
beforeAll(async () => {
  world = makeWorld();
  const said = (id: string, at: string) =>
    Array.from({ length: 4 }, (_, n) => ({
      you: `What of ${id} ${n}?${n === 1 ? '\n\n##keepit0.80## Cents, always.' : ''}`,
      agent: Array.from({ length: 12 }, (_, m) => `Detail ${m} of ${id} ${n} tells of the basket.`).join(' '),
      at,
    }));
  for (const [project, id, at] of [
    ['shop', 'one', '2026-01-05T10:00:00.000Z'],
    ['shop', 'two', '2026-01-05T12:00:00.000Z'],
    ['shop', 'gone', '2026-01-06T12:00:00.000Z'],
    ['site', 'three', '2026-01-09T12:00:00.000Z'],
  ] as const) {
    const folder = join(world.projects, `-srv-${project}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${id}.jsonl`), transcript(`/srv/${project}`, id, said(id, at)));
  }
  await sync(world);
  const ref = { project: '-srv-shop' as ProjectId, session: 'one' as SessionId };
  await compressSession(world, ref, { preset: 'gentle' });
  await compressSession(world, ref, { preset: 'aggressive' });
  await compose(world, 'mix', { budget: 50_000, sessions: ['one:part1_v002', 'two:original'] });
  await unregister(world, await whatToUnregister(world, { session: 'gone' }));
});
afterAll(() => world.remove());

test('everything is counted once, what was unregistered is not', async () => {
  const stats = await readStats(world);
  expect(stats).toMatchObject({ scope: 'all', projects: 2, sessions: 3, messages: 24, exchanges: 12 });
  expect(stats.activity.map(({ day, sessions, messages }) => [day, sessions, messages])).toEqual([
    ['2026-01-05', 2, 16],
    ['2026-01-09', 1, 8],
  ]);
  expect(stats.keepits).toEqual({ total: 3, held: 0, byWeight: [{ weight: 0.8, count: 3 }] });
  expect(stats.bytes).toBe(stats.storage.reduce((sum, { bytes }) => sum + bytes, 0));
  expect(stats.storage.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['originals', 'layers', 'versions', 'compositions', 'records', 'search index']),
  );
  expect(stats.ledger).toBeNull();
});

test('tokens say what versions and compositions save', async () => {
  const { tokens, levels, compositions } = await readStats(world, { project: 'shop' });
  expect(tokens.versions).toBe(2);
  expect(levels.map(({ level }) => level).sort()).toEqual(['tiered aggressive', 'tiered gentle']);
  expect(tokens.shortest).toBe(Math.min(...levels.map((level) => level.tokens)));
  expect(tokens.covered).toBe(tokens.original / 2);
  expect(compositions).toMatchObject({ count: 1, originalTokens: tokens.original, used: 0 });
  expect(compositions.saved).toBeGreaterThan(0);
  expect(compositions.saved).toBe(compositions.originalTokens - compositions.tokens);
});

test('each session is counted separately', async () => {
  const stats = await readStats(world, { session: 'three' });
  expect(stats).toMatchObject({ scope: 'session', sessionId: 'three', sessions: 1, messages: 8 });
  expect(stats.storage.map(({ kind }) => kind)).toEqual(['originals', 'layers']);
  expect(stats.compositions.count).toBe(0);
});
