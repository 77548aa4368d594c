import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toProjectId } from '../model/ids.ts';
import { type SessionCandidate, suggestFrom } from './suggest.ts';

const DAY = 86_400_000;
const made = (sessionId: string, more: Partial<SessionCandidate> = {}): SessionCandidate => ({
  sessionId,
  project: toProjectId('-shop'),
  title: '',
  last: '2026-01-05T10:00:00.000Z',
  age: DAY,
  tokens: 1000,
  files: [],
  branches: [],
  found: 0,
  topics: [],
  ...more,
});
const ids = (found: { items: { sessionId: string }[] }) => found.items.map((item) => item.sessionId);

describe('suggestions', () => {
  it('are led by the rarer file', () => {
    const all = [
      made('everything', { files: ['package.json'] }),
      made('rare', { files: ['package.json', 'src/cart.ts'] }),
      made('common', { files: ['package.json'] }),
      made('other', { files: ['README.md'] }),
    ];
    const found = suggestFrom(all, { files: ['src/cart.ts', 'package.json'], topics: [] }, { limit: 10 });
    expect(ids(found)[0]).toBe('rare');
    expect(ids(found)).not.toContain('other');
    expect(found.items[0]).toMatchObject({
      matchedFiles: ['src/cart.ts', 'package.json'],
      versionId: 'original',
      suggestedTokens: 1000,
      reasons: ['It changed src/cart.ts, package.json.'],
    });
    const one = suggestFrom(
      [made('a', { files: ['package.json'] }), ...all],
      { files: ['src/cart.ts'], topics: [] },
      { limit: 10 },
    );
    expect(ids(one)).toEqual(['rare']);
  });

  it('do not depend on the order of the sessions', () => {
    const session = fc.record({
      sessionId: fc.constantFrom('a', 'b', 'c', 'd'),
      project: fc.constantFrom(toProjectId('-shop'), toProjectId('-api')),
      last: fc.constantFrom('2026-01-05T10:00:00.000Z', '2026-01-06T10:00:00.000Z'),
      files: fc.subarray(['src/a.ts', 'src/b.ts']),
      found: fc.constantFrom(0, 1, 2),
    });
    const sessions = fc.uniqueArray(session, { selector: (it) => `${it.project}/${it.sessionId}` });
    fc.assert(
      fc.property(sessions, (all) => {
        const shown = (candidates: typeof all) =>
          suggestFrom(
            candidates.map(({ sessionId, ...more }) => made(sessionId, more)),
            { files: ['src/a.ts'], topics: ['x'] },
            { limit: 5 },
          ).items.map((item) => `${item.project}/${item.sessionId}`);
        expect(shown(all.toReversed())).toEqual(shown(all));
      }),
    );
  });

  it('by files alone name no session that only has a word of their names', () => {
    const all = [made('changed', { files: ['src/index.ts'], found: 0.2 }), made('speaks', { found: 3 })];
    expect(ids(suggestFrom(all, { files: ['src/index.ts'], topics: [] }, { limit: 5 }))).toEqual(['changed']);
    expect(ids(suggestFrom(all, { files: ['src/index.ts'], topics: ['x'] }, { limit: 5 }))).toContain(
      'speaks',
    );
  });

  it('know a file by the end of its path, in whole names', () => {
    const all = [
      made('deep', { files: ['/home/me/shop/src/cart.ts'] }),
      made('not', { files: ['src/mycart.ts'] }),
    ];
    expect(ids(suggestFrom(all, { files: ['./src/cart.ts'], topics: [] }, { limit: 5 }))).toEqual(['deep']);
    expect(ids(suggestFrom(all, { files: ['cart.ts'], topics: [] }, { limit: 5 }))).toEqual(['deep']);
  });

  it('prefer the topic, then what is recent', () => {
    const all = [
      made('old', { found: 2, topics: ['cache'], age: 60 * DAY }),
      made('new', { found: 2, topics: ['cache'] }),
      made('weak', { found: 0.5, age: 0 }),
      made('none', { age: 0 }),
    ];
    const found = suggestFrom(all, { files: [], topics: ['cache'] }, { limit: 10 });
    expect(ids(found)).toEqual(['new', 'old', 'weak']);
    expect(found.items[0]!.reasons).toEqual(['It is about cache.']);
  });

  it('count a branch for more the fewer were on it', () => {
    const all = [
      made('a', { branches: ['main'] }),
      made('b', { branches: ['main', 'feat/cart'] }),
      made('c', { branches: ['main'] }),
    ];
    const onFeature = suggestFrom(all, { files: [], topics: [], branch: 'feat/cart' }, { limit: 10 });
    const onMain = suggestFrom(all, { files: [], topics: [], branch: 'main' }, { limit: 10 });
    expect(ids(onFeature)).toEqual(['b']);
    expect(onFeature.items[0]!.relevanceScore).toBeGreaterThan(onMain.items[0]!.relevanceScore);
    expect(onFeature.items[0]!.reasons).toEqual(['It was on the branch feat/cart.']);
  });

  it('are the latest when nothing is at hand', () => {
    const all = [made('old', { age: 9 * DAY }), made('new', { age: 1 })];
    const found = suggestFrom(all, { files: [], topics: [] }, { limit: 10 });
    expect(ids(found)).toEqual(['new', 'old']);
    expect(found.items[0]!.reasons).toEqual(['It is one of the latest sessions.']);
  });

  it('leave out what the budget has no room for, and say so', () => {
    const all = [made('huge', { found: 2, tokens: 9000 }), made('small', { found: 1, tokens: 900 })];
    const found = suggestFrom(all, { files: [], topics: ['x'] }, { limit: 10, budget: 1000 });
    expect(ids(found)).toEqual(['small']);
    expect(found.tooLarge).toBe(1);
  });

  it('are in order, within budget and limit, with scores from 0 to 1, in whatever order the sessions come', () => {
    const name = fc.constantFrom('a.ts', 'src/a.ts', 'src/b.ts', 'c.ts');
    const candidate = fc.record({
      age: fc.integer({ min: -DAY, max: 400 * DAY }),
      tokens: fc.nat(5000),
      files: fc.uniqueArray(name),
      branches: fc.uniqueArray(fc.constantFrom('main', 'x')),
      found: fc.double({ min: 0, max: 9, noNaN: true }),
    });
    const hand = fc.record({
      files: fc.uniqueArray(name, { maxLength: 3 }),
      topics: fc.constantFrom([], ['cache']),
    });
    fc.assert(
      fc.property(
        fc.array(candidate, { maxLength: 12 }),
        hand,
        fc.nat(9000),
        fc.integer({ min: 1, max: 8 }),
        (list, at, budget, limit) => {
          const all = list.map((it, index) =>
            made(`s${index}`, { ...it, last: `2026-01-01T00:00:00.${String(index).padStart(3, '0')}Z` }),
          );
          const found = suggestFrom(all, at, { budget, limit });
          expect(found.items.length).toBeLessThanOrEqual(limit);
          expect(found.items.reduce((sum, it) => sum + it.suggestedTokens, 0)).toBeLessThanOrEqual(budget);
          const scores = found.items.map((it) => it.relevanceScore);
          expect(scores).toEqual(scores.toSorted((a, b) => b - a));
          for (const it of found.items) {
            expect(it.relevanceScore).toBeGreaterThanOrEqual(0);
            expect(it.relevanceScore).toBeLessThanOrEqual(1);
            expect(it.reasons.length).toBeGreaterThan(0);
          }
          expect(suggestFrom(all.toReversed(), at, { budget, limit })).toEqual(found);
        },
      ),
    );
  });
});
