import { ROLE } from '../model/search.ts';
import { PerOwner } from '../text/per-owner.ts';
import { type Bm25, normalized, type Scores } from './bm25.ts';
import { longestOf, type WantedTerm } from './look-up.ts';
import { isSearchable, type LineScope } from './scope.ts';
import { type Held, roomFor, ScoreTally } from './tally.ts';
import type { SearchView } from './view.ts';

/** What is scored: lines, exchanges or sources; and how much a word of each role counts. */
export type Grain = { unit: 'line' | 'exchange' | 'source'; bm25: Bm25; worth: readonly number[] };

type Lengths = { of: Float64Array; population: number; terms: number };

type Counting = {
  grain: Grain;
  unitOf: (line: number) => number;
  lengths: Lengths;
  tally: ScoreTally;
  /** How often a unit has the term at hand. */
  counts: Float64Array;
  held: Held;
};

/**
 * BM25 of several grains, the best of each being 1; every posting is looked at once. A unit's count of a term is the
 * sum over its lines. Scores are lent: `putBack` them.
 */
export function unitScores(
  view: SearchView,
  wanted: WantedTerm[],
  scope: LineScope,
  grains: Grain[],
): Scores[] {
  const { role } = view;
  const isIn = isSearchable(view, scope);
  const most = longestOf(wanted);
  const all = grains.map((grain): Counting => {
    const lengths = lengthsOf(view, scope, grain);
    const units = lengths.of.length;
    return {
      grain,
      unitOf: unitOf(view, grain),
      lengths,
      tally: new ScoreTally(view, units, grain.bm25, lengths),
      counts: new Float64Array(units),
      held: roomFor(Math.min(most, units)),
    };
  });
  const lines = new Uint32Array(most);
  const counts = new Uint8Array(most);
  for (const word of wanted) {
    for (const term of word) {
      let size = 0;
      for (let at = 0; at < term.lines.length; at++) {
        if (!isIn(term.lines[at]!)) continue;
        lines[size] = term.lines[at]!;
        counts[size++] = term.counts[at]!;
      }
      for (const one of all) {
        gather(one, { lines, counts, size }, role);
        one.tally.take(one.held, term.weight, word.length === 1);
      }
    }
    for (const { tally } of all) tally.add();
  }
  return all.map(({ tally }) => normalized(tally.scores()));
}

function gather(
  { grain, unitOf, lengths, counts: inUnit, held }: Counting,
  { lines, counts, size }: { lines: Uint32Array; counts: Uint8Array; size: number },
  role: Uint8Array,
): void {
  const { worth } = grain;
  let found = 0;
  for (let at = 0; at < size; at++) {
    const line = lines[at]!;
    const unit = unitOf(line);
    if (inUnit[unit] === 0) held.units[found++] = unit;
    inUnit[unit]! += counts[at]! * worth[role[line]!]!;
  }
  for (let at = 0; at < found; at++) {
    const unit = held.units[at]!;
    held.counts[at] = inUnit[unit]!;
    held.lengths[at] = lengths.of[unit]!;
    inUnit[unit] = 0;
  }
  held.size = found;
}

function unitOf({ exchange, source }: SearchView, { unit }: Grain): (line: number) => number {
  if (unit === 'line') return (line) => line;
  if (unit === 'exchange') return (line) => exchange[line]!;
  return (line) => source[exchange[line]!]!;
}

/** By a column that each state of an index has of its own. */
const ofEverything = new PerOwner<Uint8Array, Map<Grain, Lengths>>();

/** A view does not change: what all of it comes to is counted once, however many questions it gets. */
function lengthsOf(view: SearchView, scope: LineScope, grain: Grain): Lengths {
  const isAll = scope.plain !== undefined && !scope.plain.sources && scope.plain.role === undefined;
  if (!isAll) return countLengths(view, scope, grain);
  const known = ofEverything.of(view.role, () => new Map());
  const found = known.get(grain) ?? countLengths(view, scope, grain);
  known.set(grain, found);
  return found;
}

/** Looks at every line of the index: no function is called for one where source and role decide. */
function countLengths(view: SearchView, scope: LineScope, grain: Grain): Lengths {
  const { lineCount, length, role, exchange, source } = view;
  const { unit, worth } = grain;
  const { plain } = scope;
  const isIn = plain ? undefined : isSearchable(view, scope);
  const of = new Float64Array(unitsOf(view, grain));
  let terms = 0;
  for (let line = 0; line < lineCount; line++) {
    const own = role[line]!;
    const ofSource = source[exchange[line]!]!;
    if (plain) {
      if (plain.role === undefined ? own >= ROLE.document : own !== plain.role) continue;
      if (plain.sources && plain.sources[ofSource] !== 1) continue;
    } else if (!isIn!(line)) continue;
    const weighed = length[line]! * worth[own]!;
    of[unit === 'line' ? line : unit === 'exchange' ? exchange[line]! : ofSource]! += weighed;
    terms += weighed;
  }
  let population = 0;
  for (let at = 0; at < of.length; at++) if (of[at]! > 0) population++;
  return { of, population, terms };
}

function unitsOf({ lineCount, source }: SearchView, { unit }: Grain): number {
  if (unit === 'line') return lineCount;
  if (unit === 'exchange') return source.length;
  let sources = 0;
  for (let at = 0; at < source.length; at++) if (source[at]! >= sources) sources = source[at]! + 1;
  return sources;
}
