import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { preparePurge } from '../purge/purge.ts';
import { recall } from '../recall/recall.ts';
import { sync } from '../sync/sync.ts';
import { withVerdicts } from './hit-verdicts.ts';
import { search } from './search.ts';

let world: TestWorld;
const ID = (letter: string) => `${letter.repeat(8)}-aaaa-4aaa-8aaa-000000000001`;
const RULE = 'From now on always store the invoice amounts of a customer as floats.';
const CONTRARY = 'From now on never store the invoice amounts of a customer as floats.';

function session(letter: string, day: number, you: string): void {
  const folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  const turns = [{ you, agent: 'Done, as you say.', at: `2026-01-0${day}T10:00:00.000Z` }];
  writeFileSync(join(folder, `${ID(letter)}.jsonl`), transcript('/srv/shop', ID(letter), turns));
}

beforeEach(async () => {
  world = makeWorld();
  session('a', 1, RULE);
  await sync(world);
});
afterEach(() => world.remove());

const passages = async () => {
  const { hits } = await search(world, { query: 'store invoice amounts customer', grain: 'exchange' });
  return hits.map(({ passage = '' }) => passage);
};
const linesWith = (text: string, words: string) => text.split('\n').filter((line) => line.includes(words));

test('what a later session took back comes with its verdict, in passages, turns and recall', async () => {
  const [alone] = await passages();
  expect(alone).toContain(RULE);
  expect(alone).not.toContain('replaced by');
  session('b', 2, CONTRARY);
  await sync(world);
  const verdict = `(2026-01-02 replaced by: “${CONTRARY}”)`;
  const { text } = await recall(world, { topic: 'store invoice amounts customer' });
  for (const said of [...(await passages()), text])
    for (const line of linesWith(said, 'always store')) expect(line).toContain(`${RULE} ${verdict}`);
  expect(linesWith(text, 'always store')).not.toEqual([]);
  expect(text).not.toContain(`${CONTRARY} (`);
  const { hits } = await search(world, { query: 'store invoice amounts customer' });
  const marked = await withVerdicts(world, hits);
  expect(marked.find((hit) => hit.text.includes('always'))?.verdict).toContain('never store');
  expect(marked.find((hit) => hit.text.includes('never'))?.verdict).toBeUndefined();
});

test('a verdict goes with the session that it came from', async () => {
  session('b', 2, CONTRARY);
  await sync(world);
  await (await preparePurge(world, { kind: 'session', session: ID('b') })).carryOut();
  expect((await passages()).join('\n')).toContain(RULE);
  expect((await passages()).join('\n')).not.toContain('replaced by');
});
