import { appendFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chatLines } from '../../../test/made/chat-lines.ts';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import type { Originals } from '../../ports/archive.ts';
import { importChats } from '../import/import-chats.ts';
import { verify } from '../maintenance/verify.ts';
import { orFault } from '../or-fault.ts';
import { dropIfGone } from '../sync/drop-gone.ts';
import { register } from '../sync/register.ts';
import { type HookPlace, stampOf } from '../sync/running-session.ts';
import { sync } from '../sync/sync.ts';
import type { World } from '../world.ts';
import { readLeaving } from './open-purge.ts';
import { purgeSession } from './session.ts';
import { lastDecisions, sweepPurged } from './sweep.ts';
import { unregister, whatToUnregister } from './unregister.ts';

const ID = '11111111-aaaa-4aaa-8aaa-000000000001';
const OTHER = '22222222-aaaa-4aaa-8aaa-000000000002';

let world: TestWorld;
let source: string;
beforeEach(async () => {
  world = makeWorld();
  const folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  source = join(folder, `${ID}.jsonl`);
  writeFileSync(source, transcript('/srv/shop', ID, [{ you: 'Hello' }]));
  writeFileSync(join(folder, `${OTHER}.jsonl`), transcript('/srv/shop', OTHER, [{ you: 'Other words' }]));
  await sync(world);
  appendFileSync(source, transcript('/srv/shop', ID, [{ you: 'Hello again, and secretly' }]));
});
afterEach(() => world.remove());

const purge = async () => {
  await unregister(world, await whatToUnregister(world, { session: ID }), { purge: true });
};

/** A second actor's work, done once when the first is about to do, or has just done, one thing with an original. */
function interrupted(step: 'absorb' | 'hash', when: 'before' | 'after', work: () => Promise<void>): World {
  let done = false;
  const originals: Originals = {
    ...world.archive.originals,
    [step]: async (...args: never[]) => {
      const act = async () => {
        if (done || !String(args[1]).startsWith(ID)) return;
        done = true;
        await work();
      };
      if (when === 'before') await act();
      const result = await (world.archive.originals[step] as (...all: never[]) => Promise<unknown>)(...args);
      if (when === 'after') await act();
      return result;
    },
  };
  return { ...world, archive: { ...world.archive, originals } };
}

const kept = async () => {
  const [project] = await world.archive.projects();
  return Object.keys((await world.archive.open(project!))?.manifest.sessions ?? {});
};
const filesWith = (words: string) =>
  readdirSync(world.places.archive, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'lock.sqlite')
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => file.includes(ID.slice(0, 8)) || readFileSync(file, 'utf8').includes(words));

test.each([
  ['absorb', 'before'],
  ['absorb', 'after'],
  ['hash', 'before'],
  ['hash', 'after'],
] as const)(
  'a purge while a sync works, %s: %s, is not undone and leaves nothing behind',
  async (step, when) => {
    await sync(interrupted(step, when, purge));
    expect(await kept()).toEqual([OTHER]);
    expect(filesWith('secretly')).toEqual([]);
    await sync(world);
    expect(await kept()).toEqual([OTHER]);
    expect((await verify(world)).problems).toEqual([]);
  },
);

test('the next sync deletes what a killed sync left of a purged session, but not what is just being written', async () => {
  await purge();
  const copy = join(world.places.archive, 'projects', '-srv-shop', 'originals', `${ID}.jsonl`);
  writeFileSync(copy, 'secretly\n');
  await sync(world);
  expect(filesWith('secretly')).toEqual([copy]);
  utimesSync(copy, 0, 0);
  await sync(world);
  expect(filesWith('secretly')).toEqual([]);
});

test('a copy that was registered after its purge is never swept, even if its record was lost', async () => {
  await purge();
  await register(world, source);
  const [project] = await world.archive.projects();
  await world.archive.change(project!, [{ at: ['sessions', ID], drop: true }]);
  const copy = world.archive.originals.path(project!, `${ID}.jsonl`);
  utimesSync(copy, 0, 0);
  await sync(world);
  expect(readFileSync(copy)).toEqual(readFileSync(source));
});

test('a register asked for by name brings a purged session back, and syncs then keep it', async () => {
  await purge();
  await register(world, source);
  expect(await kept()).toEqual([OTHER, ID]);
  appendFileSync(source, transcript('/srv/shop', ID, [{ you: 'More' }]));
  await sync(world);
  expect(await kept()).toEqual([OTHER, ID]);
  expect((await verify(world)).problems).toEqual([]);
});

