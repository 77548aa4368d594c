import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { exportBundle } from '../bundle/export.ts';
import { compose } from '../compose/compose.ts';
import { compressSession } from '../compress/compress.ts';
import { addKeepit } from '../keepit/change.ts';
import { addFact } from '../layers/facts-edit.ts';
import { verify } from '../maintenance/verify.ts';
import { runRetention } from '../retention/run.ts';
import { undoRetention } from '../retention/undo.ts';
import { setSetting } from '../settings/configure.ts';
import { sync } from '../sync/sync.ts';
import type { World } from '../world.ts';
import { finishPurges } from './finish.ts';
import { type PurgeTarget, preparePurge } from './purge.ts';

/** Of the writes of a purge, every so many is one at which it is killed. */
const STRIDE = 6;
const SECRET = 'hunter2 "quoted"\tZürich';
const PROJECT = '-srv-shop' as ProjectId;
const ONE = { project: PROJECT, session: 'one' as SessionId };

let world: TestWorld;
let root: string;
let source: string;
beforeEach(async () => {
  world = makeWorld();
  root = join(world.places.home, 'shop');
  mkdirSync(join(root), { recursive: true });
  const folder = join(world.projects, PROJECT);
  mkdirSync(folder, { recursive: true });
  source = join(folder, 'one.jsonl');
  const turns = Array.from({ length: 5 }, (_, n) => ({
    you: `Question ${n} about the basket of the shop?`,
    agent: `The answer ${n} is long enough. ${n === 2 ? `The password is ${SECRET}, do not lose it.` : 'Cents.'}`,
  }));
  writeFileSync(source, transcript(root, 'one', turns));
  writeFileSync(
    join(folder, 'two.jsonl'),
    transcript(root, 'two', [{ you: 'Other words entirely', agent: 'Yes.' }]),
  );
  await sync(world);
});
afterEach(() => world.remove());

const project = async () => (await world.archive.projects())[0]!;
/** Files below the archive and the project that hold any form of the bytes. */
function grep(...words: string[]): string[] {
  return [world.places.archive, root].flatMap((top) =>
    readdirSync(top, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'lock.sqlite')
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => {
        const bytes = readFileSync(file, 'latin1');
        return words.some((word) =>
          [word, JSON.stringify(word).slice(1, -1), JSON.stringify(JSON.stringify(word)).slice(3, -3)].some(
            (form) => bytes.includes(Buffer.from(form).toString('latin1')),
          ),
        );
      })
      .map((file) => file.slice(top.length)),
  );
}
const purge = async (target: PurgeTarget, of: World = world) => (await preparePurge(of, target)).carryOut();

test('a purged text is in no byte of the archive and of the project, and does not come back', async () => {
  const ref = { ...ONE, project: await project() };
  await compressSession(world, ref, { ratio: 1.5 });
  await compose(world, 'all', { budget: 50_000, sessions: ['one:original'] });
  await addKeepit(world, 'one', { message: 'one-assistant-2', text: SECRET, weight: 0.8 });
  await addFact(world, { content: `The door opens with ${SECRET}, always.`, project: ref.project });
  writeFileSync(join(root, 'notes.txt'), 'nothing');
  mkdirSync(join(world.places.archive, 'logs'), { recursive: true, mode: 0o700 });
  writeFileSync(join(world.places.archive, 'logs', 'keepsake.log'), `trouble with ${SECRET}\n`, {
    mode: 0o600,
  });
  mkdirSync(join(root, '_memory', 'conversations'), { recursive: true });
  writeFileSync(join(root, '_memory', 'master.md'), `- we use ${SECRET} here\n`);
  expect(grep(SECRET).length).toBeGreaterThan(7);
  const { plan } = await preparePurge(world, { kind: 'text', text: SECRET });
  expect(plan.places.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining([
      'originals',
      'layers',
      'versions',
      'records',
      'history',
      'logs',
      "the project's own memory",
    ]),
  );
  expect(plan.outside).toEqual([{ path: source, kind: 'transcript' }]);
  const done = await purge({ kind: 'text', text: SECRET });
  expect(done.left).toEqual([]);
  expect(done.versionsMade).toBe(1);
  expect(grep(SECRET, 'hunter2')).toEqual([]);
  expect((await verify(world)).problems).toEqual([]);
  // The agent's own file still has it, and grows.
  appendFileSync(
    source,
    transcript(root, 'one', [{ you: `Again: ${SECRET}`, agent: 'Kept.', at: '2026-01-06T10:00:00.000Z' }]),
  );
  const report = await sync(world);
  expect(report).toMatchObject({ grown: 1, replaced: 0 });
  expect(grep(SECRET, 'hunter2')).toEqual([]);
  expect((await verify(world)).problems).toEqual([]);
  expect(readFileSync(source, 'utf8')).toContain('hunter2');
});

