import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { toProjectId } from '../../core/model/ids.ts';
import { withVerdicts } from '../search/hit-verdicts.ts';
import { search } from '../search/search.ts';
import { sync } from '../sync/sync.ts';
import { reviewQueue, undoFact } from './fact-review.ts';
import { allFacts, type FactRow, findFact, listFacts } from './facts.ts';
import { addFact, rejectMessage, settleFact } from './facts-edit.ts';
import { trueStatements } from './standing-statements.ts';

let world: TestWorld;
beforeEach(async () => {
  world = makeWorld();
  const folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  const id = '11111111-aaaa-4aaa-8aaa-000000000001';
  const session = workSession(id, [
    { you: 'Add a basket. From now on always keep prices in cents.' },
    { edit: 'src/basket.ts' },
    { run: 'npm test' },
    { agent: 'Added the basket in src/basket.ts.' },
    { you: "Please don't use inline styles, it breaks the theme." },
    { edit: 'src/theme.ts' },
    { agent: 'Moved the styles into the theme.' },
  ]);
  writeFileSync(join(folder, `${id}.jsonl`), session);
  await sync(world);
});
afterEach(() => world.remove());

const facts = () => allFacts(world);
const cents = async (): Promise<FactRow> => (await facts()).find(({ content }) => content.includes('cents'))!;

test('an undone decision leaves nothing behind: words, kind, confidence and date are as before', async () => {
  const before = await cents();
  await settleFact(world, before.id, { action: 'correct', content: 'Prices are kept in pence.' });
  expect((await facts()).map(({ content }) => content)).toContain('Prices are kept in pence.');
  expect(await undoFact(world, before.id)).toMatchObject({ action: 'correct', after: before });
  for (const action of ['confirm', 'forget', 'keep'] as const) {
    await settleFact(world, before.id, { action });
    expect(await cents()).not.toEqual(before);
    expect(await undoFact(world, before.id.slice(0, 8))).toMatchObject({ action });
    expect(await cents()).toEqual(before);
  }
  await expect(undoFact(world, before.id)).rejects.toMatchObject({ code: 'not-found' });
});

test('what an undone decision took out of memory is there again', async () => {
  const { id, content } = await cents();
  const stated = async () => {
    const { manifest } = (await world.archive.open(toProjectId('-srv-shop')))!;
    const all = await trueStatements(world, manifest.projectId, manifest);
    return JSON.stringify([...all.values()]);
  };
  expect(await stated()).toContain(content);
  for (const settlement of [
    { action: 'forget' as const },
    { action: 'correct' as const, content: 'Pence only.' },
  ]) {
    await settleFact(world, id, settlement);
    const before = await stated();
    await undoFact(world, id);
    expect(await stated()).not.toBe(before);
    expect(await stated()).not.toContain('Pence');
    expect(await stated()).toContain(content);
  }
});

test('what is rejected is stated nowhere, stays in the history and comes back when that is undone', async () => {
  const before = await cents();
  await settleFact(world, before.id, { action: 'reject', note: 'We count in pence.' });
  expect(await cents()).toBeUndefined();
  expect((await listFacts(world, { rejected: true })).items).toMatchObject([
    { id: before.id, content: before.content, rejected: { note: 'We count in pence.' } },
  ]);
  expect(await findFact(world, before.id)).toMatchObject({ rejected: { note: 'We count in pence.' } });
  const hits = async () =>
    withVerdicts(world, (await search(world, { query: 'prices in cents', filters: { role: 'user' } })).hits);
  expect((await hits())[0]).toMatchObject({ verdict: 'rejected: “We count in pence.”' });
  expect(await undoFact(world, before.id)).toMatchObject({ action: 'reject', after: before });
  expect((await listFacts(world, { rejected: true })).items).toEqual([]);
  expect((await hits())[0]?.verdict).toBeUndefined();
});

test('a found message that is rejected takes all that it says out of memory, until that is undone', async () => {
  const stated = async () => {
    const { manifest } = (await world.archive.open(toProjectId('-srv-shop')))!;
    return JSON.stringify([...(await trueStatements(world, manifest.projectId, manifest)).values()]);
  };
  const [hit] = (await search(world, { query: 'prices in cents', filters: { role: 'user' } })).hits;
  expect(await stated()).toContain('cents');
  const { id } = await rejectMessage(world, hit!, '');
  expect(await cents()).toBeUndefined();
  expect(await stated()).not.toContain('cents');
  expect((await withVerdicts(world, [hit!]))[0]).toMatchObject({ verdict: 'rejected' });
  const listed = (await listFacts(world, { rejected: true })).items;
  expect(listed).toMatchObject([{ id, content: expect.stringContaining('cents'), rejected: { note: '' } }]);
  expect(listed[0]?.sources).toMatchObject([{ sessionId: hit!.sessionId, src: hit!.src }]);
  expect(await undoFact(world, id)).toMatchObject({ action: 'reject' });
  expect((await listFacts(world, { rejected: true })).items).toEqual([]);
  expect(await cents()).toBeDefined();
  expect(await stated()).toContain('cents');
});

test('one thing is undone after the other, the last first', async () => {
  const { id } = await cents();
  await settleFact(world, id, { action: 'correct', content: 'Prices are integers.' });
  await settleFact(world, id, { action: 'correct', content: 'Prices are integers of cents.' });
  expect((await undoFact(world, id)).after?.content).toBe('Prices are integers.');
  expect((await undoFact(world, id)).after?.content).toContain('keep prices in cents');
});

test('what was added by hand is gone when that is undone', async () => {
  const { id } = await addFact(world, { content: 'Never amend commits.', project: '-srv-shop' });
  expect(await undoFact(world, id)).toEqual({ factId: id, action: 'add' });
  expect((await facts()).some((it) => it.id === id)).toBe(false);
});

test('the queue holds what nobody settled, rules before the rest, and what was contradicted before all', async () => {
  const waiting = await reviewQueue(world);
  expect(waiting.length).toBeGreaterThan(1);
  const rule = waiting[0]!;
  expect(rule.kind).toBe('rule');
  await settleFact(world, rule.id, { action: 'confirm' });
  expect((await reviewQueue(world)).map(({ id }) => id)).not.toContain(rule.id);
  for (let times = 0; times < 5; times++)
    await settleFact(world, rule.id, { action: 'contradict', note: `no ${times}` }, { by: 'assistant' });
  expect((await reviewQueue(world))[0]).toMatchObject({ id: rule.id, review: true });
});
