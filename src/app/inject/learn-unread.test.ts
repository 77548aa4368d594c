import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WRITERS } from '../../../test/made/agent-sessions.ts';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { waitingWork } from '../../adapters/detached/work-queue.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { isUnread, leaveUnread } from '../../hook-unread.ts';
import { rulesFor } from '../find/rules.ts';
import { allSessions } from '../find/sessions.ts';
import { sync } from '../sync/sync.ts';
import { hasUnread } from '../sync/sync-unread.ts';
import { learnUnread } from './learn-unread.ts';
import { rulesText } from './rules-text.ts';

const PROJECT = '-srv-shop' as ProjectId;
let world: TestWorld;
beforeEach(() => {
  world = makeWorld();
  world.places.cwd = '/srv/shop';
});
afterEach(() => world.remove());

const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const day = () => join(world.places.home, 'codex', 'sessions', '2026', '01', '05');

/** A session of Codex with these asks, as its client writes it. */
function sayToCodex(id: string, asks: string[]): string {
  mkdirSync(day(), { recursive: true });
  const path = join(day(), `rollout-${id}.jsonl`);
  const rows = WRITERS.codex(
    asks.flatMap((text) => [
      { kind: 'ask', text },
      { kind: 'answer', text: 'Done.' },
    ]),
  );
  writeFileSync(path, lines(rows).replaceAll('"made"', `"${id}"`));
  return path;
}
const { signal } = new AbortController();
const learn = (claude = false) => learnUnread(world, { claude, signal });
const rules = async () => (await rulesFor(world, PROJECT)).map(({ content }) => content);

describe('what was said to another agent', () => {
  test('counts when the next session starts, without a sync', async () => {
    sayToCodex('11111111-0000-4000-8000-000000000001', ['From now on always install with pnpm, never npm.']);
    expect(await learn()).toEqual([PROJECT]);
    expect(await rules()).toEqual([expect.stringContaining('always install with pnpm')]);
  });

  test('is found by a check, and once it is read nothing is unread', async () => {
    const path = sayToCodex('11111111-0000-4000-8000-000000000001', ['Why is the basket empty?']);
    const unread = async () => [await hasUnread(world), isUnread(world.places.archive, true)];
    expect(await unread()).toEqual([true, true]);
    await learn(true);
    expect(await unread()).toEqual([false, false]);
    appendFileSync(path, lines(WRITERS.codex([{ kind: 'ask', text: 'And now?' }]).slice(1)));
    expect(await unread()).toEqual([true, true]);
    await sync(world);
    expect(await unread()).toEqual([false, false]);
    sayToCodex('11111111-0000-4000-8000-000000000002', ['Another session.']);
    expect(await unread()).toEqual([true, true]);
  });

  test('is read up to a bound, the latest first; the rest is for a sync', async () => {
    for (let n = 10; n < 40; n++) {
      const path = sayToCodex(`11111111-0000-4000-8000-0000000000${n}`, [`Paint wall ${n}.`]);
      utimesSync(path, 1_700_000_000 + n, 1_700_000_000 + n);
    }
    await learn();
    const ids = (await allSessions(world)).map(({ sessionId }) => Number(sessionId.slice(-2)));
    expect(ids.sort()).toEqual(Array.from({ length: 20 }, (_, at) => 20 + at));
    await sync(world);
    expect(await allSessions(world)).toHaveLength(30);
  });

  test('is shown with the tools to an agent that has no hooks', async () => {
    sayToCodex('11111111-0000-4000-8000-000000000001', ['From now on always install with pnpm, never npm.']);
    const text = await rulesText(world);
    expect(text).toMatch(/^# Rules of shop, from Keepsake\n/);
    expect(text).toContain('always install with pnpm');
    world.places.cwd = '/srv/elsewhere';
    expect(await rulesText(world)).toBe('');
  });
});

describe('what was said to Claude Code', () => {
  test('is read by the start of another agent, whether or not Claude Code has hooks', async () => {
    const say = { you: 'From now on always install with pnpm, never npm.', agent: 'Done.' };
    const id = '22222222-0000-4000-8000-000000000001';
    writeFileSync(join(world.projects, `${id}.jsonl`), transcript('/srv/shop', id, [say]));
    expect(await learn(false)).toEqual([]);
    expect(await learn(true)).toEqual([PROJECT]);
    expect(await rules()).toEqual([expect.stringContaining('always install with pnpm')]);
  });
});

describe('the start of a session', () => {
  const event = (name: string, session = '33333333') =>
    JSON.stringify({ hook_event_name: name, session_id: session, cwd: '/srv/shop' });
  const queued = () => waitingWork(world.places.archive).map(({ kind, key }) => `${kind} ${key}`);
  const leave = (text: string, isOther: boolean) =>
    leaveUnread(text, world.places.archive, { started: '', isOther });

  test('leaves to the queue what is unread, and nothing else does', async () => {
    await learn(true);
    leave(event('SessionStart'), false);
    expect(queued()).toEqual([]);
    sayToCodex('11111111-0000-4000-8000-000000000001', ['Why is the basket empty?']);
    for (const name of ['UserPromptSubmit', 'Stop', 'SessionEnd']) leave(event(name), false);
    expect(queued()).toEqual([]);
    leave(event('SessionStart'), false);
    expect(queued()).toEqual(['unread others']);
  });

  test('is the first event of an agent that has no other, with Claude Code among what is read', async () => {
    await learn(true);
    writeFileSync(join(world.projects, 'new.jsonl'), '{}\n');
    leave(event('SessionStart'), false);
    expect(queued()).toEqual([]);
    leave(event('BeforeAgent'), true);
    expect(queued()).toEqual(['unread all']);
  });

  test('a check costs little, however many sessions there are', async () => {
    for (let n = 10; n < 90; n++) sayToCodex(`11111111-0000-4000-8000-0000000000${n}`, [`Paint wall ${n}.`]);
    await sync(world);
    const stored = readFileSync(join(world.places.archive, 'cache', 'seen-places.json'), 'utf8');
    expect(Object.keys(JSON.parse(stored).others).length).toBeLessThan(60);
  });
});
