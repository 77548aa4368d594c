import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { compressSession } from '../compress/compress.ts';
import { listVersions } from '../compress/versions.ts';
import { verify } from '../maintenance/verify.ts';
import { setSetting } from '../settings/configure.ts';
import { sync } from '../sync/sync.ts';
import type { World } from '../world.ts';
import { planRetentionRun } from './plan.ts';
import { finishRetention, runRetention } from './run.ts';
import { retentionSchedule, setSchedule } from './schedule.ts';
import { undoRetention } from './undo.ts';

const PROJECT = '-srv-shop' as ProjectId;
const ONE = { project: PROJECT, session: 'one' as SessionId };
const TWO = { project: PROJECT, session: 'two' as SessionId };
const DAY = 86_400_000;

let world: TestWorld;
beforeEach(async () => {
  world = makeWorld();
  const folder = join(world.projects, PROJECT);
  mkdirSync(folder, { recursive: true });
  for (const id of ['one', 'two']) {
    const turns = Array.from({ length: 6 }, (_, n) => ({
      you: `What about ${id} ${n}?${n === 2 ? '\n\n##keepit1.00## Cents, always.' : ''}`,
      agent: Array.from({ length: 12 }, (_, m) => `Detail ${n}.${m} of ${id} is worth ${m * 7} words.`).join(
        ' ',
      ),
    }));
    writeFileSync(join(folder, `${id}.jsonl`), transcript('/srv/shop', id, turns));
  }
  await sync(world);
});
afterEach(() => world.remove());

/** The same archive, so many days later. */
function later(days: number): World {
  const clock = {
    now: () => new Date(Date.parse(world.clock.now()) + days * DAY).toISOString(),
    millis: () => world.clock.millis() + days * DAY,
    local: (utc: string) => utc,
  };
  return { ...world, clock };
}

const ids = async (ref = ONE) =>
  (await listVersions(world, ref)).parts.flatMap((part) => part.versions.map((it) => it.versionId)).sort();

/** Every version's record and bytes. */
async function versions(): Promise<string[]> {
  const sessions = (await world.archive.open(PROJECT))!.manifest.sessions;
  return Object.values(sessions)
    .flatMap(({ sessionId, compressions }) =>
      compressions.map((it) => {
        const base = join(world.places.archive, 'projects', PROJECT, 'summaries', sessionId, it.file);
        return JSON.stringify([
          it,
          readFileSync(`${base}.md`, 'utf8'),
          readFileSync(`${base}.jsonl`, 'utf8'),
        ]);
      }),
    )
    .sort();
}
const original = () => readFileSync(world.archive.originals.path(PROJECT, 'one.jsonl'), 'utf8');

test('old sessions get a short version, and undo deletes it again', async () => {
  const plan = await planRetentionRun(world);
  expect(plan.create.map(({ sessionId, preset }) => [sessionId, preset])).toEqual([
    ['one', 'aggressive'],
    ['two', 'aggressive'],
  ]);
  expect(await ids()).toEqual([]);
  const done = await runRetention(world, { plan });
  expect(done.made).toHaveLength(2);
  expect(await ids()).toEqual(['part1_v001']);
  expect((await planRetentionRun(world)).create).toEqual([]);
  await undoRetention(world);
  expect(await ids()).toEqual([]);
  await expect(undoRetention(world)).rejects.toThrow('No retention run to undo');
});

test('what goes comes back with undo, byte for byte; originals are not touched', async () => {
  for (const preset of ['gentle', 'standard', 'aggressive'] as const)
    await compressSession(world, ONE, { preset });
  const before = [await versions(), original()] as const;
  const done = await runRetention(later(90));
  expect(done.pruned.map(({ versionId }) => versionId)).toEqual(['part1_v001', 'part1_v002']);
  expect(done.made.map(({ sessionId }) => sessionId)).toEqual(['two']);
  expect(await ids()).toEqual(['part1_v003']);
  expect((await verify(world)).problems).toEqual([]);
  await undoRetention(world);
  expect((await versions()).join('\n') === before[0].join('\n')).toBe(true);
  expect(original()).toBe(before[1]);
  expect((await verify(world)).problems).toEqual([]);
});

test('an earlier version is not undone with the run, nor one that a composition uses', async () => {
  await runRetention(world);
  const [made] = Object.values((await world.archive.open(PROJECT))!.manifest.sessions.two!.compressions);
  await world.archive.change(PROJECT, [
    {
      at: ['compositions', 'c'],
      put: {
        compositionId: 'c',
        name: 'c',
        createdAt: world.clock.now(),
        components: [{ sessionId: 'two', versionId: made!.versionId, order: 0, tokenContribution: 1 }],
        outputFile: '',
        totalTokens: 1,
        totalMessages: 1,
        usedInSessions: [],
      },
    },
  ]);
  const undone = await undoRetention(world);
  expect(undone.removed.map(({ sessionId }) => sessionId)).toEqual(['one']);
  expect(undone.left.map(({ why }) => why)).toEqual(['a composition uses it now']);
  expect(await ids(TWO)).toEqual(['part1_v001']);
});

