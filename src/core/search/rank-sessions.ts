import { ROLE } from '../model/search.ts';
import { best, type Scores } from './bm25.ts';
import { lookUp } from './look-up.ts';
import type { LineScope } from './scope.ts';
import { putBack } from './scratch.ts';
import { type Grain, unitScores } from './unit-scores.ts';
import type { SearchView } from './view.ts';
import { SEARCH_WEIGHTS } from './weights.ts';

export type RankedExchange = { exchange: number; score: number };
export type RankedSource = { source: number; exchange: number; score: number };

/** What the user says shows best what a session was about, a tool's line least. */
const WORTH: readonly number[] = Object.assign([1, 1, 1, 1], {
  [ROLE.user]: SEARCH_WEIGHTS.saidByUser,
  [ROLE.tool]: SEARCH_WEIGHTS.saidByTool,
  // A summary repeats what was said.
  [ROLE.other]: 0,
});
const ALIKE: readonly number[] = [1, 1, 1, 1];

const EXCHANGE: Grain = { unit: 'exchange', bm25: SEARCH_WEIGHTS.exchange, worth: WORTH };
const SOURCE: Grain = { unit: 'source', bm25: SEARCH_WEIGHTS.session, worth: WORTH };
const LINE: Grain = { unit: 'line', bm25: SEARCH_WEIGHTS.line, worth: ALIKE };

/** Exchanges, best first: every line of one counts, tool calls too. */
export function rankExchanges(
  view: SearchView,
  terms: string[],
  scope: LineScope,
  limit: number,
): RankedExchange[] {
  const [scores] = unitScores(view, lookUp(view, terms), scope, [EXCHANGE]) as [Scores];
  const ranked = best(scores, limit).map((exchange) => ({ exchange, score: scores.score[exchange]! }));
  putBack(view, scores);
  return ranked;
}

/** What speaks for a session besides its words, from 0 to 1 each; and words that weigh little: the files' names. */
export type SourceHints = { files: Map<number, number>; branch: Map<number, number>; words: string[] };

/** Sessions, best first, each with the exchange that speaks most for it. */
export function rankSources(
  view: SearchView,
  { terms, hints }: { terms: string[]; hints: SourceHints },
  scope: LineScope,
  limit: number,
): RankedSource[] {
  const known = new Set(terms);
  const names = hints.words.filter((word) => !known.has(word));
  const wanted = [...lookUp(view, terms), ...lookUp(view, names, SEARCH_WEIGHTS.fileName)];
  const all = unitScores(view, wanted, scope, [EXCHANGE, SOURCE, LINE]);
  const [exchanges, own, lines] = all as [Scores, Scores, Scores];
  const bestExchange = bestOfSource(exchanges, (exchange) => view.source[exchange]!);
  const bestLine = linesOfSources(view, lines);
  const found = new Set([...own.touched, ...hints.files.keys(), ...hints.branch.keys()]);
  const ranked = Array.from(found, (source) => {
    const exchange = bestExchange.get(source) ?? -1;
    const score =
      SEARCH_WEIGHTS.sessionOwn * own.score[source]! +
      SEARCH_WEIGHTS.sessionBestExchange * (exchange < 0 ? 0 : exchanges.score[exchange]!) +
      SEARCH_WEIGHTS.sessionBestLine * (bestLine.get(source) ?? 0) +
      SEARCH_WEIGHTS.files * (hints.files.get(source) ?? 0) +
      SEARCH_WEIGHTS.branch * (hints.branch.get(source) ?? 0);
    return { source, exchange, score };
  });
  for (const scores of all) putBack(view, scores);
  return ranked.sort((a, b) => b.score - a.score || a.source - b.source).slice(0, limit);
}

/** The best unit of each source. */
function bestOfSource({ score, touched }: Scores, sourceOf: (unit: number) => number): Map<number, number> {
  const found = new Map<number, number>();
  for (const unit of touched) {
    const source = sourceOf(unit);
    const before = found.get(source);
    if (before === undefined || score[unit]! > score[before]!) found.set(source, unit);
  }
  return found;
}

/** How good the best line of each source is, the best of all being 1. */
function linesOfSources(view: SearchView, { score, touched }: Scores): Map<number, number> {
  const { role, exchange, source } = view;
  const found = new Map<number, number>();
  let most = 0;
  for (const line of touched) {
    const own = score[line]! * WORTH[role[line]!]!;
    const of = source[exchange[line]!]!;
    if (own > (found.get(of) ?? 0)) found.set(of, own);
    if (own > most) most = own;
  }
  for (const [of, own] of found) found.set(of, own / most);
  return found;
}
