import { ROLE } from '../model/search.ts';
import { best, bm25, normalised, type Scores, type UnitOf, type WorthOf } from './bm25.ts';
import { lookUp, type Wanted } from './look-up.ts';
import type { SearchView } from './view.ts';
import { WEIGHTS } from './weights.ts';

export type RankedExchange = { exchange: number; score: number };
export type RankedSource = { source: number; exchange: number; score: number };
type Accept = (line: number) => boolean;

/** Exchanges, best first: every line of one counts, tool calls too. */
export function rankExchanges(
  view: SearchView,
  terms: string[],
  accept: Accept,
  limit: number,
): RankedExchange[] {
  const scores = exchangeScores(view, lookUp(view, terms), accept);
  return best(scores, limit).map((exchange) => ({ exchange, score: scores.score[exchange]! }));
}

function exchangeScores(view: SearchView, wanted: Wanted[], accept: Accept): Scores {
  const { exchange } = view;
  const unit = standing(view, accept, (line) => exchange[line]!);
  return normalised(bm25(view, wanted, view.source.length, unit, WEIGHTS.exchange, worthOf(view)));
}

/** What speaks for a session besides its words, from 0 to 1 each; and words that weigh little: the files' names. */
export type SourceHints = { files: Map<number, number>; branch: Map<number, number>; words: string[] };

/** Sessions, best first, each with the exchange that speaks most for it. */
export function rankSources(
  view: SearchView,
  terms: string[],
  accept: Accept,
  hints: SourceHints,
  limit: number,
): RankedSource[] {
  const known = new Set(terms);
  const names = hints.words.filter((word) => !known.has(word));
  const wanted = [...lookUp(view, terms), ...lookUp(view, names, WEIGHTS.fileName)];
  const exchanges = exchangeScores(view, wanted, accept);
  const own = sourceScores(view, wanted, accept);
  const lines = lineScores(view, wanted, accept);
  const bestExchange = new Map<number, number>();
  for (const exchange of exchanges.touched) {
    const source = view.source[exchange]!;
    const before = bestExchange.get(source);
    if (before === undefined || exchanges.score[exchange]! > exchanges.score[before]!)
      bestExchange.set(source, exchange);
  }
  const all = new Set([...own.touched, ...hints.files.keys(), ...hints.branch.keys()]);
  const ranked = [...all].map((source) => {
    const exchange = bestExchange.get(source) ?? -1;
    const score =
      WEIGHTS.sessionOwn * own.score[source]! +
      WEIGHTS.sessionBestExchange * (exchange < 0 ? 0 : exchanges.score[exchange]!) +
      WEIGHTS.sessionBestLine * (lines.get(source) ?? 0) +
      WEIGHTS.files * (hints.files.get(source) ?? 0) +
      WEIGHTS.branch * (hints.branch.get(source) ?? 0);
    return { source, exchange, score };
  });
  return ranked.sort((a, b) => b.score - a.score || a.source - b.source).slice(0, limit);
}

function sourceScores(view: SearchView, wanted: Wanted[], accept: Accept): Scores {
  const { exchange, source } = view;
  let sources = 0;
  for (const one of source) sources = Math.max(sources, one + 1);
  const unit = standing(view, accept, (line) => source[exchange[line]!]!);
  return normalised(bm25(view, wanted, sources, unit, WEIGHTS.session, worthOf(view)));
}

/** The best line of each source. */
function lineScores(view: SearchView, wanted: Wanted[], accept: Accept): Map<number, number> {
  const { exchange, source } = view;
  const unit = standing(view, accept, (line) => line);
  const worth = worthOf(view);
  const { score, touched } = bm25(view, wanted, view.lineCount, unit, WEIGHTS.line);
  for (const line of touched) score[line]! *= worth(line);
  normalised({ score, touched });
  const bestOf = new Map<number, number>();
  for (const line of touched) {
    const of = source[exchange[line]!]!;
    if (score[line]! > (bestOf.get(of) ?? 0)) bestOf.set(of, score[line]!);
  }
  return bestOf;
}

function standing(view: SearchView, accept: Accept, unitOf: UnitOf): UnitOf {
  const { role } = view;
  return (line) => (role[line] !== ROLE.removed && accept(line) ? unitOf(line) : -1);
}

/** What the user says tells most of what a session was about, a tool's line least. */
function worthOf(view: SearchView): WorthOf {
  const { role } = view;
  const worth = new Float64Array(256).fill(1);
  worth[ROLE.user] = WEIGHTS.saidByUser;
  worth[ROLE.tool] = WEIGHTS.saidByTool;
  return (line) => worth[role[line]!]!;
}
