import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bm25, normalised } from './bm25.ts';
import type { Wanted } from './look-up.ts';
import { turnScope, turnScores } from './turn-scores.ts';
import type { SearchView } from './view.ts';
import { WEIGHTS } from './weights.ts';

const line = fc.record({
  source: fc.nat({ max: 3 }),
  role: fc.constantFrom(0, 1, 2, 255),
  length: fc.integer({ min: 5, max: 40 }),
  counts: fc.array(fc.nat({ max: 3 }), { minLength: 3, maxLength: 3 }),
});

function viewOf(lines: { source: number; role: number; length: number }[]): SearchView {
  return {
    lineCount: lines.length,
    length: Uint16Array.from(lines, (one) => one.length),
    role: Uint8Array.from(lines, (one) => one.role),
    flags: new Uint8Array(lines.length),
    // An exchange a line.
    exchange: Uint32Array.from(lines.keys()),
    source: Uint32Array.from(lines, (one) => one.source),
    postings: () => ({ lines: new Uint32Array(), counts: new Uint8Array() }),
    runs: () => [],
  };
}

describe('scores of turns', () => {
  it('are those of plain BM25 over turns and over sessions', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.nat({ max: 3 }), (lines, left) => {
        const view = viewOf(lines);
        const postings = [0, 1, 2].map((term) => {
          const held = [...lines.keys()].filter((at) => lines[at]!.counts[term]! > 0);
          const counts = Uint8Array.from(held, (at) => lines[at]!.counts[term]!);
          return { lines: Uint32Array.from(held), counts, weight: term === 1 ? 0.4 : 1 };
        });
        const wanted: Wanted[] = [[postings[0]!, postings[1]!], [postings[2]!]];
        const accept = (at: number) => lines[at]!.source !== left;
        const isTurn = (at: number) => lines[at]!.role <= 1 && accept(at);
        const { own, sessions } = turnScores(view, wanted, turnScope(view, accept));
        const turnOf = (at: number) => (isTurn(at) ? at : -1);
        const plain = normalised(bm25(view, wanted, lines.length, turnOf, WEIGHTS.turn));
        const sourceOf = (at: number) => (isTurn(at) ? lines[at]!.source : -1);
        const whole = normalised(bm25(view, wanted, sessions.score.length, sourceOf, WEIGHTS.session));
        for (const [at, score] of plain.score.entries()) expect(own.score[at]).toBeCloseTo(score, 10);
        for (const [at, score] of whole.score.entries()) expect(sessions.score[at]).toBeCloseTo(score, 10);
        expect(new Set(own.touched)).toEqual(new Set(plain.touched));
      }),
    );
  });
});
