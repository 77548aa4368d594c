import { ROLE } from '../../core/model/search.ts';
import type { Query } from '../../core/search/query.ts';
import { type RankedSource, rankExchanges, rankSources } from '../../core/search/rank-sessions.ts';
import { rankTurns } from '../../core/search/rank-turns.ts';
import { CANDIDATES, SEARCH_WEIGHTS } from '../../core/search/weights.ts';
import type { IndexView, SourceRow } from '../../ports/search-index.ts';
import { bestLines, firstLine } from './best-lines.ts';
import type { Scope, SourceRows } from './filters.ts';
import type { SearchRequest } from './request.ts';

/** Candidates beyond those wanted. */
export const SPARE = 20;
/** Candidates that are looked at when only their text shows which of them fit. */
export const PICKY = 20_000;

/** A line that may be a hit, or represents an exchange or session that is one. */
export type Found = { line: number; score: number };

/** Equal scores in an order that does not depend on how things came into the index, found out when it is their turn. */
export function* inStableOrder(
  view: IndexView,
  ranked: Iterable<Found>,
  sources: SourceRows,
): Generator<Found> {
  const key = ({ line }: Found) => {
    const row = sources.get(view.source[view.exchange[line]!]!);
    return `${row?.project}/${row?.kind}/${row?.name}`;
  };
  const sorted = [...ranked].sort((a, b) => b.score - a.score || a.line - b.line);
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1;
    while (sorted[to]?.score === sorted[from]!.score) to++;
    if (to === from + 1) yield sorted[from]!;
    else {
      const equal = sorted.slice(from, to).map((found) => ({ found, key: key(found) }));
      equal.sort((a, b) => compared(a.key, b.key) || a.found.line - b.found.line);
      for (const { found } of equal) yield found;
    }
    from = to;
  }
}

/** The lines to show for what fits a query; where nothing is asked, the newest. */
export function rankLines(
  view: IndexView,
  request: Pick<SearchRequest, 'grain' | 'filters'> & { limit: number },
  query: Pick<Query, 'text' | 'terms'>,
  scope: Scope,
): Iterable<Found> {
  const { text, terms } = query;
  const { limit } = request;
  // No words, only filters: the newest.
  const hinted = request.grain === 'session' && scope.hints.files.size > 0;
  if (terms.length === 0 && !hinted) {
    const last = request.filters?.role === 'tool' ? ROLE.tool : ROLE.assistant;
    // With phrases every line is looked at: only its text shows whether it fits.
    const unitOf = unitNumbers(view, limit >= PICKY ? 'turn' : (request.grain ?? 'turn'));
    return newest(view, scope, { limit, last, unitOf });
  }
  switch (request.grain ?? 'turn') {
    case 'turn':
      return turnsFor(view, query, scope, {
        tools: request.filters?.role === 'tool',
        candidates: Math.max(CANDIDATES, 2 * limit),
      });
    case 'exchange': {
      const ranked = rankExchanges(view, terms, scope, limit);
      const lines = bestLines(
        view,
        ranked.map(({ exchange }) => exchange),
        terms,
        scope.accept,
      );
      return ranked.map(({ exchange, score }) => ({ line: lines.get(exchange) ?? -1, score }));
    }
    case 'session': {
      // A commit's subject may begin as a question does.
      const asks = /[?？]\s*$/.test(text) && scope.hints.files.size === 0;
      const sessions = rankSources(view, { terms, hints: scope.hints }, scope, view.sourceCount);
      const turns = terms.length === 0 ? [] : turnsFor(view, query, scope);
      const ranked = withBestTurns(view, sessions, turns, asks).slice(0, limit);
      const lines = bestLines(
        view,
        ranked.map(({ exchange }) => exchange),
        [...terms, ...scope.hints.words],
        scope.accept,
      );
      const lineOf = ({ source, exchange }: (typeof ranked)[number]) =>
        exchange < 0 ? firstLine(view, source, scope.accept) : (lines.get(exchange) ?? -1);
      return ranked.map((one) => ({ line: lineOf(one), score: one.score })).filter(({ line }) => line >= 0);
    }
  }
}

function turnsFor(
  view: IndexView,
  { text, terms }: Pick<Query, 'text' | 'terms'>,
  { accept, plain }: Scope,
  more: { tools?: boolean; candidates?: number } = {},
): Found[] {
  const times = (lines: number[]) => view.places(lines).map((place) => place.ts);
  return rankTurns(view, { text, terms, accept, plain, times, ...more });
}

/** Sessions by their own score and by their best turn's: a question is answered by a turn, and so half each. */
function withBestTurns(
  view: IndexView,
  sessions: RankedSource[],
  turns: Found[],
  asks: boolean,
): RankedSource[] {
  const bestOf = new Map<number, number>();
  for (const { line, score } of turns) {
    const source = view.source[view.exchange[line]!]!;
    bestOf.set(source, Math.max(bestOf.get(source) ?? 0, score));
  }
  const most = Math.max(...bestOf.values(), 0) || 1;
  const top = sessions[0]?.score || 1;
  const [own, turn] = asks ? [0.5 / top, 0.5] : [1, SEARCH_WEIGHTS.sessionBestTurn];
  return sessions
    .map((one) => ({ ...one, score: turn * ((bestOf.get(one.source) ?? 0) / most) + own * one.score }))
    .sort((a, b) => b.score - a.score || a.source - b.source);
}

/** The newest line of each turn, exchange or session. */
function* newest(
  view: IndexView,
  scope: Scope,
  { limit, last, unitOf }: { limit: number; last: number; unitOf: (line: number) => number },
): Iterable<Found> {
  const order = (a: SourceRow, b: SourceRow) =>
    compared(b.last, a.last) || compared(a.project, b.project) || compared(a.name, b.name);
  let left = limit * SPARE;
  let before = -1;
  for (const { id } of [...scope.sources.values()].sort(order)) {
    for (const [first, count] of view.runs(id).reverse()) {
      for (let line = first + count - 1; line >= first; line--) {
        if (view.role[line]! > last || !scope.accept(line) || unitOf(line) === before) continue;
        before = unitOf(line);
        if (left-- === 0) return;
        // The newer the better, and no words to score by.
        yield { line, score: left / (limit * SPARE + 1) };
      }
    }
  }
}

/** The number of the unit that a line counts for: itself, its exchange or its session. */
export function unitNumbers(
  view: IndexView,
  grain: 'turn' | 'exchange' | 'session',
): (line: number) => number {
  const { exchange, source } = view;
  if (grain === 'turn') return (line) => line;
  return grain === 'exchange' ? (line) => exchange[line]! : (line) => source[exchange[line]!]!;
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