test('a session that has it comes in masked, another project too, with the cache gone as well', async () => {
  await purge({ kind: 'text', text: SECRET });
  await world.archive.files.remove(undefined, 'purged.json');
  const folder = join(world.projects, '-srv-other');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'three.jsonl'),
    transcript('/srv/other', 'three', [{ you: `Use ${SECRET} now`, agent: 'Done' }]),
  );
  await sync(world);
  expect(grep(SECRET, 'hunter2')).toEqual([]);
  expect((await verify(world)).problems).toEqual([]);
});

test('other places that contain it are named: a source outside the agent, a bundle', async () => {
  const folder = join(world.places.home, 'elsewhere');
  mkdirSync(folder, { recursive: true });
  const other = join(folder, 'three.jsonl');
  writeFileSync(other, transcript(root, 'three', [{ you: 'The third lodger says hello', agent: 'Yes' }]));
  await sync(world, { from: [folder] });
  const bundle = join(world.places.home, 'all.keepsake.gz');
  await exportBundle(world, { out: bundle, all: true });
  const { plan } = await preparePurge(world, { kind: 'text', text: 'The third lodger' });
  expect(plan.outside).toEqual([
    { path: other, kind: 'transcript' },
    { path: bundle, kind: 'export' },
  ]);
});

test.each(['link', 'symlink'] as const)(
  'originals kept as a %s become own copies without it',
  async (mode) => {
    await setSetting(world, 'storage.originals', mode);
    writeFileSync(
      join(world.projects, PROJECT, 'four.jsonl'),
      transcript(root, 'four', [{ you: `Mind ${SECRET}`, agent: 'Yes' }]),
    );
    await sync(world);
    await purge({ kind: 'text', text: SECRET });
    expect(grep(SECRET, 'hunter2')).toEqual([]);
    await sync(world);
    expect(grep(SECRET, 'hunter2')).toEqual([]);
    expect((await verify(world)).problems).toEqual([]);
  },
);

test('one message goes, what was said before and after stays', async () => {
  const done = await purge({ kind: 'message', message: 'one-assistant-2' });
  expect(done.left).toEqual([]);
  expect(grep('hunter2', 'The answer 2 is long enough')).toEqual([]);
  expect(grep('The answer 3 is long enough').length).toBeGreaterThan(0);
  await sync(world);
  expect(grep('The answer 2 is long enough')).toEqual([]);
  expect((await verify(world)).problems).toEqual([]);
  await expect(purge({ kind: 'message', message: 'one-nobody-9' })).rejects.toThrow('No message');
});

test.each(['message', 'session'] as const)(
  'what decay keeps to undo goes with a purged %s, and undo brings nothing of it back',
  async (kind) => {
    const ref = { ...ONE, project: await project() };
    await compressSession(world, ref, { ratio: 1.5 });
    await compressSession(world, ref, { preset: 'aggressive' });
    const at = Date.UTC(2026, 7, 1);
    const clock = { ...world.clock, millis: () => at, now: () => new Date(at).toISOString() };
    expect((await runRetention({ ...world, clock })).pruned).toHaveLength(1);
    const kept = () => grep('hunter2').filter((file) => file.includes('/decay/'));
    expect(kept()).not.toEqual([]);
    await purge(kind === 'session' ? { kind, session: 'one' } : { kind, message: 'one-assistant-2' }, world);
    expect(kept()).toEqual([]);
    await undoRetention(world).catch(() => undefined);
    expect(grep('hunter2', 'The password')).toEqual([]);
    expect((await verify(world)).problems).toEqual([]);
  },
);

