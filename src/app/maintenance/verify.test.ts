import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { toProjectId } from '../../core/model/ids.ts';
import { REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import { unregister, whatToUnregister } from '../purge/unregister.ts';
import { showSession } from '../session/show.ts';
import { register } from '../sync/register.ts';
import { sync } from '../sync/sync.ts';
import { verify } from './verify.ts';

const ID = '11111111-aaaa-4aaa-8aaa-000000000001';

let world: TestWorld;
let archived: string;
let l1: string;
beforeEach(async () => {
  world = makeWorld();
  const folder = join(world.projects, '-srv-shop');
  const own = join(folder, ID, 'subagents');
  mkdirSync(own, { recursive: true });
  writeFileSync(
    join(folder, `${ID}.jsonl`),
    transcript('/srv/shop', ID, [{ you: 'Hello', agent: 'Hi there.' }]),
  );
  writeFileSync(join(own, 'agent-a1.jsonl'), transcript('/srv/shop', ID, [{ you: 'Look around' }]));
  mkdirSync(join(folder, ID, 'tool-results'));
  writeFileSync(join(folder, ID, 'tool-results', 't1.txt'), 'a long result\n');
  await sync(world);
  const details = await showSession(world, ID);
  archived = details.archivedFile;
  l1 = details.l1Path!;
});
afterEach(() => world.remove());

async function complaints(): Promise<string> {
  const { passed, problems } = await verify(world);
  expect(passed).toBe(problems.every((problem) => problem.level !== 'error'));
  return problems.map((problem) => `${problem.level}: ${problem.message}`).join('\n');
}

test('a good archive passes, with progress up to its end', async () => {
  const seen: number[] = [];
  const report = await verify(world, { onProgress: (state) => seen.push(state.done) });
  expect(report).toMatchObject({ sessions: 1, passed: true, problems: [] });
  expect(seen).toEqual([0, 1]);
});

test('any changed byte of an original is found', async () => {
  const good = readFileSync(archived);
  await fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const bad = Buffer.from(good);
      bad[at] = (bad[at]! + by) % 256;
      writeFileSync(archived, bad);
      expect(await complaints()).toContain('error: The original was changed');
    }),
    { numRuns: 25 },
  );
});

test('a truncated, a lost and a grown original are distinguished', async () => {
  truncateSync(archived, 10);
  expect(await complaints()).toContain('error: The original has 10 bytes');
  rmSync(archived);
  expect(await complaints()).toContain('error: The original is missing');
});

test('bytes that no sync has recorded yet are a warning, not a failure', async () => {
  appendFileSync(archived, '{}\n');
  expect(await complaints()).toContain('warning: The original has 3 bytes that are not recorded yet');
});

test('what an older version refined is a warning until the next sync, not damage', async () => {
  const project = toProjectId('-srv-shop');
  await world.archive.change(project, [{ at: ['sessions', ID], merge: { engine: REFINE_ENGINE - 1 } }]);
  appendFileSync(l1, 'x');
  expect(await complaints()).toMatch(
    /^warning: The refined transcript .* was made by an older version of Keepsake\.$/,
  );
  rmSync(l1);
  expect(await complaints()).toMatch(/^error: .* is missing/);
  await sync(world);
  expect(await complaints()).toBe('');
});

test('a lost or changed refined file is found, and so is a lost subagent', async () => {
  appendFileSync(l1, 'x');
  expect(await complaints()).toContain('does not match the original');
  rmSync(l1);
  expect(await complaints()).toContain('is missing');
  await sync(world);
  expect(await complaints()).toBe('');
  rmSync(archived.replace(/\.jsonl$/, '/subagents/agent-a1.jsonl'));
  expect(await complaints()).toMatch(/error: originals\/.*agent-a1.jsonl is missing/);
});

test.each(['subagents/agent-a1.jsonl', 'tool-results/t1.txt'])(
  'any change to %s beside a session is found',
  async (name) => {
    const copy = archived.replace(/\.jsonl$/, `/${name}`);
    const good = readFileSync(copy);
    const bad = Buffer.from(good);
    bad[good.length >> 1]! ^= 1;
    writeFileSync(copy, bad);
    expect(await complaints()).toMatch(/error: originals\/.*was changed/);
    truncateSync(copy, 1);
    expect(await complaints()).toContain('error: originals/');
    rmSync(copy);
    expect(await complaints()).toMatch(/error: originals\/.*is missing/);
    await register(world, ID);
    expect(readFileSync(copy)).toEqual(good);
    expect(await complaints()).toBe('');
  },
);

test('a file beside a session that is lost for good is missed even after the next sync', async () => {
  rmSync(archived.replace(/\.jsonl$/, '/tool-results/t1.txt'));
  rmSync(join(world.projects, '-srv-shop', ID, 'tool-results'), { recursive: true });
  appendFileSync(
    join(world.projects, '-srv-shop', `${ID}.jsonl`),
    transcript('/srv/shop', ID, [{ you: 'More' }]),
  );
  await sync(world);
  expect(await complaints()).toMatch(/error: originals\/.*t1.txt is missing/);
});

test('files beside a session that did not grow are not read again by a sync', async () => {
  const hashed: string[] = [];
  const { originals } = world.archive;
  const watched = {
    ...originals,
    hash: (...args: Parameters<typeof originals.hash>) => {
      hashed.push(args[1].slice(ID.length));
      return originals.hash(...args);
    },
  };
  const folder = join(world.projects, '-srv-shop', ID);
  appendFileSync(join(folder, 'subagents', 'agent-a1.jsonl'), transcript('/srv/shop', ID, [{ you: 'On' }]));
  await sync({ ...world, archive: { ...world.archive, originals: watched } });
  expect(hashed).toEqual(['.jsonl', '/subagents/agent-a1.jsonl']);
  expect(await complaints()).toBe('');
});

test('a purge leaves none of its words in manifests that were kept aside', async () => {
  const folder = join(world.places.archive, 'projects', '-srv-shop');
  const asides = ['broken-0123456789ab.json', 'edited-0123456789ab.json', 'broken-0123456789ab.log'];
  for (const aside of asides) writeFileSync(join(folder, `manifest.${aside}`), `"${ID}": "Hello"`);
  writeFileSync(join(folder, `.tmp-${'a'.repeat(16)}-manifest.json`), 'Hello');
  await unregister(world, await whatToUnregister(world, { session: ID }), { purge: true });
  const left = readdirSync(folder).filter((name) => !['originals', 'memory', 'rolling'].includes(name));
  expect(left.sort()).toEqual(['history.jsonl', 'manifest.json', 'manifest.prev.json']);
  for (const name of ['manifest.json', 'manifest.prev.json'])
    expect(readFileSync(join(folder, name), 'utf8')).not.toContain('Hello');
});

test('a purge leaves no file of the session and none of its words, but a tombstone', async () => {
  await unregister(world, await whatToUnregister(world, { session: ID }), { purge: true });
  const files = readdirSync(world.places.archive, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'lock.sqlite')
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files.filter((file) => file.includes('11111111'))).toEqual([]);
  expect(files.filter((file) => readFileSync(file, 'utf8').includes('Hello'))).toEqual([]);
  const [project] = await world.archive.projects();
  expect((await world.archive.open(project!))?.manifest.tombstones).toMatchObject([
    { kind: 'session', id: ID },
  ]);
  expect((await sync(world)).added).toBe(0);
  expect(await complaints()).toBe('');
});
