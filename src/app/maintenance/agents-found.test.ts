import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WRITERS } from '../../../test/made/agent-sessions.ts';
import type { Happening } from '../../../test/made/happening.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { sync } from '../sync/sync.ts';
import { agentsFound } from './agents-found.ts';

let world: TestWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

const said = (text: string): Happening[] => [
  { kind: 'ask', text },
  { kind: 'answer', text: 'Done.' },
];
const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

test('an agent is shown with its sessions, those that wait for a sync, and when it was last read', async () => {
  const folder = join(world.places.home, 'codex', 'sessions', '2026', '01', '05');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'rollout-11111111-0000-4000-8000-000000000001.jsonl');
  writeFileSync(path, lines(WRITERS.codex(said('Why is the basket empty?'))));
  const codex = async () => (await agentsFound(world, 0)).find(({ agent }) => agent === 'codex');
  expect(await codex()).toMatchObject({ sessions: 0, notRead: 1, lastRead: null });

  world.clock = { ...world.clock, now: () => '2026-02-01T10:00:00.000Z' };
  await sync(world);
  expect(await codex()).toMatchObject({ sessions: 1, notRead: 0, lastRead: '2026-02-01T10:00:00.000Z' });

  appendFileSync(path, lines(WRITERS.codex(said('And now?')).slice(1)));
  expect(await codex()).toMatchObject({ sessions: 1, notRead: 1, lastRead: '2026-02-01T10:00:00.000Z' });
});

test("one with a folder of its own is shown without sessions; an editor's data folder is no sign of any", async () => {
  for (const folder of [...world.places.agents!.cline, ...world.places.agents!.roo])
    mkdirSync(folder, { recursive: true });
  const found = await agentsFound(world, 0);
  expect(found.map(({ agent, sessions }) => [agent, sessions])).toEqual([['cline', 0]]);
});