test('the rest of a purged session is not deleted while a register restores it', async () => {
  await purge();
  const [project] = await world.archive.projects();
  const { manifest } = (await world.archive.open(project!))!;
  let swept = Promise.resolve();
  const sweep = () =>
    new Promise<void>((waits) => {
      const purging: World['archive']['purging'] = (work, onBusy) =>
        world.archive.purging(work, () => {
          waits();
          return onBusy();
        });
      const other = { ...world, archive: { ...world.archive, purging } };
      swept = sweepPurged(other, manifest, new Set([ID])).finally(waits);
    });
  await register(interrupted('absorb', 'after', sweep), source);
  await swept;
  expect(await kept()).toEqual([OTHER, ID]);
  expect(readFileSync(world.archive.originals.path(project!, `${ID}.jsonl`))).toEqual(readFileSync(source));
  expect((await verify(world)).problems).toEqual([]);
});

test.each([
  ['absorb', 'before'],
  ['absorb', 'after'],
  ['hash', 'before'],
  ['hash', 'after'],
] as const)(
  'a purge while a register works, %s: %s, is not undone and leaves nothing behind',
  async (step, when) => {
    // Its copy is gone while it is read.
    const done = await orFault(register(interrupted(step, when, purge), source));
    const [project] = await world.archive.projects();
    expect(done instanceof Fault ? [] : done.sessions).toEqual([]);
    if (!(done instanceof Fault)) {
      expect(done).toMatchObject({ found: 1, added: 0, grown: 0, skipped: 1 });
      expect(done.notes.join()).toContain('purged at the same time');
    }
    expect((await lastDecisions(world, project!)).get(ID)).toBe('purge');
    expect(await kept()).toEqual([OTHER]);
    expect(filesWith('secretly')).toEqual([]);
    expect((await verify(world)).problems).toEqual([]);
  },
);

test('a purge that was cut off is finished before a register brings its session back', async () => {
  const wipe = () => Promise.reject(new Error('Killed.'));
  const killed = { ...world, archive: { ...world.archive, wipe } };
  const [row] = await whatToUnregister(world, { session: ID });
  await expect(purgeSession(killed, row!)).rejects.toThrow('Killed.');
  await register(world, source);
  await sync(world);
  expect(await kept()).toEqual([OTHER, ID]);
});

/** A purge of the session that is killed: before its record is written, or after it and before a file is removed. */
async function cutOffPurge(when: 'before' | 'after'): Promise<void> {
  const kill = () => Promise.reject(new Error('Killed.'));
  const originals = { ...world.archive.originals, list: kill };
  const broken = when === 'before' ? { wipe: kill } : { originals };
  const [row] = await whatToUnregister(world, { session: ID });
  await expect(purgeSession({ ...world, archive: { ...world.archive, ...broken } }, row!)).rejects.toThrow(
    'Killed.',
  );
}

type BesidePurge = { world: World; ended: Promise<unknown>; end: () => void };

/** Another purge is at work until it is told to end: by default once someone else finds it. */
async function besidePurge(onFound?: () => void): Promise<BesidePurge> {
  let end = () => {};
  const ends = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = world.archive.purging(
    () => {
      begin();
      return ends;
    },
    () => 'wait',
  );
  // Two that ask at once get their turns in any order.
  await begun;
  const purging: World['archive']['purging'] = (work, onBusy) =>
    world.archive.purging(work, () => {
      const answer = onBusy();
      (onFound ?? end)();
      return answer;
    });
  return { world: { ...world, archive: { ...world.archive, purging } }, ended, end };
}

const notes = async () => [...(await readLeaving(world, '-srv-shop' as ProjectId)).keys()];

test.each(['before', 'after'] as const)(
  'a purge that was cut off %s its record is finished before a register, though another purge is at work',
  async (when) => {
    await cutOffPurge(when);
    const { world: beside, ended } = await besidePurge();
    await register(beside, source);
    await ended;
    expect(await notes()).toEqual([]);
    expect(await kept()).toEqual([OTHER, ID]);
    await sync(world);
    expect(await kept()).toEqual([OTHER, ID]);
    expect((await verify(world)).problems).toEqual([]);
  },
);

test('a purge that is cut off while a register waits for it is finished before its session is back', async () => {
  let isCut = false;
  const resolve: World['settings']['resolve'] = async (...args) => {
    if (!isCut) {
      isCut = true;
      await cutOffPurge('after');
    }
    return world.settings.resolve(...args);
  };
  await register({ ...world, settings: { ...world.settings, resolve } }, source);
  expect(await notes()).toEqual([]);
  await sync(world);
  expect(await kept()).toEqual([OTHER, ID]);
});

