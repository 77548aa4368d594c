import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Turn, transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { CONFIG_DEFAULTS } from '../../core/model/config-defaults.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { rulesFor } from '../find/rules.ts';
import { ingestRunning } from '../sync/ingest-running.ts';
import { isMemoryDue } from '../sync/running-delta.ts';
import { type HookSession, stopsFile, toolsFile } from '../sync/running-session.ts';
import { syncSession } from '../sync/sync-session.ts';
import { learnFromSession, updateRollingMemory } from './memory.ts';
import { startInjection } from './start-injection.ts';

const ID = '11111111-aaaa-4aaa-8aaa-000000000001' as SessionId;
const PROJECT = '-srv-shop' as ProjectId;
const config = { ...CONFIG_DEFAULTS, memory: { ...CONFIG_DEFAULTS.memory, interval: 5 } };
let world: TestWorld;
let state: HookSession;
let path: string;

async function talk(turns: Turn[]): Promise<void> {
  writeFileSync(path, transcript('/srv/shop', ID, turns));
  await syncSession(world, state, path, { config, upTo: 'l1' });
}
async function ends(): Promise<void> {
  const file = await world.transcripts.inspect(path);
  if (file && file !== 'folder' && state.place)
    await ingestRunning(world, state.place, file, { config, upTo: 'record' });
  await learnFromSession(world, state);
  await updateRollingMemory(world, state);
}
const memory = async () => String((await world.archive.files.read(PROJECT, 'memory/memory.md')) ?? '');
/** So many tool calls, and the stop after them. */
const worked = (calls: number) => {
  appendFileSync(world.archive.files.path(undefined, toolsFile(ID)), '.'.repeat(calls));
  appendFileSync(world.archive.files.path(undefined, stopsFile(ID)), '.');
};

beforeEach(async () => {
  world = makeWorld();
  state = { version: 2, session: ID, told: [] };
  path = join(world.projects, `${ID}.jsonl`);
  for (const file of [toolsFile(ID), stopsFile(ID)])
    mkdirSync(join(world.archive.files.path(undefined, file), '..'), { recursive: true });
  await talk([
    { you: 'Always keep prices in cents.', agent: 'Prices are kept in cents because floats lost money.' },
  ]);
});
afterEach(() => world.remove());

describe('memory.md behind a running session', () => {
  test('is due at the interval, until it caught up', async () => {
    const due = () => isMemoryDue(world, state, config);
    worked(3);
    expect(await due()).toBe(false);
    worked(2);
    expect(await due()).toBe(true);
    expect(await due()).toBe(true);
    await updateRollingMemory(world, state);
    expect(await memory()).toContain('prices in cents');
    expect(await due()).toBe(false);
    worked(5);
    expect(await due()).toBe(true);
  });

  test('has the session once when it ends, and the next start includes its rule', async () => {
    await ends();
    await ends();
    expect((await memory()).match(/session 11111111 lines/g)).toHaveLength(1);
    expect((await rulesFor(world, PROJECT)).map(({ content }) => content)).toEqual([
      'Always keep prices in cents.',
    ]);
  });

  test('is left to the next time while another process holds the lock', async () => {
    const busy = {
      ...world,
      archive: { ...world.archive, exclusive: () => Promise.reject(new Fault('busy', 'Busy.')) },
    };
    await updateRollingMemory(busy, state);
    expect(await memory()).toBe('');
    expect(state.memory).toBeUndefined();
  });

  test('a note that is edited by hand is in the next start', async () => {
    await ends();
    await startInjection(world, PROJECT, [PROJECT]);
    await world.archive.files.write(PROJECT, 'memory/project.md', 'A shop for tea.\n');
    const { pieces } = await startInjection(world, PROJECT, [PROJECT]);
    expect(pieces.map(({ text }) => text.trim())).toContain('A shop for tea.');
  });
});
