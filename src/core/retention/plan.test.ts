import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../model/config-defaults.ts';
import { toSessionId } from '../model/ids.ts';
import { type VersionRecord, versionId } from '../model/version.ts';
import { clockDoubt, isMass } from './clock-doubt.ts';
import { planRetention } from './plan.ts';
import { type RetentionSession, readRetention } from './rules.ts';

const NOW = '2026-06-01T00:00:00.000Z';
const DAY = 86_400_000;
const daysAgo = (days: number) => new Date(Date.parse(NOW) - days * DAY).toISOString();
const { schedule: _, ...RULES } = CONFIG_DEFAULTS.autoDecay;

type Made = { preset: 'gentle' | 'standard' | 'aggressive'; age: number; tokens: number; part?: number };

function version(number: number, { preset, age, tokens, part = 1 }: Made): VersionRecord {
  return {
    versionId: versionId(part, number),
    part,
    file: `f${number}`,
    createdAt: daysAgo(age),
    settings: { mode: 'tiered', tierPreset: preset, model: 'extractive' } as VersionRecord['settings'],
    engine: 'extractive-2.1',
    inputTokens: 1000,
    inputMessages: 10,
    outputTokens: tokens,
    outputMessages: 1,
    tokenCounter: 'c',
    compressionRatio: 1000 / tokens,
    keepitStats: { preserved: 0, summarized: 0, weights: {} },
    inputHash: '',
    markdownHash: '',
    jsonlHash: `h${number}`,
    survived: [],
    summarized: [],
  };
}

function session(usedDaysAgo: number, made: Made[], more: Partial<RetentionSession> = {}): RetentionSession {
  return {
    sessionId: toSessionId('s'),
    usedAt: daysAgo(usedDaysAgo),
    originalTokens: 1000,
    messages: 10,
    parts: made.length > 0 ? [{ part: 1, tokens: 1000 }] : [],
    versions: made.map((it, index) => version(index + 1, it)),
    used: new Set(),
    pinned: new Set(),
    ...more,
  };
}

const plan = (it: RetentionSession, retention = 'all', now = NOW) =>
  planRetention([it], RULES, readRetention(retention), now);
const presets = (it: RetentionSession) => plan(it).create.map(({ preset }) => preset);
const pruned = (it: RetentionSession, retention = 'all', now = NOW) =>
  plan(it, retention, now).prune.map((gone) => gone.versionId);

const standard = (age: number): Made => ({ preset: 'standard', age, tokens: 120 });
const aggressive = (age: number): Made => ({ preset: 'aggressive', age, tokens: 60 });

test('a session is compressed after a week, and much shorter after a month', () => {
  expect(presets(session(6, []))).toEqual([]);
  expect(presets(session(7, []))).toEqual(['standard']);
  expect(presets(session(20, [standard(13)]))).toEqual([]);
  expect(presets(session(30, [standard(23)]))).toEqual(['aggressive']);
  expect(presets(session(200, []))).toEqual(['aggressive']);
  expect(presets(session(200, [aggressive(170)]))).toEqual([]);
  expect(presets(session(200, [], { messages: 0 }))).toEqual([]);
});

test('what is in between goes after two months, the shortest stays', () => {
  expect(pruned(session(67, [standard(60), aggressive(37)]))).toEqual(['part1_v001']);
  expect(pruned(session(66, [standard(59), aggressive(36)]))).toEqual([]);
  expect(pruned(session(10, [standard(90), aggressive(80)]))).toEqual([]);
  expect(pruned(session(300, [standard(290)]))).toEqual([]);
});

test('what is used, made by hand or by a model, or alone in holding a pinned text stays', () => {
  const old = () => session(300, [standard(290), aggressive(280)]);
  expect(pruned({ ...old(), used: new Set(['part1_v001']) })).toEqual([]);
  for (const settings of [{ mode: 'manual' }, { model: 'opus' }]) {
    const kept = old();
    Object.assign(kept.versions[0]!.settings, settings);
    expect(pruned(kept)).toEqual([]);
  }
  const pinned = { ...old(), pinned: new Set(['k']) };
  pinned.versions[0]!.survived = ['k'];
  expect(pruned(pinned)).toEqual([]);
  pinned.versions[1]!.survived = ['k'];
  expect(pruned(pinned)).toEqual(['part1_v001']);
});

