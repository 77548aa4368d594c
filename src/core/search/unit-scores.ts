import { ROLE } from '../model/search.ts';
import { PerOwner } from '../text/per-owner.ts';
import { type Bm25, normalized, type Scores } from './bm25.ts';
import { longestOf, type WantedTerm } from './look-up.ts';
import { isSearchable, type LineScope } from './scope.ts';
import { type Held, roomFor, ScoreTally } from './tally.ts';
import type { SearchView } from './view.ts';

/** What is scored: lines, exchanges or sources; and how much a word of each role counts. */
export type Grain = { unit: 'line' | 'exchange' | 'source'; bm25: Bm25; worth: readonly number[] };

/** `of`: of lines what the index contains of them, which is not weighed yet. */
type Lengths = { of: Float64Array | Uint16Array; population: number; terms: number };

type Counting = {
  grain: Grain;
  lengths: Lengths;
  tally: ScoreTally;
  /** How often a unit has the current term. */
  counts: Float64Array;
  held: Held;
};

/** Lines that contain the current term and may be found, with their units. The first `size` of each array count. */
type Hits = Record<Grain['unit'], Uint32Array> & { counts: Uint8Array; size: number };

/**
 * BM25 of several grains, no two of the same unit, the best of each being 1; every posting is looked at once. A unit's count of
 * a term is the sum over its lines. Scores are lent: `putBack` them.
 */
export function unitScores(
  view: SearchView,
  wanted: WantedTerm[],
  scope: LineScope,
  grains: Grain[],
): Scores[] {
  const { role } = view;
  const most = longestOf(wanted);
  const lengths = lengthsOf(view, scope, grains);
  const all = grains.map((grain, at): Counting => {
    const own = lengths[at]!;
    const units = own.of.length;
    return {
      grain,
      lengths: own,
      tally: new ScoreTally(view, units, grain.bm25, own),
      counts: new Float64Array(grain.unit === 'line' ? 0 : units),
      held: roomFor(Math.min(most, units)),
    };
  });
  const hits: Hits = {
    line: new Uint32Array(most),
    exchange: new Uint32Array(most),
    source: new Uint32Array(most),
    counts: new Uint8Array(most),
    size: 0,
  };
  for (const word of wanted) {
    for (const term of word) {
      findHits(view, scope, term, hits);
      for (const one of all) {
        gather(one, hits, role);
        one.tally.take(one.held, term.weight, word.length === 1);
      }
    }
    for (const { tally } of all) tally.add();
  }
  return all.map(({ tally }) => normalized(tally.scores()));
}

/** As `isSearchable` has it. Most processes run this once: a function called for each line would take longer than all the rest. */
function findHits(view: SearchView, scope: LineScope, term: WantedTerm[number], hits: Hits): void {
  const { role, exchange, source } = view;
  const { plain } = scope;
  const isIn = plain ? undefined : isSearchable(view, scope);
  const sources = plain?.sources;
  const only = plain?.role ?? -1;
  const { line: lines, exchange: exchanges, source: ofSources, counts } = hits;
  const all = term.lines;
  let size = 0;
  for (let at = 0; at < all.length; at++) {
    const line = all[at]!;
    const inExchange = exchange[line]!;
    const inSource = source[inExchange]!;
    if (isIn) {
      if (!isIn(line)) continue;
    } else {
      if (only < 0 ? role[line]! >= ROLE.document : role[line] !== only) continue;
      if (sources && sources[inSource] !== 1) continue;
    }
    lines[size] = line;
    exchanges[size] = inExchange;
    ofSources[size] = inSource;
    counts[size++] = term.counts[at]!;
  }
  hits.size = size;
}

function gather(counting: Counting, hits: Hits, role: Uint8Array): void {
  const { grain, lengths, counts: inUnit, held } = counting;
  const { worth, unit: kind } = grain;
  if (kind === 'line') {
    gatherLines(counting, hits, role);
    return;
  }
  const units = hits[kind];
  const { line: lines, counts, size } = hits;
  let found = 0;
  for (let at = 0; at < size; at++) {
    const own = worth[role[lines[at]!]!]!;
    // A line that counts nothing holds nothing: it must not make a word more common either.
    if (own === 0) continue;
    const unit = units[at]!;
    if (inUnit[unit] === 0) held.units[found++] = unit;
    inUnit[unit]! += counts[at]! * own;
  }
  for (let at = 0; at < found; at++) {
    const unit = held.units[at]!;
    held.counts[at] = inUnit[unit]!;
    held.lengths[at] = lengths.of[unit]!;
    inUnit[unit] = 0;
  }
  held.size = found;
}