test('a session is deleted with its page, its compositions and its part of the journal', async () => {
  await compose(world, 'all', { budget: 50_000, sessions: ['one:original'] });
  mkdirSync(join(root, '_memory', 'conversations'), { recursive: true });
  writeFileSync(join(root, '_memory', 'conversations', 'one.md'), '# a page\n');
  writeFileSync(
    join(root, '_memory', 'master.md'),
    'Kept line.\n- Question 1 about the basket of the shop?\n',
  );
  const done = await purge({ kind: 'session', session: 'one' });
  expect(done).toMatchObject({ left: [], compositions: ['all'] });
  expect(grep('Question 1 about the basket', 'hunter2')).toEqual([]);
  expect(readFileSync(join(root, '_memory', 'master.md'), 'utf8')).toContain('Kept line.');
  await sync(world);
  expect(grep('Question 1 about the basket', 'hunter2')).toEqual([]);
});

test('an impossible purge is refused, and nothing is changed', async () => {
  const before = grep('hunter2').length;
  await expect(purge({ kind: 'text', text: 'abc' })).rejects.toThrow('at least 6 bytes');
  await expect(purge({ kind: 'text', text: 'parentUuid' })).rejects.toThrow('needs to read the session');
  await expect(purge({ kind: 'text', text: root.slice(-12) })).rejects.toThrow('path of the project');
  expect(grep('hunter2')).toHaveLength(before);
});

test.each(['text', 'session'] as const)(
  'a purge of a %s that is killed anywhere is finished by the next sync',
  async (kind) => {
    mkdirSync(join(root, '_memory'), { recursive: true });
    for (let write = 1, killed = true; killed; write += STRIDE) {
      const session = `session-${write}`;
      const sentence = `The door number ${write} opens with a word.`;
      const text = `Mind lodger${write}. ${sentence}`;
      writeFileSync(
        join(world.projects, PROJECT, `${session}.jsonl`),
        transcript(root, session, [{ you: `${text}\n${sentence}`, agent: 'Yes' }]),
      );
      await sync(world);
      const ref = { project: await project(), session: session as SessionId };
      await compressSession(world, ref, { ratio: 1.5 });
      writeFileSync(join(root, '_memory', 'master.md'), `- ${sentence}\n`);
      const { world: mortal, arm } = killable();
      const target = kind === 'text' ? { kind, text: `${text}\n${sentence}` } : { kind, session };
      const { carryOut } = await preparePurge(mortal, target);
      arm(write);
      killed = await carryOut().then(
        () => false,
        () => true,
      );
      await sync(world);
      expect(await finishPurges(world)).toBe(false);
      // Killed with its first write, it never began.
      if (write > 1) expect([write, grep(sentence, `lodger${write}.`)]).toEqual([write, []]);
    }
    expect((await verify(world)).problems).toEqual([]);
  },
);

/** Once armed, it fails for good with its n-th write, as a killed process would. */
function killable(): { world: World; arm: (writes: number) => void } {
  let left = Number.POSITIVE_INFINITY;
  const counted =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (--left <= 0) throw new Error('killed');
      return work(...args);
    };
  const { files, ...archive } = world.archive;
  const counting = {
    write: counted(files.write),
    writeAt: counted(files.writeAt),
    remove: counted(files.remove),
  };
  const change = counted(archive.change);
  return {
    world: {
      ...world,
      archive: { ...archive, change, wipe: counted(archive.wipe), files: { ...files, ...counting } },
    },
    arm: (writes) => {
      left = writes;
    },
  };
}
