import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WRITERS } from '../../../test/made/agent-sessions.ts';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { isSessionId, type SessionId, sanitizePath } from '../../core/model/ids.ts';
import { listKeptOut } from '../find/kept-out.ts';
import { listProjects } from '../find/projects.ts';
import { allSessions } from '../find/sessions.ts';
import { addFact } from '../layers/facts-edit.ts';
import { examine } from '../maintenance/doctor.ts';
import { readStatus } from '../maintenance/status.ts';
import { unregister, whatToUnregister } from '../purge/unregister.ts';
import { setNote } from '../rolling/notes.ts';
import { showSession } from '../session/show.ts';
import { setSetting } from '../settings/configure.ts';
import { noteOpen, openSessions } from './open-sessions.ts';
import { startRecording, stopRecording } from './recording.ts';
import { register } from './register.ts';
import { loadHookSession, saveHookSession } from './running-session.ts';
import { sync } from './sync.ts';
import { syncRunning } from './sync-running.ts';
import { syncSession } from './sync-session.ts';

let world: TestWorld;
let shop: string;
beforeEach(() => {
  world = makeWorld();
  shop = join(world.places.home, 'shop');
  mkdirSync(join(shop, 'api'), { recursive: true });
});
afterEach(() => world.remove());

/** A session of a folder, where the agent writes it. */
function talk(cwd: string, id: string, ...words: string[]): string {
  const folder = join(world.projects, cwd.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${id}.jsonl`);
  writeFileSync(
    path,
    transcript(
      cwd,
      id,
      words.map((you) => ({ you, agent: 'Yes.' })),
    ),
  );
  return path;
}
const recorded = async () => (await allSessions(world)).map(({ sessionId }) => sessionId).sort();

describe('a project that is not recorded', () => {
  it('by its setting: nothing new is kept, and what was recorded before stays', async () => {
    talk(shop, 'before', 'One.');
    await sync(world);
    await setSetting(world, 'record', 'false', 'shop');
    const grown = talk(shop, 'before', 'One.', 'Two.');
    const file = talk(shop, 'after', 'Three.');
    expect(await sync(world)).toMatchObject({
      added: 0,
      skipped: 2,
      leftOut: { notRecorded: 2 },
      problems: [],
    });
    expect(await recorded()).toEqual(['before']);
    expect((await showSession(world, 'before')).originalMessages).toBe(2);
    await expect(register(world, file)).rejects.toMatchObject({
      message: expect.stringContaining('is not recorded'),
      hint: expect.stringContaining('config set record true'),
    });
    await expect(register(world, grown)).rejects.toMatchObject({ code: 'bad-input' });
    expect(await register(world, { all: true })).toMatchObject({ sessions: [], leftOut: { notRecorded: 2 } });
    await setSetting(world, 'record', undefined, 'shop');
    expect(await sync(world)).toMatchObject({ added: 1, grown: 1, leftOut: { notRecorded: 0 } });
    expect(await recorded()).toEqual(['after', 'before']);
  });

  it('before its first session, by its path', async () => {
    await setSetting(world, 'record', 'false', shop);
    talk(shop, 'one', 'One.');
    await sync(world);
    expect(await recorded()).toEqual([]);
    expect(await listProjects(world)).toMatchObject([{ originalPath: shop, notRecorded: 'setting' }]);
    await expect(setSetting(world, 'record', 'false', 'nowhere')).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('by a marker file, with all folders below and for every agent', async () => {
    writeFileSync(join(shop, '.keepsake-ignore'), '');
    talk(join(shop, 'api'), 'below', 'One.');
    const rollout = join(world.places.agents!.codex[0]!, 'sessions/2026/01/05/rollout-made.jsonl');
    mkdirSync(join(rollout, '..'), { recursive: true });
    const lines = WRITERS.codex([{ kind: 'ask', text: 'Why is the basket empty?' }]);
    writeFileSync(
      rollout,
      lines.map((line) => `${JSON.stringify(line).replaceAll('/srv/shop', shop)}\n`).join(''),
    );
    talk('/srv/blog', 'other', 'Two.');
    await setSetting(world, 'record', 'true', shop);
    expect(await sync(world)).toMatchObject({ added: 1, leftOut: { notRecorded: 2 } });
    expect(await recorded()).toEqual(['other']);
    rmSync(join(shop, '.keepsake-ignore'));
    expect(await sync(world)).toMatchObject({ added: 2, leftOut: { notRecorded: 0 } });
  });

  it('with the folders below it in the same checkout, and its worktrees', async () => {
    mkdirSync(join(shop, '.git', 'worktrees', 'side'), { recursive: true });
    const side = join(world.places.home, 'side');
    mkdirSync(join(side, 'api'), { recursive: true });
    writeFileSync(join(side, '.git'), `gitdir: ${join(shop, '.git', 'worktrees', 'side')}\n`);
    talk(join(shop, 'api'), 'below', 'One.');
    talk(join(side, 'api'), 'tree', 'Two.');
    talk(join(world.places.home, 'blog'), 'other', 'Three.');
    await setSetting(world, 'record', 'false', shop);
    expect(await sync(world)).toMatchObject({ added: 1, leftOut: { notRecorded: 2 } });
    await setSetting(world, 'record', 'true', join(shop, 'api'));
    expect(await sync(world)).toMatchObject({ added: 2, leftOut: { notRecorded: 0 } });
    writeFileSync(join(shop, '.keepsake-ignore'), '');
    talk(join(side, 'api'), 'later', 'Four.');
    expect(await sync(world)).toMatchObject({ added: 0, leftOut: { notRecorded: 1 } });
  });

  it('also after all that was recorded of it is purged', async () => {
    const file = talk(shop, 'before', 'One.');
    await sync(world);
    await setSetting(world, 'record', 'false', 'shop');
    rmSync(file);
    const rows = await whatToUnregister(world, { project: 'shop' });
    await unregister(world, rows, { purge: true, project: rows[0]!.projectId });
    talk(shop, 'after', 'Two.');
    expect(await sync(world)).toMatchObject({ added: 0, leftOut: { notRecorded: 1 } });
  });

  it('gets no facts and no notes', async () => {
    talk(shop, 'before', 'One.');
    await sync(world);
    await setSetting(world, 'record', 'false', 'shop');
    const refused = { code: 'conflict', message: expect.stringContaining('This project is not recorded') };
    const project = sanitizePath(shop);
    await expect(addFact(world, { content: 'Tea is green.', project: 'shop' })).rejects.toMatchObject(
      refused,
    );
    await expect(setNote(world, project, { name: 'project', text: 'Tea.' })).rejects.toMatchObject(refused);
  });

  it('is every one that does not say otherwise where recording is off for all', async () => {
    await setSetting(world, 'record', 'false');
    await setSetting(world, 'record', 'true', shop);
    talk(shop, 'mine', 'One.');
    talk('/srv/blog', 'other', 'Two.');
    await sync(world);
    expect(await recorded()).toEqual(['mine']);
    expect(await world.archive.unrecorded.read()).toMatchObject({
      projects: { [shop.replace(/[^A-Za-z0-9]/g, '-')]: { path: shop, record: true } },
    });
  });
});

describe('a session that is not recorded', () => {
  const ONE = '11111111-aaaa-4aaa-8aaa-000000000001' as SessionId;

  it('leaves no trace but its mark', async () => {
    await stopRecording(world, ONE);
    const path = talk(shop, ONE, 'A secret plan.');
    const state = await loadHookSession(world, ONE);
    const { config } = await world.settings.resolve();
    await syncSession(world, state, path, { config, upTo: 'l1' });
    expect(state.place).toBeUndefined();
    expect(await sync(world)).toMatchObject({ added: 0, leftOut: { notRecorded: 1 } });
    expect(await world.archive.projects()).toEqual([]);
    expect(await world.archive.files.list(undefined, 'hooks')).toEqual([]);
    await expect(register(world, ONE)).rejects.toMatchObject({ hint: expect.stringContaining('record on') });
  });

  it('is not read on by others once it is turned off, and recorded whole when it is on again', async () => {
    const path = talk(shop, ONE, 'One.');
    const state = await loadHookSession(world, ONE);
    const { config } = await world.settings.resolve();
    await syncSession(world, state, path, { config, upTo: 'l1' });
    await saveHookSession(world, state);
    await noteOpen(world, ONE);
    expect(await stopRecording(world, ONE)).toBe(true);
    expect(await stopRecording(world, ONE)).toBe(false);
    appendFileSync(path, transcript(shop, ONE, [{}, { you: 'Two.', agent: 'Yes.' }]));
    await syncRunning(world, {});
    await syncSession(world, state, path, { config, upTo: 'l1' });
    expect(state.place?.kept).toBe('gone');
    expect(await openSessions(world)).toEqual([]);
    const shown = await showSession(world, ONE);
    expect(shown).toMatchObject({ originalMessages: 2, notRecorded: { by: 'session', at: ONE } });
    expect(await startRecording(world, ONE)).toBe(true);
    await sync(world);
    expect((await showSession(world, ONE)).originalMessages).toBe(4);
  });
});

it('status, doctor and the list name what is excluded', async () => {
  const session = 'off-one' as SessionId;
  expect(isSessionId(session)).toBe(true);
  await setSetting(world, 'record', 'false', shop);
  await stopRecording(world, session);
  talk(shop, 'one', 'One.');
  await sync(world);
  const list = await listKeptOut(world);
  expect(list).toMatchObject({
    record: true,
    projects: [{ by: 'setting' }],
    sessions: [{ sessionId: session }],
  });
  expect((await readStatus(world)).notRecorded).toEqual(list);
  const finding = (await examine(world)).find(({ subject }) => subject === 'not recorded');
  expect(finding).toMatchObject({ level: 'ok' });
  expect(finding?.message).toMatch(/shop \(setting\).*off-one.*1 agent file/);
  expect(existsSync(join(world.places.archive, 'unrecorded.json'))).toBe(true);
});
