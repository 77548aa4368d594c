import { ROLE, ROLES } from '../model/search.ts';
import { normalized, type Scores } from './bm25.ts';
import { longestOf, type WantedTerm } from './look-up.ts';
import type { LineScope } from './scope.ts';
import { roomFor, ScoreTally } from './tally.ts';
import { totalsOf } from './totals.ts';
import type { SearchView } from './view.ts';
import { SEARCH_WEIGHTS } from './weights.ts';

/** The turns that may be found, and their lengths. */
export type TurnScope = {
  /** 1 where lines of a role are such turns. */
  roles: Uint8Array;
  /** 1 where turns of a source are. */
  sources: Uint8Array;
  /** 1 for each line that may match; undefined if role and source are enough. */
  only: Uint8Array | undefined;
  turns: number;
  /** Terms of all of them. */
  terms: number;
  /** Terms of a source's turns. */
  ofSource: Float64Array;
  /** Sources that have any. */
  population: number;
};

/** `tools`: tool calls are looked for, which are no turns otherwise. */
export function turnScope(view: SearchView, scope: LineScope, tools = false): TurnScope {
  const totals = totalsOf(view);
  const roles = new Uint8Array(256);
  const { plain } = scope;
  if (plain?.role !== undefined) roles[plain.role] = 1;
  else roles.fill(1, ROLE.user, (tools ? ROLE.tool : ROLE.assistant) + 1);
  const found: TurnScope = {
    roles,
    sources: plain?.sources ?? new Uint8Array(totals.sources).fill(1),
    only: undefined,
    turns: 0,
    terms: 0,
    ofSource: new Float64Array(totals.sources),
    population: 0,
  };
  if (plain) {
    for (let source = 0; source < totals.sources; source++) {
      if (found.sources[source] !== 1) continue;
      for (let role = 0; role < ROLES; role++) {
        if (roles[role] === 0) continue;
        found.turns += totals.lines[ROLES * source + role]!;
        found.ofSource[source]! += totals.terms[ROLES * source + role]!;
      }
      found.terms += found.ofSource[source]!;
    }
  } else scanLines(view, scope, found);
  for (const terms of found.ofSource) if (terms > 0) found.population++;
  return found;
}

function scanLines(view: SearchView, { accept }: LineScope, found: TurnScope): void {
  const { lineCount, role, length, exchange, source } = view;
  const only = new Uint8Array(lineCount);
  found.only = only;
  for (let line = 0; line < lineCount; line++) {
    if (found.roles[role[line]!] === 0 || !accept(line)) continue;
    only[line] = 1;
    found.turns++;
    found.terms += length[line]!;
    found.ofSource[source[exchange[line]!]!]! += length[line]!;
  }
}

/** Whether a line is one of the turns. */
export function turnTest(view: SearchView, scope: TurnScope): (line: number) => boolean {
  const { role, exchange, source } = view;
  const { roles, sources, only } = scope;
  return (line) =>
    only !== undefined
      ? only[line] === 1
      : roles[role[line]!] === 1 && sources[source[exchange[line]!]!] === 1;
}

/**
 * BM25 of turns and of their sessions, the best of each being 1; every posting is looked at once for both.
 * Scores are lent: `putBack` them.
 */
export function turnScores(
  view: SearchView,
  wanted: WantedTerm[],
  scope: TurnScope,
): { own: Scores; sessions: Scores } {
  const { length, role, exchange, source } = view;
  const { roles, sources, only, ofSource } = scope;
  const turns = roomFor(longestOf(wanted));
  const holders = roomFor(ofSource.length);
  const inSource = new Float64Array(ofSource.length);
  const own = new ScoreTally(view, view.lineCount, SEARCH_WEIGHTS.turn, {
    population: scope.turns,
    terms: scope.terms,
  });
  const sessions = new ScoreTally(view, ofSource.length, SEARCH_WEIGHTS.session, scope);
  for (const word of wanted) {
    const alone = word.length === 1;
    for (const { lines, counts, weight } of word) {
      let size = 0;
      let held = 0;
      for (let at = 0; at < lines.length; at++) {
        const line = lines[at]!;
        if (only === undefined ? roles[role[line]!] === 0 : only[line] === 0) continue;
        const of = source[exchange[line]!]!;
        if (sources[of] !== 1) continue;
        const count = counts[at]!;
        turns.units[size] = line;
        turns.lengths[size] = length[line]!;
        turns.counts[size++] = count;
        if (inSource[of] === 0) holders.units[held++] = of;
        inSource[of]! += count;
      }
      turns.size = size;
      own.take(turns, weight, alone);
      for (let at = 0; at < held; at++) {
        const of = holders.units[at]!;
        holders.counts[at] = inSource[of]!;
        holders.lengths[at] = ofSource[of]!;
        inSource[of] = 0;
      }
      holders.size = held;
      sessions.take(holders, weight, alone);
    }
    own.add();
    sessions.add();
  }
  return { own: normalized(own.scores()), sessions: normalized(sessions.scores()) };
}
