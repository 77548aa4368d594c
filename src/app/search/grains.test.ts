import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Turn, transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { sync } from '../sync/sync.ts';
import type { SearchRequest } from './request.ts';
import { search } from './search.ts';

let world: TestWorld;
const ID = (number: number) => `${String(number).repeat(8)}-aaaa-4aaa-8aaa-000000000001`;
const at = (day: number, hour = 10) => `2026-01-0${day}T${hour}:00:00.000Z`;

function session(number: number, turns: Turn[], cwd = '/home/me/shop'): void {
  const folder = join(world.projects, cwd.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${ID(number)}.jsonl`), transcript(cwd, ID(number), turns));
}

beforeAll(async () => {
  world = makeWorld();
  session(1, [
    { you: 'Explain the cache, the cache of tokens.', agent: 'Cache tokens, cache keys.', at: at(1) },
    { you: 'And on the second day?', agent: 'The token cache is cold then.', at: at(2) },
    { you: 'And as to the third?', agent: 'Yes.', at: at(3) },
  ]);
  session(2, [
    { you: 'Rename the basket.', agent: 'Renamed the basket.', at: at(2, 11) },
    { you: 'And the cart?', agent: 'Renamed the cart.', at: at(2, 12) },
  ]);
  session(3, [{ you: 'The concat cachet.', agent: 'Tokens cached.', at: at(1, 11) }]);
  session(
    4,
    Array.from({ length: 30 }, (_, i) => ({ you: `Cache tokens ${i}.`, at: at(4) })),
    '/home/me/api',
  );
  await sync(world);
});
afterAll(() => world.remove());

const find = async (query: string, rest: Omit<SearchRequest, 'query'> = {}) =>
  (await search(world, { query, ...rest })).hits;
const sessions = async (query: string, rest: Omit<SearchRequest, 'query'> = {}) =>
  (await find(query, rest)).map((hit) => Number(hit.sessionId[0]));

describe('search at every grain', () => {
  it('finds what a compaction summarized, as a summary; no turn and no session by it', async () => {
    const own = makeWorld();
    const folder = join(own.projects, '-home-me-mill');
    mkdirSync(folder, { recursive: true });
    const said = transcript('/home/me/mill', ID(5), [
      { you: 'Set up the mill.', agent: 'It turns.', at: at(1) },
    ]);
    const summary = {
      ...JSON.parse(said.split('\n')[0]!),
      uuid: 'summary-1',
      isCompactSummary: true,
      timestamp: at(1, 12),
      message: {
        role: 'user',
        content:
          'This session is being continued from a previous one.\nThe millstone was reground to 40 grooves.',
      },
    };
    writeFileSync(join(folder, `${ID(5)}.jsonl`), `${said}${JSON.stringify(summary)}\n`);
    await sync(own);
    const [hit] = (await search(own, { query: 'millstone grooves', grain: 'exchange' })).hits;
    expect(hit?.passage).toContain('summary of the session so far: ');
    expect(hit?.passage).toContain('The millstone was reground to 40 grooves.');
    expect((await search(own, { query: 'millstone grooves' })).hits).toEqual([]);
    await own.remove();
  });

  it('lists each session, and each exchange, once where only filters are given', async () => {
    expect(await sessions('', { grain: 'session', filters: { since: '2026-01-01' } })).toEqual([4, 1, 2, 3]);
    const exchanges = await find('', { grain: 'exchange', filters: { project: 'shop' } });
    expect(exchanges.map((hit) => hit.exchange.id)).toHaveLength(6);
    expect(new Set(exchanges.map((hit) => hit.exchange.id)).size).toBe(6);
  });

  it('finds a session by what was said in the time asked for, though its best line was said before', async () => {
    const filters = { since: '2026-01-02', until: '2026-01-02' };
    const hits = await find('cache', { grain: 'session', filters });
    expect(hits.map((hit) => hit.text)).toEqual(['The token cache is cold then.']);
    const turns = await find('cache', { filters });
    expect(turns.map((hit) => hit.ts.slice(0, 10))).toEqual(turns.map(() => '2026-01-02'));
    expect(turns[0]?.text).toBe('The token cache is cold then.');
  });

  it('finds an exchange or a session by a phrase that is not in its best line', async () => {
    for (const grain of ['turn', 'exchange', 'session'] as const) {
      const hits = await find('"token cache"', { grain });
      expect(hits.map((hit) => hit.text)).toEqual(['The token cache is cold then.']);
    }
  });

  it('shows no line that a filter or a minus sign leaves out', async () => {
    for (const grain of ['exchange', 'session'] as const) {
      const said = await find('cache tokens keys', { grain, filters: { role: 'user', project: 'shop' } });
      expect(said.map((hit) => hit.role)).toEqual(said.map(() => 'user'));
      const hits = await find('cache tokens -keys -"cache of"', { grain, filters: { project: 'shop' } });
      expect(hits.length).toBeGreaterThan(0);
      expect(hits.filter((hit) => /keys|cache of/.test(hit.text))).toEqual([]);
    }
  });

  it('finds a phrase of small words, however many newer lines there are', async () => {
    expect((await find('"as to the"', { limit: 1 })).map((hit) => hit.text)).toEqual([
      'And as to the third?',
    ]);
  });

  it('asks several projects together', async () => {
    const filters = { projects: ['-home-me-shop'] };
    expect(new Set(await sessions('cache tokens', { filters }))).toEqual(new Set([1, 3]));
    const both = { projects: ['-home-me-shop', '-home-me-api'] };
    expect(await sessions('cache tokens', { filters: both, limit: 40 })).toContain(4);
    expect(await sessions('cache tokens', { filters: { projects: [] } })).toEqual([]);
  });

  it('names each sentence of a passage with its speaker, time and place, and asks a second ranker where there is one', async () => {
    const request = { query: 'cache tokens keys', grain: 'exchange' as const, limit: 9 };
    const { hits } = await search(world, request);
    expect(hits.length).toBeGreaterThan(1);
    for (const { said = [], passage } of hits) {
      expect(said.length).toBeGreaterThan(0);
      for (const { speaker, ts, src, text } of said) {
        expect(passage).toContain(text.slice(0, 100));
        expect([speaker, ts].every(Boolean) && src >= 0).toBe(true);
      }
    }
    const last = hits.at(-1)!;
    const factors = async (_: string, texts: readonly string[]) =>
      texts.map((text) => (text.includes(last.text) ? 1 : 0));
    const again = await search({ ...world, secondRanker: { factors } }, request);
    expect(again.hits[0]?.exchange.id).toBe(last.exchange.id);
  });
});
