import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { compressSession } from '../compress/compress.ts';
import { verify } from '../maintenance/verify.ts';
import { setSetting } from '../settings/configure.ts';
import { sync } from './sync.ts';

const SHOP = '-srv-shop' as ProjectId;
let made: TestWorld;
afterEach(async () => made?.remove());

const contents = async () =>
  (await made.archive.open(SHOP))!.manifest.sessions.alpha!.keepitMarkers.map(({ content }) => content);

beforeEach(async () => {
  made = makeWorld();
  const folder = join(made.projects, SHOP);
  mkdirSync(folder, { recursive: true });
  const you = '##keepit0.90## Prices are whole cents.\n\nRounding is per line.';
  const turns = Array.from({ length: 8 }, (_, at) => ({
    you: at === 0 ? you : `What about part ${at}?`,
    agent: `Part ${at} is in src/part-${at}.ts and reads the price table.`,
    at: `2026-01-01T10:0${at}:00.000Z`,
  }));
  writeFileSync(join(folder, 'alpha.jsonl'), transcript('/srv/shop', 'alpha', turns));
  await sync(made);
});

it('a changed reach of keepits is applied by the next sync, and versions made before stay sound', async () => {
  expect(await contents()).toEqual(['Prices are whole cents.']);
  await compressSession(made, { project: SHOP, session: 'alpha' as never }, { ratio: 2 });
  expect((await verify(made)).problems).toEqual([]);
  await setSetting(made, 'keepit.extent', 'message');
  await sync(made);
  expect((await contents())[0]).toContain('Rounding is per line.');
  const { problems } = await verify(made);
  expect(problems.filter(({ level }) => level !== 'ok')).toEqual([]);
  await setSetting(made, 'keepit.extent', 'paragraph');
  await sync(made);
  expect(await contents()).toEqual(['Prices are whole cents.']);
  expect((await verify(made)).problems).toEqual([]);
});

it('a changed reach of keepits is applied by a compression before any sync', async () => {
  await setSetting(made, 'keepit.extent', 'message');
  await compressSession(made, { project: SHOP, session: 'alpha' as never }, { ratio: 2 });
  expect((await contents())[0]).toContain('Rounding is per line.');
  await sync(made);
  expect((await contents())[0]).toContain('Rounding is per line.');
});