test('a session that came back after its purge was cut off is not purged again, one that did not is', async () => {
  await cutOffPurge('after');
  const note = world.archive.files.path('-srv-shop' as ProjectId, `purge/leaving/${ID}.json`);
  const text = readFileSync(note, 'utf8');
  await register(world, source);
  writeFileSync(note, text);
  await sync(world);
  expect([await kept(), await notes()]).toEqual([[OTHER, ID], []]);
  await cutOffPurge('before');
  await sync(world);
  expect([await kept(), await notes()]).toEqual([[OTHER], []]);
});

const placeOf = (): HookPlace => ({
  project: '-srv-shop' as ProjectId,
  session: ID as SessionId,
  agent: 'claude-code',
  path: source,
  stamp: '',
  settings: {},
  kept: 'registered',
  recorded: 0,
});

test.each(['has its copy and no record yet', 'is done before the hook removes a file'])(
  'a hook that finds its session purged takes nothing away from a register that %s',
  async (when) => {
    await purge();
    const place = placeOf();
    if (when === 'has its copy and no record yet')
      await register(
        interrupted('absorb', 'after', () => dropIfGone(world, place)),
        source,
      );
    else {
      let isBack = false;
      const open: World['archive']['open'] = async (project) => {
        const opened = await world.archive.open(project);
        if (!isBack) {
          isBack = true;
          await register(world, source);
        }
        return opened;
      };
      await dropIfGone({ ...world, archive: { ...world.archive, open } }, place);
    }
    expect(place.kept).toBe('gone');
    expect(place.stamp, 'the next hook looks again').not.toBe(await stampOf(world, place.project));
    expect(await kept()).toEqual([OTHER, ID]);
    expect(readFileSync(world.archive.originals.path(place.project, `${ID}.jsonl`))).toEqual(
      readFileSync(source),
    );
    expect((await verify(world)).problems).toEqual([]);
  },
);

test.each(['a purge that was cut off', 'nothing that was cut off'])(
  'a register that waits for another purge says so, and can be stopped: %s is left, and nothing comes back',
  async (left) => {
    if (left === 'a purge that was cut off') await cutOffPurge('after');
    else await purge();
    const stop = new AbortController();
    const { world: beside, ended, end } = await besidePurge(() => stop.abort());
    const reports: string[] = [];
    const waiting = { ...beside, report: (note: string) => reports.push(note) };
    await expect(register(waiting, source, { signal: stop.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(reports.join()).toContain('Waiting for it to finish.');
    end();
    await ended;
    await sync(world);
    expect(await kept()).toEqual([OTHER]);
  },
);

test('a purge that waits for another one ends with the command that asked for it', async () => {
  const stop = new AbortController();
  const { world: beside, ended, end } = await besidePurge(() => stop.abort());
  const rows = await whatToUnregister(world, { session: OTHER });
  const asked = unregister({ ...beside, stopped: () => stop.signal }, rows, { purge: true });
  await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
  end();
  await ended;
  expect(await kept()).toContain(OTHER);
});

test('a purge that was cut off is finished before its chat is imported again', async () => {
  const file = join(world.places.home, 'chat.jsonl');
  writeFileSync(file, chatLines(['Where is the boat?']));
  const { sessions } = await importChats(world, file, { project: 'family' });
  const [row] = await whatToUnregister(world, { session: sessions[0]!.sessionId });
  const wipe = () => Promise.reject(new Error('Killed.'));
  await expect(purgeSession({ ...world, archive: { ...world.archive, wipe } }, row!)).rejects.toThrow(
    'Killed.',
  );
  expect((await importChats(world, file, { project: 'family' })).sessions).toEqual(sessions);
  await sync(world);
  const { sessions: now } = (await world.archive.open(sessions[0]!.projectId))!.manifest;
  expect(Object.keys(now)).toEqual([sessions[0]!.sessionId]);
});

test('sessions that are purged by one command are purged at one time', async () => {
  const rows = await whatToUnregister(world, { project: '-srv-shop' });
  let seconds = 0;
  const now = () => `2026-02-01T10:00:${String(seconds++).padStart(2, '0')}.000Z`;
  await unregister({ ...world, clock: { ...world.clock, now } }, rows, { purge: true });
  const { tombstones } = (await world.archive.open('-srv-shop' as ProjectId))!.manifest;
  expect(tombstones.map(({ id }) => id)).toEqual([ID, OTHER]);
  expect(new Set(tombstones.map(({ at }) => at)).size).toBe(1);
});
