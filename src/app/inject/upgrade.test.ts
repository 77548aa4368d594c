import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { indexUpdate } from '../../../test/made/index-update.ts';
import { OLD_PROJECT, OLD_RUNNING, OLD_SESSION, oldArchive } from '../../../test/made/old-archive.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import { CONFIG_DEFAULTS } from '../../core/model/config-defaults.ts';
import type { SessionId } from '../../core/model/ids.ts';
import { REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import { answerRecall } from '../answer/memory.ts';
import { recall } from '../recall/recall.ts';
import { updateMemory } from '../rolling/update.ts';
import { indexArchive } from '../search/index-archive.ts';
import { indexDocuments } from '../search/index-documents.ts';
import { type HookSession, loadHookSession } from '../sync/running-session.ts';
import { sync } from '../sync/sync.ts';
import { syncSession } from '../sync/sync-session.ts';
import { learnFromSession, updateRollingMemory } from './memory.ts';
import { promptText } from './prompt.ts';
import { startText } from './start.ts';
import { makeStartInjection } from './start-injection.ts';

const NEW = '3ada0000-aaaa-4aaa-8aaa-000000000003' as SessionId;
const config = CONFIG_DEFAULTS;
const WAITS = 'were read by an older version of Keepsake and omitted here. `keepsake sync` rebuilds them.';
const prompt = 'Which nightly watchdog guards the warehouse before every deploy?';
const refined = ['2026-03-01_1000_1ada0000', '2026-03-02_1000_2ada0000'].flatMap((name) => [
  `memory/sessions/${name}.l1.jsonl`,
  `memory/sessions/${name}.l2.json`,
]);
const derived = [...refined, 'memory/facts.json', 'memory/concepts.json', 'memory/memory.md'];

let world: TestWorld;
beforeEach(async () => {
  world = oldArchive();
  await indexArchive(world, world.index);
  await indexDocuments(world, world.index);
});
afterEach(() => world.remove());

const read = async (name: string) => String(await world.archive.files.read(OLD_PROJECT, name));
const stored = async () =>
  Object.fromEntries(await Promise.all(derived.map(async (it) => [it, await read(it)])));
const stateOf = (session: SessionId) =>
  join(world.places.archive, `cache/ingest/${OLD_PROJECT}/${session}.json`);
const originalOf = (session: SessionId) => world.archive.originals.path(OLD_PROJECT, `${session}.jsonl`);
const begun = (session: SessionId): HookSession => ({ version: 2, session, told: [] });

/** The session of the older version goes on, as the agent's file has it. */
async function grown(): Promise<{ state: HookSession; path: string }> {
  const path = join(world.projects, `${OLD_RUNNING}.jsonl`);
  copyFileSync(originalOf(OLD_RUNNING), path);
  const more = [{ you: 'From now on always write the invoices in Norwegian.', agent: 'They are Norwegian.' }];
  appendFileSync(path, transcript('/home/ada/dev/shop', OLD_RUNNING, more));
  return { state: await loadHookSession(world, OLD_RUNNING), path };
}

async function ends(state: HookSession, path: string): Promise<void> {
  await syncSession(world, state, path, { config, upTo: 'record' });
  await learnFromSession(world, state);
  await updateRollingMemory(world, state);
  await makeStartInjection(world, OLD_PROJECT);
}

describe('until a sync has rebuilt what an older engine made', () => {
  test('a start injects only what a person settled or wrote, and that an update waits', async () => {
    const text = await startText(world, begun(NEW), OLD_PROJECT, config);
    expect(text).toContain(`2 sessions ${WAITS}`);
    expect(text).toContain('Deploys happen on Tuesdays.');
    expect(text).toContain('sells boats');
    // The one that the user confirmed.
    expect(text.split('\n').filter((line) => line.includes('watchdog'))).toHaveLength(1);
    expect(text).not.toMatch(/## (?:Latest|Memory|Pinned)/);
  });

  test('a prompt and a recall find nothing in it', async () => {
    const found = await promptText(world, begun(NEW), { project: OLD_PROJECT, prompt }, config);
    expect(found).not.toContain('Matching passages');
    for (const { text } of [
      await answerRecall(world, 'watchdog warehouse', { project: OLD_PROJECT }),
      await recall(world, { topic: 'watchdog warehouse', project: OLD_PROJECT }),
    ]) {
      expect(text).toContain(WAITS);
      expect(text).not.toMatch(/## (?:Matching passages|Latest|Pinned)/);
    }
  });

  test('hooks of its session keep the copy up to date and rebuild nothing', async () => {
    const before = await stored();
    const { state, path } = await grown();
    await syncSession(world, state, path, { config, upTo: 'l1' });
    await ends(state, path);
    expect(readFileSync(originalOf(OLD_RUNNING), 'utf8')).toBe(readFileSync(path, 'utf8'));
    expect(await stored()).toEqual(before);
    // All that was done is noted, so that the next hook does not look at the whole copy again.
    const noted = JSON.parse(readFileSync(stateOf(OLD_RUNNING), 'utf8'));
    expect(noted).toMatchObject({ waits: true, offset: 0, source: { path } });
    await sync(world);
    expect(await read('memory/facts.json')).toContain('invoices in Norwegian');
    expect(await read('memory/memory.md')).toContain('invoices in Norwegian');
    expect(await read(refined[2]!)).not.toContain('watchdog');
  });

  test('a session that begins meanwhile is kept whole, and rebuilds nothing either', async () => {
    const before = await stored();
    const path = join(world.projects, `${NEW}.jsonl`);
    const turns = [{ you: 'Always name the branches after rivers.', agent: 'Branches are rivers now.' }];
    writeFileSync(path, transcript('/home/ada/dev/shop', NEW, turns));
    const state = begun(NEW);
    await ends(state, path);
    const { 'memory/memory.md': memory, ...others } = await stored();
    const { 'memory/memory.md': memoryBefore, ...othersBefore } = before;
    expect(others).toEqual(othersBefore);
    expect(memory).toContain('branches after rivers');
    // Nothing of it is lost; a new entry is where its time puts it.
    for (const line of memoryBefore!.split('\n')) expect(memory?.split('\n')).toContain(line);
    expect(await startText(world, begun(OLD_SESSION), OLD_PROJECT, config)).toContain(
      'branches after rivers',
    );
    await sync(world);
    expect(await read('memory/facts.json')).toContain('branches after rivers');
    expect(await read('memory/memory.md')).toContain('branches after rivers');
  });

  test('memory.md adds nothing more of what it read', async () => {
    const state = join(world.places.archive, 'projects', OLD_PROJECT, 'rolling/state.json');
    const { sessions: _, ...others } = JSON.parse(readFileSync(state, 'utf8'));
    writeFileSync(state, JSON.stringify({ ...others, sessions: {} }));
    const before = '# Memory\n';
    await world.archive.files.write(OLD_PROJECT, 'memory/memory.md', before);
    expect(await updateMemory(world, OLD_PROJECT)).toMatchObject({ added: 0 });
    expect(await read('memory/memory.md')).toBe(before);
  });

  test('a search does not make its exchanges again', async () => {
    const cursor = () => world.index.cursor(OLD_PROJECT, 'exchange', OLD_SESSION);
    const older = { project: OLD_PROJECT, kind: 'exchange', engine: 7 } as const;
    await world.index.update([indexUpdate(OLD_SESSION, 0, ['watchdog'], older)]);
    await world.archive.change(OLD_PROJECT, [{ at: [], merge: { displayName: 'boats' } }]);
    await indexDocuments(world, world.index);
    expect(await cursor()).toMatchObject({ engine: 7 });
    await sync(world);
    expect((await cursor())?.engine).not.toBe(7);
  });

  test('says so where nothing but the session itself was made, too', async () => {
    for (const file of ['memory/facts.json', 'memory/memory.md', 'rolling/state.json'])
      await world.archive.files.remove(OLD_PROJECT, file);
    expect(await startText(world, begun(NEW), OLD_PROJECT, config)).toMatch(
      /Update needed.*read by an older version of Keepsake/s,
    );
  });

  test('after it a start says everything again, at once', async () => {
    await startText(world, begun(NEW), OLD_PROJECT, config);
    await sync(world);
    const text = await startText(world, begun(NEW), OLD_PROJECT, config);
    expect(text).not.toContain('Update needed');
    expect(text).toContain('The discount code is secret.');
    expect(text).toContain('currency for customers from Norway');
  });

  test('what a newer version knows of a session is left to it', async () => {
    const { state, path } = await grown();
    const newer = JSON.stringify({ engine: REFINE_ENGINE + 1, offset: 5 });
    writeFileSync(stateOf(OLD_RUNNING), newer);
    const before = await stored();
    await ends(state, path);
    expect(readFileSync(stateOf(OLD_RUNNING), 'utf8')).toBe(newer);
    expect(readFileSync(originalOf(OLD_RUNNING), 'utf8')).toBe(readFileSync(path, 'utf8'));
    expect(await stored()).toEqual(before);
  });
});
