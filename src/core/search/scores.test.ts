import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainBm25 } from '../../../test/made/plain-bm25.ts';
import { ROLE } from '../model/search.ts';
import { best, type Scores } from './bm25.ts';
import type { WantedTerm } from './look-up.ts';
import type { LineScope } from './scope.ts';
import { putBack } from './scratch.ts';
import { turnScope, turnScores } from './turn-scores.ts';
import { type Grain, unitScores } from './unit-scores.ts';
import type { SearchView } from './view.ts';
import { SEARCH_WEIGHTS } from './weights.ts';

const line = fc.record({
  source: fc.nat({ max: 3 }),
  role: fc.constantFrom(0, 1, 2, 3, 255),
  length: fc.integer({ min: 5, max: 40 }),
  counts: fc.array(fc.nat({ max: 3 }), { minLength: 3, maxLength: 3 }),
});
type Line = typeof line extends fc.Arbitrary<infer T> ? T : never;

/** Every two lines of a source that follow each other are an exchange. */
function viewOf(lines: Line[]): SearchView {
  const source: number[] = [];
  const exchange = lines.map((one, at) => {
    const goesOn = at % 2 === 1 && lines[at - 1]!.source === one.source;
    return goesOn ? source.length - 1 : source.push(one.source) - 1;
  });
  return {
    lineCount: lines.length,
    length: Uint16Array.from(lines, (one) => one.length),
    role: Uint8Array.from(lines, (one) => one.role),
    flags: new Uint8Array(lines.length),
    exchange: Uint32Array.from(exchange),
    source: Uint32Array.from(source),
    postings: () => ({ lines: new Uint32Array(), counts: new Uint8Array() }),
    runs: () => [],
  };
}

/** A word with a second term that represents it, and a word of one term. */
function wantedIn(lines: Line[]): WantedTerm[] {
  const [first, second, third] = [0, 1, 2].map((term) => {
    const held = [...lines.keys()].filter((at) => lines[at]!.counts[term]! > 0);
    const counts = Uint8Array.from(held, (at) => lines[at]!.counts[term]!);
    return { lines: Uint32Array.from(held), counts, weight: term === 1 ? 0.4 : 1 };
  });
  return [[first!, second!], [third!]];
}

/** The same scope in both ways of saying it, and one that only a line tells. */
const scopes = (left: number, role: number | undefined, lines: Line[]): LineScope[] => {
  const sources = Uint8Array.from([0, 1, 2, 3], (source) => Number(source !== left));
  const accept = (at: number) =>
    lines[at]!.source !== left && (role === undefined || lines[at]!.role === role);
  const plain = role === undefined ? { sources } : { sources, role };
  return [{ accept }, { accept, plain }, { accept: (at) => accept(at) && at % 3 > 0 }];
};

function expectScores(view: SearchView, scores: Scores, plain: Map<number, number>): void {
  const { score, touched } = scores;
  expect([...touched].sort((a, b) => a - b)).toEqual([...plain.keys()].sort((a, b) => a - b));
  for (const [unit, own] of plain) expect(score[unit]).toBeCloseTo(own, 10);
  putBack(view, scores);
}

const fixtures = [
  fc.array(line, { maxLength: 30 }),
  fc.nat({ max: 4 }),
  fc.constantFrom(undefined, ROLE.user),
] as const;

describe('scores', () => {
  it('of turns and of their sessions are those of plain BM25', () => {
    fc.assert(
      fc.property(...fixtures, (lines, left, role) => {
        const view = viewOf(lines);
        const wanted = wantedIn(lines);
        for (const scope of scopes(left, role, lines)) {
          const isTurn = (at: number) => lines[at]!.role <= ROLE.assistant && scope.accept(at);
          const plain = (unitOf: (at: number) => number) =>
            lines.map(({ length }, at) => ({ length, worth: 1, unit: isTurn(at) ? unitOf(at) : -1 }));
          const found = turnScores(view, wanted, turnScope(view, scope));
          expectScores(
            view,
            found.own,
            plainBm25(
              plain((at) => at),
              wanted,
              SEARCH_WEIGHTS.turn,
            ),
          );
          expectScores(
            view,
            found.sessions,
            plainBm25(
              plain((at) => lines[at]!.source),
              wanted,
              SEARCH_WEIGHTS.session,
            ),
          );
        }
      }),
    );
  });

  it.each([
    { worth: [3, 1, 0.5, 1] },
    // What counts nothing is not there: it makes no word more common.
    { worth: [3, 1, 0.5, 0] },
  ])(
    'of lines, exchanges and sources are those of plain BM25, each role at its worth: $worth',
    ({ worth }) => {
      const grains: Grain[] = (['line', 'exchange', 'source'] as const).map((unit) => ({
        unit,
        bm25: SEARCH_WEIGHTS.exchange,
        worth,
      }));
      fc.assert(
        fc.property(...fixtures, (lines, left, role) => {
          const view = viewOf(lines);
          const wanted = wantedIn(lines);
          const units = [
            (at: number) => at,
            (at: number) => view.exchange[at]!,
            (at: number) => lines[at]!.source,
          ];
          const all: LineScope = { accept: () => true, plain: {} };
          for (const scope of [all, ...scopes(left, role, lines)]) {
            const isOpen = (at: number) => lines[at]!.role !== ROLE.removed && scope.accept(at);
            for (const [place, scores] of unitScores(view, wanted, scope, grains).entries()) {
              const expected = lines.map(({ length, role: by }, at) => ({
                length,
                worth: worth[by] ?? 0,
                unit: isOpen(at) && worth[by] !== 0 ? units[place]!(at) : -1,
              }));
              expectScores(view, scores, plainBm25(expected, wanted, SEARCH_WEIGHTS.exchange));
            }
          }
        }),
      );
    },
  );

  it('give the best first, equal ones by their numbers, as sorting all of them would', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 5 })), fc.nat({ max: 12 }), (values, limit) => {
        const touched = [...values.keys()].filter((unit) => values[unit]! > 0).reverse();
        const order = touched.toSorted((a, b) => values[b]! - values[a]! || a - b);
        expect(best({ score: Float64Array.from(values), touched: Uint32Array.from(touched) }, limit)).toEqual(
          order.slice(0, limit),
        );
      }),
    );
  });
});
