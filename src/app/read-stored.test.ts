import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeWorld, type TestWorld } from '../../test/made/world.ts';
import { toProjectId } from '../core/model/ids.ts';
import { fields, figure } from '../core/model/shape.ts';
import { readStored, readStoredLines, type StoredKind } from './read-stored.ts';

const PROJECT = toProjectId('-srv-shop');
const KIND: StoredKind<{ n: number }> = { schema: fields({ n: figure }), damaged: 'It is counted again.' };
let world: TestWorld;
let [reported, logged]: [string[], string[]] = [[], []];

beforeEach(() => {
  [reported, logged] = [[], []];
  world = Object.assign(makeWorld(), {
    report: (note: string) => void reported.push(note),
    log: (note: string) => void logged.push(note),
  });
});
afterEach(() => world.remove());

test('missing, valid and outdated files are distinguished, and nothing is noted about them', async () => {
  const kind = { ...KIND, format: ['v', 2] as const };
  expect(await readStored(world, PROJECT, 'count.json', kind)).toEqual({ state: 'missing' });
  await world.archive.files.write(PROJECT, 'count.json', '{"v":2,"n":7}');
  expect(await readStored(world, PROJECT, 'count.json', kind)).toEqual({
    state: 'read',
    value: { v: 2, n: 7 },
  });
  await world.archive.files.write(PROJECT, 'count.json', '{"v":1}');
  expect(await readStored(world, PROJECT, 'count.json', kind)).toEqual({ state: 'outdated' });
  expect([reported, logged]).toEqual([[], []]);
});

test('a damaged file of a project is reported and kept aside, once', async () => {
  await world.archive.files.write(PROJECT, 'count/now.json', '{"n":"seven"}');
  for (const _ of [1, 2]) {
    const read = await readStored(world, PROJECT, 'count/now.json', KIND);
    expect(read).toEqual({ state: 'damaged', why: 'n: expected a number' });
  }
  const [aside, ...more] = (await world.archive.files.list(PROJECT, 'count')).filter(
    (it) => it !== 'now.json',
  );
  expect(more).toEqual([]);
  expect((await world.archive.files.read(PROJECT, `count/${aside}`))?.toString()).toBe('{"n":"seven"}');
  expect(new Set(reported)).toEqual(
    new Set([
      `${world.archive.files.path(PROJECT, 'count/now.json')} is damaged (n: expected a number). It is counted again. The damaged file was saved as count/${aside}.`,
    ]),
  );
  expect(logged).toEqual([]);
});

test('one that is made again from others is reported only, and one of the cache goes to the log', async () => {
  await world.archive.files.write(PROJECT, 'count/now.json', '{');
  await readStored(world, PROJECT, 'count/now.json', { ...KIND, derived: true });
  await world.archive.files.write(undefined, 'count/now.json', '{');
  await readStored(world, undefined, 'count/now.json', KIND);
  const path = (project?: typeof PROJECT) => world.archive.files.path(project, 'count/now.json');
  expect(reported).toEqual([`${path(PROJECT)} is damaged (it is not JSON). It is counted again.`]);
  expect(logged).toEqual([`${path()} is damaged (it is not JSON). It is counted again.`]);
  expect(await world.archive.files.list(PROJECT, 'count')).toEqual(['now.json']);
});

test('of a file of lines the sound ones are read, and the first damaged one is named', async () => {
  await world.archive.files.write(PROJECT, 'done.jsonl', '{"n":1}\n{"n"\n{"n":2}\n[]\n{"n":3');
  expect(await readStoredLines(world, PROJECT, 'done.jsonl', KIND)).toEqual([{ n: 1 }, { n: 2 }]);
  expect(reported).toEqual([expect.stringContaining('(line 2: it is not JSON, and 1 more line)')]);
  expect(await readStoredLines(world, PROJECT, 'none.jsonl', KIND)).toEqual([]);
});
