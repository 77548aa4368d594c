import { countSearchable, type LineScope } from './scope.ts';
import { turnScope } from './turn-scores.ts';
import type { SearchView } from './view.ts';

/** In a memory of a few turns every word is common, so rarity is computed as if there were this many. */
const LEAST_TURNS = 300;
/** With more ranges it is quicker to check every line. */
const FEW_STRETCHES = 32;

/** How rare a term is: 1 for one that nobody said. */
export type TermRarity = (term: string) => number;

/** How rare a term is among the turns that may be found. */
export function rarityAmong(view: SearchView, scope: LineScope): TermRarity {
  return rarityBy(view, scope, (lines) => countSearchable(view, scope, lines));
}

/**
 * The same of all lines of these sessions, which lie together: where a stretch of lines begins and ends says enough, and no column of
 * the index is read. `scope` is that of the same sessions.
 */
export function rarityInSessions(
  view: SearchView,
  scope: LineScope,
  sessions: readonly number[],
): TermRarity {
  const stretches = stretchesOf(view, sessions);
  if (stretches.length > FEW_STRETCHES) return rarityAmong(view, scope);
  return rarityBy(view, scope, (lines) => {
    let held = 0;
    for (const [first, end] of stretches) held += placeOf(lines, end) - placeOf(lines, first);
    return held;
  });
}

function rarityBy(view: SearchView, scope: LineScope, held: (lines: Uint32Array) => number): TermRarity {
  const turns = Math.max(LEAST_TURNS, turnScope(view, scope).turns);
  const rarest = Math.log(1 + (turns + 0.5) / 0.5);
  const known = new Map<string, number>();
  return (term) => {
    const before = known.get(term);
    if (before !== undefined) return before;
    const found = held(view.postings(term).lines);
    const rarity = Math.log(1 + (Math.max(turns, found) - found + 0.5) / (found + 0.5)) / rarest;
    known.set(term, rarity);
    return rarity;
  };
}

/** Stretches of lines that belong to sources, from the first line of each to the one behind it. */
function stretchesOf(view: SearchView, sources: readonly number[]): [first: number, end: number][] {
  const runs = view.runsOf?.(sources) ?? new Map(sources.map((source) => [source, view.runs(source)]));
  const all = [...runs.values()].flat().sort(([a], [b]) => a - b);
  const stretches: [number, number][] = [];
  for (const [first, count] of all) {
    const last = stretches.at(-1);
    if (last && last[1] === first) last[1] += count;
    else stretches.push([first, first + count]);
  }
  return stretches;
}

/** How many of these ascending lines are before a line. */
function placeOf(lines: Uint32Array, line: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lines[middle]! < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
