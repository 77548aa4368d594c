import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { useSample } from '../sync/use-sample.ts';
import { fileStory, listTouchedFiles } from './touched-files.ts';

let world: TestWorld;
beforeEach(async () => {
  world = makeWorld();
  await useSample(world);
});
afterEach(() => world.remove());

test('files are listed once with how many sessions touched them, newest first, and words narrow them', async () => {
  const { items, total } = await listTouchedFiles(world);
  expect(total).toBe(items.length);
  expect(new Set(items.map(({ path }) => path)).size).toBe(items.length);
  expect(items.map(({ last }) => last)).toEqual([...items.map(({ last }) => last)].sort().reverse());
  const [most] = [...items].sort((a, b) => b.sessions - a.sessions);
  expect(most!.sessions).toBeGreaterThan(1);
  const word = most!.path.split('/').at(-1)!.toUpperCase();
  const found = await listTouchedFiles(world, { words: word });
  expect(found.items.map(({ path }) => path)).toContain(most!.path);
  expect(found.total).toBeLessThan(total);
});

test('the story of a file has every session that touched it, with the exchanges that did', async () => {
  const { items } = await listTouchedFiles(world);
  const [most] = [...items].sort((a, b) => b.sessions - a.sessions);
  const story = await fileStory(world, most!.path);
  expect(story.sessions).toHaveLength(most!.sessions);
  expect(story.sessions.some(({ exchanges }) => exchanges.length > 0)).toBe(true);
  expect(await fileStory(world, 'no/such.ts')).toEqual({ path: 'no/such.ts', sessions: [], decided: [] });
});
