import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Component,
  type ComposeForm,
  composeBodyOf,
  composeFormOf,
  composeProblem,
  composeQueryOf,
  moved,
  OUTPUT_FORMATS,
  RECOMPRESSIONS,
  recompressionOf,
  STRATEGIES,
  shareRest,
  versionOfPart,
  withPart,
} from './compose-form.ts';

const id = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((text) => text.isWellFormed());
const component: fc.Arbitrary<Component> = fc
  .record({
    projectId: id,
    sessionId: id,
    spec: fc.constantFrom('auto', 'original', 'part1_v002', 'part1_v001+part2_v003'),
    allocation: fc.option(fc.integer({ min: 1, max: 999_999 }), { nil: undefined }),
    recompression: fc.option(fc.constantFrom(...RECOMPRESSIONS), { nil: undefined }),
  })
  .map(({ allocation, recompression, ...rest }) => ({
    ...rest,
    ...(allocation === undefined ? {} : { allocation }),
    ...(recompression === undefined ? {} : { recompression }),
  }));
const form: fc.Arbitrary<ComposeForm> = fc.record({
  name: fc.string(),
  project: fc.string(),
  budget: fc.integer({ min: 1, max: 10_000_000 }),
  strategy: fc.constantFrom(...STRATEGIES),
  topic: fc.string(),
  format: fc.constantFrom(...OUTPUT_FORMATS),
  components: fc.array(component, { maxLength: 6 }),
});

test('an address leads back to the same composition', () => {
  fc.assert(
    fc.property(form, (values) => {
      expect(composeFormOf(composeQueryOf(values) as Record<string, string>)).toEqual(values);
    }),
  );
});

test('any address gives a form, and never one that breaks', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('sessions', 'budget', 'strategy', 'format'), fc.string()),
      (query) => {
        const read = composeFormOf(query);
        expect(read.budget).toBeGreaterThan(0);
        expect(composeFormOf(composeQueryOf(read) as Record<string, string>)).toEqual(read);
      },
    ),
  );
});

test('moving keeps every session and puts one in its new place', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { minLength: 1 }), fc.nat(20), fc.nat(20), (list, from, to) => {
      const after = moved(list, from, to);
      expect([...after].sort()).toEqual([...list].sort());
      if (from < list.length && to < list.length) expect(after[to]).toBe(list[from]);
    }),
  );
});

test('what is left is shared out whole, and nobody gets less than before while there is enough', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1 }),
      fc.nat(1_000_000),
      (used, rest) => {
        const shares = shareRest(rest, used);
        const sum = used.reduce((all, it) => all + it, 0);
        expect(shares.reduce((all, it) => all + it, 0)).toBeLessThanOrEqual(Math.max(rest, 0) + used.length);
        if (rest >= sum) expect(shares.every((share, at) => share >= (used[at] ?? 0))).toBe(true);
      },
    ),
  );
});

test('how a session was recompressed is the choice shown for it', () => {
  expect(recompressionOf({ level: 'light' })).toBe('light');
  expect(recompressionOf({ preset: 'gentle' })).toBe('gentle-tiers');
  expect(recompressionOf({})).toBeUndefined();
});

test('a version of one part leaves the other parts as they were', () => {
  const spec = withPart(withPart('auto', 2, 'part2_v003'), 1, 'part1_v001');
  expect(spec).toBe('part1_v001+part2_v003');
  expect(versionOfPart(spec, 2)).toBe('part2_v003');
  expect(withPart(spec, 1, 'auto')).toBe('part2_v003');
  expect(withPart('original', 1, 'auto')).toBe('auto');
});

test('what is recompressed is not asked for as a version too, and allocations count only by hand', () => {
  const values = composeFormOf({ sessions: 'p/a:part1_v001@500$light,p/b@700', strategy: 'equal' });
  expect(composeBodyOf(values)).toEqual({
    budget: 16_000,
    strategy: 'equal',
    format: 'both',
    sessions: ['a:auto', 'b:auto'],
    recompress: { a: { level: 'light' } },
  });
  expect(composeBodyOf({ ...values, strategy: 'manual' }).allocations).toEqual({ a: 500, b: 700 });
  expect(composeProblem({ ...values, strategy: 'manual', budget: 1000 })).toContain('1200');
});
