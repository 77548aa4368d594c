import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { CONFIG_DEFAULTS } from '../../core/model/config-defaults.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { preparePurge } from '../purge/purge.ts';
import type { HookSession } from '../sync/running-session.ts';
import { sync } from '../sync/sync.ts';
import { rateInjection } from './injection-feedback.ts';
import { listInjections } from './injections.ts';
import { startText } from './start.ts';

let world: TestWorld;
const project = '-srv-shop' as ProjectId;
beforeEach(async () => {
  world = makeWorld();
  world.places.cwd = '/srv/shop';
  mkdirSync(join(world.projects, project));
  const say = (id: string, day: number, you: string, agent: string) =>
    writeFileSync(
      join(world.projects, project, `${id}.jsonl`),
      transcript('/srv/shop', id, [{ you, agent, at: `2026-01-0${day}T10:00:00.000Z` }]),
    );
  say('alpha001', 1, 'How is the price rounded?', 'Half up, in `roundPrice`.');
  say('bravo001', 2, 'Where are invoices numbered?', 'In the counter `nextInvoice`.');
  await sync(world);
});
afterEach(() => world.remove());

const begin = (session: string) => {
  const state: HookSession = { version: 2, session: session as SessionId, told: [] };
  return startText(world, state, project, CONFIG_DEFAULTS);
};

test('what a start said is logged with its tokens and sources, once for each session', async () => {
  const text = await begin('now00001');
  expect(text).toContain('roundPrice');
  const { items, total } = await listInjections(world, { project });
  expect(total).toBe(1);
  expect(items[0]).toMatchObject({ on: 'start', session: 'now00001', text, unhelpful: false });
  expect(items[0]!.tokens).toBeGreaterThan(20);
  expect(items[0]!.sources.map(({ session }) => session)).toEqual(
    expect.arrayContaining(['alpha001', 'bravo001']),
  );
  expect(items[0]!.use).toBeUndefined();
});

test('what did not help comes last, until that is taken back', async () => {
  const first = await begin('now00001');
  expect(first.indexOf('nextInvoice')).toBeLessThan(first.indexOf('roundPrice'));
  const { items } = await listInjections(world, {});
  // As if only the newest exchange had been said.
  const file = `injections/${items[0]!.session}.jsonl`;
  const [newest] = items[0]!.sources.filter(({ session }) => session === 'bravo001');
  const { projectId, unhelpful, ...row } = items[0]!;
  await world.archive.files.write(projectId, file, `${JSON.stringify({ ...row, sources: [newest] })}\n`);
  expect(unhelpful).toBe(false);
  await rateInjection(world, [project], row.id, false);
  const second = await begin('now00002');
  expect(second.indexOf('nextInvoice')).toBeGreaterThan(second.indexOf('roundPrice'));
  await rateInjection(world, [project], row.id, true);
  const third = await begin('now00003');
  expect(third.indexOf('nextInvoice')).toBeLessThan(third.indexOf('roundPrice'));
  await expect(rateInjection(world, [project], 'in_none', false)).rejects.toMatchObject({
    code: 'not-found',
  });
});

test('a purge reaches the log', async () => {
  await begin('now00001');
  await (await preparePurge(world, { kind: 'text', text: 'roundPrice' })).carryOut();
  const { items } = await listInjections(world, {});
  expect(JSON.stringify(items)).not.toContain('roundPrice');
  expect(items).toHaveLength(1);
});

test('a purge of a session takes what was quoted of it, and what was said to it', async () => {
  await begin('now00001');
  await begin('alpha001');
  await (await preparePurge(world, { kind: 'session', session: 'alpha001' })).carryOut();
  const { items } = await listInjections(world, {});
  expect(items.map(({ session }) => session)).toEqual(['now00001']);
  expect(JSON.stringify(items)).not.toContain('How is the price rounded');
});
