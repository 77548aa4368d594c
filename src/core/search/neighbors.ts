import type { SearchView } from './view.ts';

/** A turn and the two before and after it in its session; -1 if there is none. */
export type Neighborhood = [number, number, number, number, number];

/** Turns and those up to two places beside them, each with its own neighbors. Neighbors never cross a session. */
export function withNeighbors(
  view: SearchView,
  lines: number[],
  isOpen: (line: number) => boolean,
): Map<number, Neighborhood> {
  const beside = walker(view, isOpen);
  const found = new Map<number, Neighborhood>();
  for (const line of lines) {
    const before = beside(line, -1);
    const after = beside(line, 1);
    const near = [
      before < 0 ? -1 : beside(before, -1),
      before,
      line,
      after,
      after < 0 ? -1 : beside(after, 1),
    ];
    for (const turn of near) {
      if (turn < 0 || found.has(turn)) continue;
      const previous = beside(turn, -1);
      const next = beside(turn, 1);
      const second = previous < 0 ? -1 : beside(previous, -1);
      found.set(turn, [second, previous, turn, next, next < 0 ? -1 : beside(next, 1)]);
    }
  }
  return found;
}

/** Goes to the next turn of the same session; only where a run of its lines ends are the runs asked for. */
function walker(view: SearchView, isOpen: (line: number) => boolean): (line: number, way: 1 | -1) => number {
  const { exchange, source, lineCount } = view;
  const runs = new Map<number, [number, number][]>();
  const known = [new Map<number, number>(), new Map<number, number>()] as const;
  const jump = (own: number, last: number, way: 1 | -1): number => {
    let all = runs.get(own);
    if (!all) {
      all = view.runs(own);
      runs.set(own, all);
    }
    const place = all.findIndex(([first, count]) => last >= first && last < first + count);
    const next = place < 0 ? undefined : all[place + way];
    if (!next) return -1;
    return way === 1 ? next[0] : next[0] + next[1] - 1;
  };
  const walk = (line: number, way: 1 | -1): number => {
    const own = source[exchange[line]!]!;
    let last = line;
    for (;;) {
      let at = last + way;
      if (at < 0 || at >= lineCount || source[exchange[at]!] !== own) at = jump(own, last, way);
      if (at < 0 || isOpen(at)) return at;
      last = at;
    }
  };
  return (line, way) => {
    const memory = known[way === 1 ? 1 : 0];
    let found = memory.get(line);
    if (found === undefined) {
      found = walk(line, way);
      memory.set(line, found);
    }
    return found;
  };
}
