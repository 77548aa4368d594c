import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { composeBrief } from '../../app/answer/compose.ts';
import { listCompositions } from '../../app/compose/compositions.ts';
import { sync } from '../../app/sync/sync.ts';
import { MEMORY_TOOLS } from './memory-tools.ts';

let world: TestWorld;
beforeEach(async () => {
  world = makeWorld();
  world.places.cwd = '/srv/shop';
  const folder = join(world.projects, '-srv-shop');
  mkdirSync(folder);
  const say = (id: string, day: number, about: string) =>
    writeFileSync(
      join(folder, `${id}.jsonl`),
      transcript('/srv/shop', id, [
        {
          you: `How is the ${about} rounded?`,
          agent: `In ${about}.ts.`,
          at: `2026-01-0${day}T10:00:00.000Z`,
        },
      ]),
    );
  say('alpha', 1, 'price');
  say('bravo', 2, 'invoice');
  say('now', 3, 'running');
  await sync(world);
});
afterEach(() => world.remove());

function call(values: unknown): Promise<string> {
  const tool = MEMORY_TOOLS.find(({ name }) => name === 'compose')!;
  return tool.answer(world, tool.input.parse(values));
}

test('an agent gets the text of earlier sessions without its own, and nothing is saved', async () => {
  const answer = await call({ except: 'now', budget: 900 });
  expect(answer).toContain('2 sessions.\n- session alpha: ');
  expect(answer).toContain('In price.ts.');
  expect(answer).not.toContain('running');
  expect((await listCompositions(world)).items).toEqual([]);
});

test('a topic searches all sessions, however many are newer, and selects those that match', async () => {
  const folder = join(world.projects, '-srv-shop');
  for (let at = 0; at < 40; at++) {
    const day = `2026-02-${String(1 + (at % 28)).padStart(2, '0')}T10:00:00.000Z`;
    const turns = [{ you: `Paint wall ${at}.`, agent: `Wall ${at} is painted.`, at: day }];
    writeFileSync(join(folder, `wall${at}.jsonl`), transcript('/srv/shop', `wall${at}`, turns));
  }
  await sync(world);
  const answer = await call({ topic: 'how is the price rounded', except: 'now', budget: 900 });
  expect(answer).toContain('- session alpha: ');
  expect(answer).toContain('In price.ts.');
  expect(answer).not.toContain('painted');
});

test('with a name it is saved, with resume it is a session that the user can open', async () => {
  const answer = await call({ sessions: ['bravo'], name: 'rounding', resume: true });
  expect(answer).toMatch(/Saved as "rounding": .*composed\/rounding\/composed\.md\.\n.*claude --resume 0000/);
  const [row] = (await listCompositions(world)).items;
  expect(row).toMatchObject({ name: 'rounding', components: [{ sessionId: 'bravo' }] });
  expect(row!.resumed).toHaveLength(1);
  await expect(call({ sessions: ['bravo'], name: 'rounding' })).rejects.toMatchObject({ code: 'conflict' });
});

test('what only a user may say is refused', () => {
  const { input } = MEMORY_TOOLS.find(({ name }) => name === 'compose')!;
  for (const wrong of [{ budget: 0 }, { sessions: [] }, { strategy: 'manual' }, { asOf: 'yesterday' }])
    expect(input.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
  expect(input.safeParse({ force: true }).success).toBe(false);
});

test('the slash command gets the sessions that match and the existing compositions', async () => {
  await call({ sessions: ['alpha'], name: 'prices', topic: 'rounding' });
  const brief = await composeBrief(world, 'now', 'invoice rounding');
  expect(brief).toMatch(/^This session is now/);
  expect(brief).toContain('session bravo');
  expect(brief).toContain('- prices: 1 session,');
  expect(await composeBrief(world, 'now', '')).toContain('# Sessions, newest first');
});
