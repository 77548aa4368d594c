import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Step, workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { addKeepit } from '../keepit/change.ts';
import { verify } from '../maintenance/verify.ts';
import { readLeaving } from '../purge/open-purge.ts';
import { purgeSession } from '../purge/session.ts';
import { sweepPurged } from '../purge/sweep.ts';
import { unregister, whatToUnregister } from '../purge/unregister.ts';
import { sync } from '../sync/sync.ts';
import type { World } from '../world.ts';
import { exportBundle } from './export.ts';
import { importBundle } from './import.ts';

const PROJECT = '-srv-shop' as ProjectId;
const SAID: Step[] = [{ you: 'The customer is called Heronsgate.' }, { agent: 'Understood.' }];
const MORE: Step[] = [...SAID, { you: 'Heronsgate pays on Tuesdays.' }, { agent: 'Noted.' }];

let worlds: TestWorld[];
let [from, to]: TestWorld[] = [];
let bundle: string;
beforeEach(async () => {
  worlds = [makeWorld(), makeWorld()];
  [from, to] = worlds;
  for (const [made, steps] of [
    [from!, MORE],
    [to!, SAID],
  ] as const) {
    mkdirSync(join(made.projects, PROJECT), { recursive: true });
    writeFileSync(join(made.projects, PROJECT, 'one.jsonl'), workSession('one', steps));
    await sync(made);
  }
  await addKeepit(from!, 'one', { text: 'Heronsgate pays on Tuesdays.', weight: 0.5 });
  bundle = join(from!.places.home, 'out.keepsake.gz');
  await exportBundle(from!, { out: bundle, project: PROJECT });
});
afterEach(async () => {
  for (const made of worlds) await made.remove();
});

async function purge(): Promise<void> {
  await unregister(to!, await whatToUnregister(to!, { session: 'one' }), { purge: true });
}

async function held() {
  const { sessions, overlays } = (await to!.archive.open(PROJECT))!.manifest;
  return { sessions: Object.keys(sessions), overlays: overlays.map(({ sessionId }) => sessionId) };
}

const filesWith = (words: string) =>
  readdirSync(join(to!.places.archive, 'projects'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, 'utf8').includes(words));

/** Dies once the record of the session is written. */
async function cutOffImport(): Promise<void> {
  const fold = () => Promise.reject(new Error('Killed.'));
  const dying = { ...to!, archive: { ...to!.archive, fold } };
  await expect(importBundle(dying, bundle, { mine: true, back: ['one'] })).rejects.toThrow('Killed.');
}

test('a session that an import was bringing back stays purged where it is purged before the import is finished', async () => {
  await purge();
  await cutOffImport();
  expect((await held()).sessions).toEqual(['one']);
  await purge();
  const { notes } = await sync(to!);
  expect(notes[0]).toContain('Finished the interrupted import');
  expect(await held()).toEqual({ sessions: [], overlays: [] });
  expect(filesWith('Heronsgate')).toEqual([]);
});

test.each(['as it is written now', 'as it was written before purges were counted'])(
  'a session that an import was bringing back is back once the import is finished, %s',
  async (which) => {
    await purge();
    const rest = { ...to!, archive: { ...to!.archive, change: () => Promise.reject(new Error('Killed.')) } };
    await expect(importBundle(rest, bundle, { mine: true, back: ['one'] })).rejects.toThrow('Killed.');
    expect((await held()).sessions).toEqual([]);
    const file = join(to!.places.archive, 'cache', 'import', 'pending.json');
    const { purges, ...before } = JSON.parse(readFileSync(file, 'utf8'));
    expect(purges).toEqual({ [`${PROJECT}/one`]: 1 });
    if (which !== 'as it is written now') writeFileSync(file, JSON.stringify(before));
    await sync(to!);
    expect(await held()).toEqual({ sessions: ['one'], overlays: ['one'] });
    expect((await verify(to!)).problems).toEqual([]);
  },
);