test('versions are kept by level, by number or by days, the last of a part always', () => {
  const fresh = session(1, [standard(9), standard(5), aggressive(3)]);
  expect(pruned(fresh)).toEqual([]);
  expect(pruned(fresh, 'newest')).toEqual(['part1_v001']);
  expect(pruned(fresh, '1').sort()).toEqual(['part1_v001', 'part1_v002']);
  expect(pruned(fresh, '4d').sort()).toEqual(['part1_v001', 'part1_v002']);
  expect(pruned(fresh, '1d')).toHaveLength(2);
});

const anySession = fc
  .record({
    usedDaysAgo: fc.integer({ min: -400, max: 800 }),
    made: fc.array(
      fc.record({
        preset: fc.constantFrom('gentle' as const, 'standard' as const, 'aggressive' as const),
        age: fc.integer({ min: -400, max: 800 }),
        tokens: fc.integer({ min: 1, max: 900 }),
        part: fc.integer({ min: 1, max: 3 }),
      }),
      { maxLength: 8 },
    ),
    used: fc.array(fc.nat(8)),
    marks: fc.array(fc.tuple(fc.nat(7), fc.constantFrom('k1', 'k2', 'k3'))),
  })
  .map(({ usedDaysAgo, made, used, marks }) => {
    const found = session(usedDaysAgo, made, { pinned: new Set(['k1', 'k2']) });
    for (const [place, marker] of marks) found.versions[place]?.survived.push(marker);
    return { ...found, used: new Set(used.flatMap((place) => found.versions[place]?.versionId ?? [])) };
  });

test('no rule ever takes a used version, the last of a part, or a pinned text', () => {
  fc.assert(
    fc.property(anySession, fc.constantFrom('all', 'newest', '1', '2', '30d'), (it, retention) => {
      const gone = new Set(pruned(it, retention));
      const left = it.versions.filter((version) => !gone.has(version.versionId));
      for (const version of it.versions) {
        if (!gone.has(version.versionId)) continue;
        expect(it.used.has(version.versionId)).toBe(false);
        const others = left.filter((other) => other.part === version.part);
        expect(others.length).toBeGreaterThan(0);
        for (const marker of version.survived.filter((id) => it.pinned.has(id)))
          expect(others.some((other) => other.survived.includes(marker))).toBe(true);
      }
      // By age alone, the clock set back takes nothing that it would not take at its own time.
      const before = new Date(Date.parse(NOW) - 365 * DAY).toISOString();
      for (const id of pruned(it, 'all', before)) expect(pruned(it)).toContain(id);
    }),
  );
});

test('a session of the future does not age, nor does what was made in the future', () => {
  expect(plan(session(-300, [standard(-300), aggressive(-300)]))).toEqual({ create: [], prune: [] });
  expect(pruned(session(300, [standard(-10), aggressive(-10)]))).toEqual([]);
});

test('a clock behind the archive, or far ahead of it, deletes nothing', () => {
  expect(clockDoubt(NOW, { latest: daysAgo(0), last: daysAgo(1) })).toBeUndefined();
  expect(clockDoubt(NOW, { latest: daysAgo(-0.5), last: undefined })).toBeUndefined();
  expect(clockDoubt(NOW, { latest: daysAgo(-365), last: daysAgo(1) })).toMatch(/deletes nothing/);
  expect(clockDoubt(NOW, { latest: daysAgo(0), last: daysAgo(365) })).toMatch(/365 days/);
  expect(isMass(10, 10)).toBe(false);
  expect(isMass(21, 41)).toBe(true);
  expect(isMass(21, 43)).toBe(false);
});
