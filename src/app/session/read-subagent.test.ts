import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { allSessions, type SessionRow } from '../find/sessions.ts';
import { register } from '../sync/register.ts';
import { readSubagent } from './read-subagent.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/claude-code');

let world: TestWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

async function kept(file: string): Promise<SessionRow> {
  await register(world, file);
  const row = (await allSessions(world)).find((it) => it.metadata.subSessions.length > 0);
  return row!;
}

test("a subagent's work is read from the session's lines about it", async () => {
  const row = await kept(join(FIXTURES, 'agent-progress.jsonl'));
  const { sub, lines } = await readSubagent(world, row, 'A3F');
  expect(sub).toMatchObject({ agentId: 'a3f19c2' });
  expect(lines.some((line) => line.role === 'user')).toBe(true);
  expect(lines.some((line) => line.role === 'tool' || line.role === 'assistant')).toBe(true);
});

test('and from its own file, where it has one', async () => {
  const row = await kept(world.places.sample);
  const [only] = row.metadata.subSessions;
  const { lines } = await readSubagent(world, row, `agent-${only!.agentId}`);
  expect(lines[0]).toMatchObject({ role: 'user', text: expect.stringContaining('bakery order service') });
  expect(lines.at(-1)).toMatchObject({ role: 'assistant' });
});

test('one that is not there is a fault', async () => {
  const row = await kept(join(FIXTURES, 'agent-progress.jsonl'));
  await expect(readSubagent(world, row, 'nobody')).rejects.toMatchObject({ code: 'not-found' });
});
