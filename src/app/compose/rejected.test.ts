import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { compressSession } from '../compress/compress.ts';
import { findSession } from '../find/session.ts';
import { undoFact } from '../layers/fact-review.ts';
import { rejectMessage } from '../layers/facts-edit.ts';
import { search } from '../search/search.ts';
import { sync } from '../sync/sync.ts';
import { compose } from './compose.ts';

let world: TestWorld;
afterEach(() => world.remove());

const ONE = '11111111-aaaa-4aaa-8aaa-000000000001';
const TWO = '11111111-aaaa-4aaa-8aaa-000000000002';

async function shop(): Promise<void> {
  world = makeWorld();
  const folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  const turns = [
    {
      you: 'Where do we keep the basket?',
      agent: 'The basket is kept in src/basket.ts, beside the invoice.',
    },
    { you: 'We round every price up to whole pounds.', agent: 'Prices are rounded up in src/price.ts now.' },
    { you: 'Which queue sends the mail?', agent: 'The queue in src/mail.ts sends each mail twice at most.' },
  ];
  writeFileSync(join(folder, `${ONE}.jsonl`), transcript('/srv/shop', ONE, turns));
  const more = [
    { you: 'How is the schema migrated?', agent: 'By src/migrate.ts, before the worker starts.' },
  ];
  writeFileSync(join(folder, `${TWO}.jsonl`), transcript('/srv/shop', TWO, more));
  await sync(world);
}

const composed = async (sessions: string[], budget: number) =>
  (await compose(world, 'all', { sessions, budget }, { preview: true })).markdown;

test('a message that the user rejected is in no composition, whole, shortened or of a stored version', async () => {
  await shop();
  const ref = await findSession(world, ONE);
  await compressSession(world, { project: ref.projectId, session: ref.sessionId }, { ratio: 1.1 });
  const [hit] = (await search(world, { query: 'round every price', filters: { role: 'user' } })).hits;
  const ways = [
    () => composed([ONE, TWO], 4000),
    () => composed([ONE, TWO], 120),
    () => composed([`${ONE}:part1_v001`], 4000),
  ];
  expect(await ways[0]!()).toContain('whole pounds');
  expect(await ways[2]!()).toContain('whole pounds');
  const { id } = await rejectMessage(world, hit!, '');
  for (const way of ways) {
    const text = await way();
    expect(text).not.toContain('whole pounds');
    expect(text).toContain('basket');
  }
  await undoFact(world, id);
  expect(await ways[0]!()).toContain('whole pounds');
});
