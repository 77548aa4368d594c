import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import type { SearchedBytes } from '../../ports/archive.ts';
import { compose } from '../compose/compose.ts';
import { compressSession } from '../compress/compress.ts';
import { sync } from '../sync/sync.ts';
import { preparePurge } from './purge.ts';

const WORD = 'heronsgate';
const PROJECT = '-srv-shop' as ProjectId;

let world: TestWorld;
beforeEach(async () => {
  world = makeWorld();
  const folder = join(world.projects, PROJECT);
  mkdirSync(folder, { recursive: true });
  const turns = Array.from({ length: 6 }, (_, n) => ({
    you: n === 3 ? `Where is ${WORD} on the map of the shop?` : `Question ${n} about the basket of the shop?`,
    agent: `The answer ${n} is long enough to be kept as it is.`,
  }));
  writeFileSync(join(folder, 'one.jsonl'), transcript('/srv/shop', 'one', turns));
  writeFileSync(
    join(folder, 'two.jsonl'),
    transcript('/srv/shop', 'two', [{ you: 'Other words', agent: 'Yes.' }]),
  );
  await sync(world);
});
afterEach(() => world.remove());

test('a plan names the sessions and compositions that hold a text, with the first place of it in the original', async () => {
  await compressSession(world, { project: PROJECT, session: 'one' as SessionId }, { ratio: 1.2 });
  await compose(world, 'all', { budget: 50_000, sessions: ['one:original'] });
  const { plan } = await preparePurge(world, { kind: 'text', text: WORD });
  const of = (kind: string) => plan.found.find((it) => it.kind === kind);
  const [file] = await world.archive.originals.list(PROJECT, 'one' as SessionId);
  const bytes = readFileSync(world.archive.originals.path(PROJECT, file ?? 'one.jsonl'));
  expect(of('originals')).toMatchObject({ projectId: PROJECT, sessionId: 'one', src: bytes.indexOf(WORD) });
  expect(of('originals')?.title).toContain('Question 0');
  expect(of('layers')).toMatchObject({ sessionId: 'one' });
  expect(of('versions')).toMatchObject({ sessionId: 'one' });
  expect(of('compositions')).toMatchObject({ composition: 'all' });
  expect(plan.found.some(({ sessionId }) => sessionId === 'two')).toBe(false);
});

test('after the purge nothing is named: a title may hold what is gone', async () => {
  const { carryOut } = await preparePurge(world, { kind: 'text', text: WORD });
  expect((await carryOut()).found).toEqual([]);
});

test('a search says how far it is, up to all of it, first in the memory, then outside', async () => {
  const seen: [string, SearchedBytes][] = [];
  await preparePurge(world, { kind: 'text', text: WORD }, { onLooked: (...looked) => seen.push(looked) });
  for (const phase of ['memory', 'outside']) {
    const own = seen.filter(([of]) => of === phase).map(([, it]) => it);
    const shares = own.map(({ done, total }) => done / total);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  }
  expect(seen[0]?.[0]).toBe('memory');
});
