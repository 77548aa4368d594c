import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ROLE } from '../model/search.ts';
import { scopeOfSources } from './scope.ts';
import { rarityAmong, rarityInSessions } from './term-rarity.ts';
import type { SearchView } from './view.ts';

const DOCUMENTS = 4;
const run = fc.record({
  source: fc.nat({ max: DOCUMENTS }),
  lines: fc.array(fc.record({ role: fc.nat({ max: ROLE.other }), has: fc.boolean() }), {
    minLength: 1,
    maxLength: 90,
  }),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

/** An exchange a line; one term. */
function viewOf(all: Run[]): SearchView & { sourceCount: number } {
  const lines = all.flatMap(({ source, lines: own }) => own.map((one) => ({ source, ...one })));
  const runs = new Map<number, [number, number][]>();
  let first = 0;
  for (const { source, lines: own } of all) {
    runs.set(source, [...(runs.get(source) ?? []), [first, own.length]]);
    first += own.length;
  }
  const held = Uint32Array.from([...lines.keys()].filter((at) => lines[at]!.has));
  return {
    sourceCount: DOCUMENTS + 1,
    lineCount: lines.length,
    length: Uint16Array.from(lines, () => 1),
    role: Uint8Array.from(lines, ({ source, role }) => (source === DOCUMENTS ? ROLE.document : role)),
    flags: new Uint8Array(lines.length),
    exchange: Uint32Array.from(lines.keys()),
    source: Uint32Array.from(lines, ({ source }) => source),
    postings: (term) => ({
      lines: term === 'said' ? held : new Uint32Array(),
      counts: new Uint8Array(held.length).fill(1),
    }),
    runs: (source) => runs.get(source) ?? [],
  };
}

test('the rarity of a term in sessions is the same by ranges of lines and by each line', () => {
  const runs = fc.oneof(fc.array(run, { maxLength: 12 }), fc.array(run, { minLength: 70, maxLength: 90 }));
  fc.assert(
    fc.property(runs, fc.subarray([0, 1, 2, 3]), (all, sessions) => {
      const view = viewOf(all);
      const scope = scopeOfSources(view, (source) => sessions.includes(source));
      const [byLine, byStretch] = [rarityAmong(view, scope), rarityInSessions(view, scope, sessions)];
      for (const term of ['said', 'never']) expect(byStretch(term)).toBe(byLine(term));
      expect(byStretch('never')).toBe(1);
    }),
  );
});
