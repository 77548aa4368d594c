import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Change, newProjectChange } from '../../core/model/change.ts';
import { toProjectId } from '../../core/model/ids.ts';
import type { Archive, Opened } from '../../ports/archive.ts';
import { openArchive } from './open-archive.ts';

const PROJECT = toProjectId('-srv-shop');
let folder: string;
let at: number;
let archive: Archive;
let other: Archive;

const open = () => openArchive(folder, { now: () => new Date(++at).toISOString(), maxLogLines: 8 });
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-continue-'));
  at = 0;
  [archive, other] = [open(), open()];
  const who = { projectId: PROJECT, originalPath: '/srv/shop', displayName: 'shop', createdAt: '' };
  await archive.change(PROJECT, [newProjectChange(who)], []);
});
afterEach(async () => {
  await Promise.all([archive.close(), other.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const log = () => join(folder, 'projects', PROJECT, 'manifest.log');
const named = (name: string): Change => ({ at: ['displayName'], put: name });
const since = async (before: Opened | undefined) => (await archive.open(PROJECT, before))!;

test('state that continues an earlier read equals a fresh read, whoever wrote, however often', async () => {
  const change = fc.oneof(
    fc.record({ at: fc.constant(['parts', 'a']), put: fc.integer() }),
    fc.record({ at: fc.constant(['links']), append: fc.record({ id: fc.integer({ max: 3, min: 0 }) }) }),
    fc.record({
      at: fc.constant(['settings']),
      merge: fc.dictionary(fc.constantFrom('a', 'b'), fc.integer()),
    }),
    fc.record({ at: fc.constant(['parts', 'a']), drop: fc.constant(true as const) }),
    fc.constant(named('other')),
  );
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ by: fc.boolean(), changes: fc.array(change, { minLength: 1, maxLength: 3 }) }),
    },
    { weight: 1, arbitrary: fc.constant('fold' as const) },
    { weight: 4, arbitrary: fc.constant('read' as const) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      let before = await archive.open(PROJECT);
      for (const it of [...steps, 'read' as const])
        if (it === 'fold') await other.fold(PROJECT);
        else if (it === 'read') {
          before = await since(before);
          expect(before).toEqual(await archive.open(PROJECT));
        } else await (it.by ? archive : other).change(PROJECT, it.changes as Change[], []);
    }),
    { numRuns: 40 },
  );
});

test('records that did not change are the same objects; a read of everything makes new ones', async () => {
  await archive.change(PROJECT, [{ at: ['parts', 'a'], put: { one: 1 } }], []);
  const before = await since(undefined);
  await other.change(PROJECT, [named('other')], []);
  const after = await since(before);
  expect(after.manifest.displayName).toBe('other');
  expect(after.manifest.parts).toEqual(before.manifest.parts);
  const partOf = ({ manifest }: Opened) => (manifest.parts as Record<string, unknown>).a;
  expect(partOf(after)).toBe(partOf(before));
  expect(partOf(await since(undefined))).not.toBe(partOf(before));
});

test('a log with a damaged, missing or changed line is read and mended as a whole', async () => {
  await archive.change(PROJECT, [named('one')], []);
  const before = await since(undefined);
  await archive.change(PROJECT, [named('two')], []);
  const sound = readFileSync(log());
  for (const damage of [
    () =>
      writeFileSync(
        log(),
        Buffer.concat([sound.subarray(0, -20), Buffer.from('x'.repeat(19)), Buffer.from('\n')]),
      ),
    () => appendFileSync(log(), 'not a line\n'),
    () => writeFileSync(log(), ''),
    () => rmSync(log()),
  ]) {
    writeFileSync(log(), sound);
    damage();
    expect(await since(before)).toEqual(await archive.open(PROJECT));
  }
});

test('a session that was added later is the same kind of object as a reread one, which takes a fifth of the memory', async () => {
  const before = await since(undefined);
  const at = ['sessions', 's1'];
  await other.change(
    PROJECT,
    [
      { at, init: { sessionId: 's1' } },
      { at, merge: { messageCount: 2 } },
    ],
    [],
  );
  const { manifest } = await since(before);
  await other.fold(PROJECT);
  const { sessions } = (await since(undefined)).manifest;
  const [continued, anew] = [manifest.sessions.s1, sessions.s1].map(Object.getPrototypeOf);
  expect(manifest.sessions).toEqual(sessions);
  expect(anew).toBe(Object.prototype);
  expect(continued).toBe(Object.prototype);
});