/** A line has its term once: nothing is to be summed up. */
function gatherLines(
  { grain: { worth }, lengths: { of }, held }: Counting,
  hits: Hits,
  role: Uint8Array,
): void {
  const { line: lines, counts, size } = hits;
  const { units, counts: heldCounts, lengths } = held;
  let found = 0;
  for (let at = 0; at < size; at++) {
    const line = lines[at]!;
    const own = worth[role[line]!]!;
    if (own === 0) continue;
    units[found] = line;
    heldCounts[found] = counts[at]! * own;
    lengths[found++] = of[line]! * own;
  }
  held.size = found;
}

/** By a column that each state of an index has of its own. */
const ofEverything = new PerOwner<Uint8Array, Map<Grain, Lengths>>();

/** A view does not change: what all of it comes to is counted once, however many questions it gets. */
function lengthsOf(view: SearchView, scope: LineScope, grains: Grain[]): Lengths[] {
  const isAll = scope.plain !== undefined && !scope.plain.sources && scope.plain.role === undefined;
  if (!isAll) return countLengths(view, scope, grains);
  const known = ofEverything.of(view.role, () => new Map());
  const missing = grains.filter((grain) => !known.has(grain));
  for (const [at, found] of countLengths(view, scope, missing).entries()) known.set(missing[at]!, found);
  return grains.map((grain) => known.get(grain)!);
}

/**
 * Looks at every line of the index, once for all grains. Nothing is called and nothing looked up for a line: most processes do this
 * once, before any of it is compiled.
 */
function countLengths(view: SearchView, scope: LineScope, grains: Grain[]): Lengths[] {
  if (grains.length === 0) return [];
  const { lineCount, length, role, exchange, source } = view;
  const { plain } = scope;
  const isIn = plain ? undefined : isSearchable(view, scope);
  const sources = plain?.sources;
  const only = plain?.role ?? -1;
  const [lines, exchanges, sourced] = UNITS.map((unit) => emptyLengths(view, unit, grains)) as [
    Counted,
    Counted,
    Counted,
  ];
  // What an exchange comes to is added to its session at the end, where both are weighed alike.
  const inSource = sourced && exchanges?.worth === sourced.worth ? undefined : sourced;
  let [population, all] = [0, 0];
  for (let at = 0; at < lineCount; at++) {
    const own = role[at]!;
    const ofExchange = exchange[at]!;
    const ofSource = source[ofExchange]!;
    if (isIn) {
      if (!isIn(at)) continue;
    } else {
      if (only < 0 ? own >= ROLE.document : own !== only) continue;
      if (sources && sources[ofSource] !== 1) continue;
    }
    const terms = length[at]!;
    if (terms === 0) continue;
    if (lines) {
      const weighed = terms * lines.worth[own]!;
      if (weighed > 0) population++;
      all += weighed;
    }
    if (exchanges) exchanges.of[ofExchange]! += terms * exchanges.worth[own]!;
    if (inSource) inSource.of[ofSource]! += terms * inSource.worth[own]!;
  }
  if (sourced && exchanges && !inSource)
    for (let at = 0; at < exchanges.of.length; at++) sourced.of[source[at]!]! += exchanges.of[at]!;
  return grains.map(({ unit }) =>
    unit === 'line'
      ? { of: length, population, terms: all }
      : summed({ exchange: exchanges, source: sourced }[unit]!.of),
  );
}

function summed(of: Float64Array): Lengths {
  let [population, terms] = [0, 0];
  for (let at = 0; at < of.length; at++) {
    const own = of[at]!;
    if (own === 0) continue;
    population++;
    terms += own;
  }
  return { of, population, terms };
}

const UNITS = ['line', 'exchange', 'source'] as const;
type Counted = { of: Float64Array; worth: readonly number[] } | undefined;

function emptyLengths(view: SearchView, unit: Grain['unit'], grains: Grain[]): Counted {
  const grain = grains.find((one) => one.unit === unit);
  return grain && { of: new Float64Array(unit === 'line' ? 0 : unitsOf(view, grain)), worth: grain.worth };
}

function unitsOf({ lineCount, source }: SearchView, { unit }: Grain): number {
  if (unit === 'line') return lineCount;
  if (unit === 'exchange') return source.length;
  let sources = 0;
  for (let at = 0; at < source.length; at++) if (source[at]! >= sources) sources = source[at]! + 1;
  return sources;
}
