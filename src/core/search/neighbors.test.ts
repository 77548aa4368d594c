import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withNeighbors } from './neighbors.ts';
import type { SearchView } from './view.ts';

/** Lines of sessions that grew by turns, so that each has several runs. */
const grown = fc.array(fc.record({ source: fc.nat({ max: 2 }), open: fc.boolean() }), { maxLength: 40 });

function viewOf(lines: { source: number }[]): SearchView {
  return {
    lineCount: lines.length,
    length: new Uint16Array(lines.length),
    role: new Uint8Array(lines.length),
    flags: new Uint8Array(lines.length),
    exchange: Uint32Array.from(lines.keys()),
    source: Uint32Array.from(lines, (one) => one.source),
    postings: () => ({ lines: new Uint32Array(), counts: new Uint8Array() }),
    runs: (source) => {
      const runs: [number, number][] = [];
      for (const [at, one] of lines.entries()) {
        const last = runs.at(-1);
        if (one.source !== source) continue;
        if (last && last[0] + last[1] === at) last[1]++;
        else runs.push([at, 1]);
      }
      return runs;
    },
  };
}

describe('neighbours', () => {
  it("are the session's own turns before and after, however its lines came in", () => {
    fc.assert(
      fc.property(grown, (lines) => {
        const open = Uint8Array.from(lines, (one) => Number(one.open));
        const wanted = [...lines.keys()].filter((at) => open[at] === 1);
        const found = withNeighbors(viewOf(lines), wanted, (at) => open[at] === 1);
        expect([...found.keys()].sort((a, b) => a - b)).toEqual(wanted);
        for (const [line, around] of found) {
          const session = wanted.filter((at) => lines[at]!.source === lines[line]!.source);
          const place = session.indexOf(line);
          expect(around).toEqual([-2, -1, 0, 1, 2].map((offset) => session[place + offset] ?? -1));
        }
      }),
    );
  });
});