test.each(['before', 'after'] as const)(
  'a purge %s an import has written the original of its session is not undone and leaves nothing behind',
  async (when) => {
    let isDone = false;
    const absorb: World['archive']['originals']['absorb'] = async (...args) => {
      const isFirst = !isDone;
      isDone = true;
      if (isFirst && when === 'before') await purge();
      const done = await to!.archive.originals.absorb(...args);
      if (isFirst && when === 'after') await purge();
      return done;
    };
    const originals = { ...to!.archive.originals, absorb };
    await importBundle({ ...to!, archive: { ...to!.archive, originals } }, bundle, { mine: true });
    expect(isDone).toBe(true);
    expect(await held()).toEqual({ sessions: [], overlays: [] });
    expect(filesWith('Heronsgate')).toEqual([]);
    expect((await verify(to!)).problems).toEqual([]);
  },
);

test('the rest of a purged session is not deleted while an import restores it', async () => {
  await purge();
  const { manifest } = (await to!.archive.open(PROJECT))!;
  let swept = Promise.resolve();
  const sweep = () =>
    new Promise<void>((waits) => {
      const purging: World['archive']['purging'] = (work, onBusy) =>
        to!.archive.purging(work, () => {
          waits();
          return onBusy();
        });
      const other = { ...to!, archive: { ...to!.archive, purging } };
      swept = sweepPurged(other, manifest, new Set(['one'])).finally(waits);
    });
  const absorb: World['archive']['originals']['absorb'] = async (...args) => {
    const done = await to!.archive.originals.absorb(...args);
    await sweep();
    return done;
  };
  const originals = { ...to!.archive.originals, absorb };
  const importing = { ...to!, archive: { ...to!.archive, originals } };
  await importBundle(importing, bundle, { mine: true, back: ['one'] });
  await swept;
  expect(await held()).toEqual({ sessions: ['one'], overlays: ['one'] });
  expect(await to!.archive.originals.list(PROJECT)).toEqual(['one.jsonl']);
  expect(readdirSync(join(to!.places.archive, 'cache', 'import'))).toEqual([]);
  expect((await verify(to!)).problems).toEqual([]);
});

test('a purge that was cut off is finished before an import brings its session back', async () => {
  const kill = () => Promise.reject(new Error('Killed.'));
  const dying = { ...to!, archive: { ...to!.archive, fold: kill } };
  const [row] = await whatToUnregister(to!, { session: 'one' });
  await expect(purgeSession(dying, row!)).rejects.toThrow('Killed.');
  expect([...(await readLeaving(to!, PROJECT)).keys()]).toEqual(['one']);
  await importBundle(to!, bundle, { mine: true, back: ['one'] });
  expect([...(await readLeaving(to!, PROJECT)).keys()]).toEqual([]);
  await sync(to!);
  expect((await held()).sessions).toEqual(['one']);
});

test('a fact of a session that is purged while an import writes is in no record and no event', async () => {
  const edit = { editId: 'fe_1', factId: 'fa_1', action: 'add', by: 'user', at: '2026-01-06T10:00:00.000Z' };
  await from!.archive.change(PROJECT, [
    {
      at: ['factEdits'],
      append: {
        ...edit,
        from: 'one',
        kind: 'rule',
        content: 'Heronsgate pays on Tuesdays.',
        hlc: 1,
        device: 'first',
      },
    },
  ]);
  const facts = join(from!.places.home, 'facts.keepsake.gz');
  await exportBundle(from!, { out: facts, project: PROJECT });
  let isDone = false;
  const change: World['archive']['change'] = async (project, changes, events) => {
    if (!isDone && changes.some(({ at }) => at[0] === 'factEdits')) {
      isDone = true;
      await purge();
    }
    return to!.archive.change(project, changes, events);
  };
  await importBundle({ ...to!, archive: { ...to!.archive, change } }, facts, { mine: true });
  expect(isDone).toBe(true);
  expect((await to!.archive.open(PROJECT))!.manifest.factEdits ?? []).toEqual([]);
  expect((await to!.archive.history(PROJECT)).map(({ action }) => action)).not.toContain('fact');
  expect(filesWith('Heronsgate')).toEqual([]);
});