test('a run that is killed anywhere is finished by the next sync, and can still be undone', async () => {
  for (const preset of ['gentle', 'standard'] as const) await compressSession(world, ONE, { preset });
  const before = await versions();
  const whole = await (async () => {
    await runRetention(later(90));
    const after = await versions();
    await undoRetention(world);
    return after.map((it) => (JSON.parse(it) as [{ versionId: string }])[0].versionId);
  })();
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.boolean(), async (writes, undo) => {
      await runRetention(killedAfter(writes, later(90))).catch(() => {});
      if (undo) await undoRetention(killedAfter(writes, world)).catch(() => {});
      await finishRetention(world);
      await sync(world);
      const now = (await versions()).map((it) => (JSON.parse(it) as [{ versionId: string }])[0].versionId);
      expect([whole.length, before.length]).toContain(now.length);
      expect(now.length).toBeGreaterThan(0);
      await undoRetention(world).catch(() => {});
      expect((await versions()).join('\n') === before.join('\n')).toBe(true);
    }),
    { numRuns: 8 },
  );
  expect((await verify(world)).problems).toEqual([]);
});

/** Fails for good after so many writes, as a killed process would. */
function killedAfter(writes: number, of: World): World {
  let left = writes;
  const counted =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (left-- <= 0) throw new Error('killed');
      return work(...args);
    };
  const { files } = of.archive;
  return {
    ...of,
    archive: {
      ...of.archive,
      change: counted(of.archive.change),
      files: {
        ...files,
        write: counted(files.write),
        writeAt: counted(files.writeAt),
        create: counted(files.create),
        remove: counted(files.remove),
      },
    },
  };
}

test('with the clock set back a year, or far ahead, nothing is deleted', async () => {
  for (const preset of ['gentle', 'standard'] as const) await compressSession(world, ONE, { preset });
  expect((await planRetentionRun(later(90))).prune).toHaveLength(1);
  const ahead = await planRetentionRun(later(400));
  expect([ahead.prune.length, ahead.heldBack]).toEqual([0, expect.stringMatching(/days passed/)]);
  await setSetting(world, 'storage.compressionRetention', '1');
  const back = await planRetentionRun(later(-365));
  expect([back.prune.length, back.heldBack]).toEqual([0, expect.stringMatching(/deletes nothing/)]);
});

test('it runs automatically with a sync when it is due, and only then', async () => {
  expect((await retentionSchedule(world)).nextRun).toBeNull();
  await sync(world);
  expect(await ids()).toEqual([]);
  await setSchedule(world, 'daily');
  const report = await sync(world);
  expect(report.notes.join()).toContain('Retention: 2 versions made, 0 deleted');
  await undoRetention(world);
  await sync(world);
  expect(await ids()).toEqual([]);
  await sync(later(1.01));
  expect(await ids()).toEqual(['part1_v001']);
  await expect(setSchedule(world, 'hourly')).rejects.toThrow('not a schedule');
});

test("a project's own schedule leaves the others alone", async () => {
  const folder = join(world.projects, '-srv-other');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'three.jsonl'),
    transcript('/srv/other', 'three', [{ you: 'Hello there', agent: 'Hello, what shall we do today?' }]),
  );
  await sync(world);
  await setSchedule(world, 'weekly', PROJECT);
  await sync(world);
  expect(await ids()).toEqual(['part1_v001']);
  expect(readdirSync(join(world.places.archive, 'projects', '-srv-other'))).not.toContain('summaries');
});

test('versions of new sessions are made at once where that is set, and the cache is kept to its size', async () => {
  await setSetting(world, 'defaults.autoCreateVersions', 'on');
  await setSetting(world, 'storage.maxCacheSize', '1KB');
  const folder = join(world.projects, PROJECT);
  writeFileSync(
    join(folder, 'new.jsonl'),
    transcript('/srv/shop', 'new', [{ you: 'A new question', agent: 'An answer of some length.' }]),
  );
  await sync(later(2));
  const levels = (await listVersions(world, { ...ONE, session: 'new' as SessionId })).parts[0]!.versions;
  expect(levels.map(({ settings }) => settings.aggressiveness)).toEqual(['light', 'moderate', 'aggressive']);
  expect(await ids()).toEqual([]);
  expect(await world.archive.files.list(undefined, 'ingest')).not.toContain('-srv-shop/one.json');
  await sync(world);
  expect((await verify(world)).problems).toEqual([]);
});
