import { ROLE } from '../model/search.ts';
import { best, bm25, normalised, type Scores } from './bm25.ts';
import type { SearchView } from './view.ts';
import { WEIGHTS } from './weights.ts';

export type RankedExchange = { exchange: number; score: number };
export type RankedSource = { source: number; exchange: number; score: number };

/** Exchanges, best first: every line of one counts, tool calls too. */
export function rankExchanges(
  view: SearchView,
  terms: string[],
  accept: (line: number) => boolean,
  limit: number,
): RankedExchange[] {
  const scores = exchangeScores(view, terms, accept);
  return best(scores, limit).map((exchange) => ({ exchange, score: scores.score[exchange]! }));
}

function exchangeScores(view: SearchView, terms: string[], accept: (line: number) => boolean): Scores {
  const unit = (line: number) =>
    view.role[line] !== ROLE.removed && accept(line) ? view.exchange[line]! : -1;
  return normalised(bm25(view, terms, view.source.length, unit, WEIGHTS.exchange));
}

/** What speaks for a session besides its words, from 0 to 1 each. */
export type SourceHints = { files: Map<number, number>; branch: Map<number, number> };

/** Sessions, best first, each with the exchange that speaks most for it. */
export function rankSources(
  view: SearchView,
  terms: string[],
  accept: (line: number) => boolean,
  hints: SourceHints,
  limit: number,
): RankedSource[] {
  const exchanges = exchangeScores(view, terms, accept);
  let sources = 0;
  for (const source of view.source) sources = Math.max(sources, source + 1);
  const unit = (line: number) =>
    view.role[line] !== ROLE.removed && accept(line) ? view.source[view.exchange[line]!]! : -1;
  const own = normalised(bm25(view, terms, sources, unit, WEIGHTS.session));
  const bestExchange = new Map<number, number>();
  for (const exchange of exchanges.touched) {
    const source = view.source[exchange]!;
    const known = bestExchange.get(source);
    if (known === undefined || exchanges.score[exchange]! > exchanges.score[known]!)
      bestExchange.set(source, exchange);
  }
  const all = new Set([...own.touched, ...hints.files.keys(), ...hints.branch.keys()]);
  const ranked = [...all].map((source) => {
    const exchange = bestExchange.get(source) ?? -1;
    const score =
      WEIGHTS.sessionOwn * own.score[source]! +
      WEIGHTS.sessionBestExchange * (exchange < 0 ? 0 : exchanges.score[exchange]!) +
      WEIGHTS.files * (hints.files.get(source) ?? 0) +
      WEIGHTS.branch * (hints.branch.get(source) ?? 0);
    return { source, exchange, score };
  });
  return ranked.sort((a, b) => b.score - a.score || a.source - b.source).slice(0, limit);
}
