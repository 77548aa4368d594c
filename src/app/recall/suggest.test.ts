import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Turn, transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { compose } from '../compose/compose.ts';
import { compressSession } from '../compress/compress.ts';
import { findSession } from '../find/session.ts';
import { sync } from '../sync/sync.ts';
import { suggest, versionsOf } from './suggest.ts';

let world: TestWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

function session(cwd: string, number: number, turns: Turn[]): string {
  const id = `${String(number).padStart(8, '0')}-aaaa-4aaa-8aaa-000000000001`;
  const folder = join(world.projects, cwd.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.jsonl`), transcript(cwd, id, turns));
  return id;
}

describe('suggest', () => {
  it('measures a session by those of the project asked for, not by others that say more of the topic', async () => {
    for (let number = 1; number <= 3; number++)
      session('/home/me/api', number, [{ you: 'Warm the token cache, the token cache.' }]);
    const wanted = session('/home/me/shop', 500, [
      { you: 'Bake the bread.', agent: `${'It is in the oven. '.repeat(60)} There was a token on it.` },
    ]);
    await sync(world);
    const { items } = await suggest(world, { topics: ['token cache'], project: 'shop' });
    expect(items.map((item) => item.sessionId)).toEqual([wanted]);
    expect(items[0]!.matchedTopics).toEqual(['token cache']);
  });

  it('takes small words for no topic', async () => {
    session('/home/me/shop', 1, [{ you: 'Bake the bread.' }]);
    await sync(world);
    expect((await suggest(world, { topics: ['the of and'], project: 'shop' })).items).toEqual([]);
    const both = await suggest(world, { topics: ['the', 'bread'], project: 'shop' });
    expect(both.items[0]).toMatchObject({ matchedTopics: ['bread'] });
  });

  it('counts as recent what is so beside the newest session, whatever the clock says', async () => {
    session('/home/me/shop', 1, [{ you: 'Bread.', at: '2020-01-01T10:00:00.000Z' }]);
    const newest = session('/home/me/shop', 2, [{ you: 'Rolls.', at: '2020-02-01T10:00:00.000Z' }]);
    await sync(world);
    const [first] = (await suggest(world, { project: 'shop' })).items;
    expect(first).toMatchObject({ sessionId: newest, relevanceScore: 1 });
  });

  it('names the longest version that fits the budget, and compose accepts it by that name', async () => {
    const id = session(
      '/home/me/shop',
      1,
      Array.from({ length: 30 }, (_, at) => ({
        you: `Bake bread number ${at}.`,
        agent: `Loaf ${at} is in the oven at ${at * 7} degrees, behind file-${at}.ts.`,
      })),
    );
    await sync(world);
    const { projectId, sessionId, row } = await findSession(world, id);
    const ref = { project: projectId, session: sessionId };
    for (const ratio of [3, 6, 12]) await compressSession(world, ref, { ratio });
    const original = row.originalTokens;
    const ask = (budget: number) => suggest(world, { topics: ['bread'], project: 'shop', budget });
    expect((await ask(original)).items[0]).toMatchObject({
      versionId: 'original',
      suggestedTokens: original,
    });
    const { compressions } = (await findSession(world, id)).row;
    for (const { versionId, outputTokens } of compressions) {
      const [item] = (await ask(outputTokens)).items;
      expect(item).toMatchObject({ versionId, suggestedTokens: outputTokens });
      expect(item!.reasons.at(-1)).toContain(`${versionId} fits`);
      const spec = `${id}:${item!.versionId}`;
      const composed = await compose(world, 'x', { budget: 4000, sessions: [spec] }, { preview: true });
      expect(composed.components[0]!.versionId).toBe(versionId);
    }
    expect(await ask(3)).toMatchObject({ items: [], tooLarge: 1 });
  });

  it('shortens the oldest part first, and counts what came after the last one', () => {
    const version = (part: number, number: number, outputTokens: number) => ({
      versionId: `part${part}_v00${number}`,
      part,
      outputTokens,
    });
    const compressions = [version(2, 1, 50), version(1, 1, 100), version(1, 2, 200)] as never;
    const parts = [
      { part: 2, tokens: 500 },
      { part: 1, tokens: 1000 },
    ];
    expect(versionsOf({ originalTokens: 1510, compressions }, parts)).toEqual([
      { versionId: 'part1_v002+part2_original', tokens: 710 },
      { versionId: 'part1_v001+part2_original', tokens: 610 },
      { versionId: 'part1_v001+part2_v001', tokens: 160 },
    ]);
  });
});
