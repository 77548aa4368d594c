import type { DocumentKind } from '../../core/model/search.ts';
import type { Query } from '../../core/search/query.ts';
import { rankDocuments } from '../../core/search/rank-documents.ts';
import { SEARCH_WEIGHTS } from '../../core/search/weights.ts';
import type { IndexView, SourceRow } from '../../ports/search-index.ts';
import type { World } from '../world.ts';
import { documentScope, isInTime, type SearchFilters } from './filters.ts';
import { linesWithWords } from './phrase-lines.ts';

export type FoundDocuments = {
  found: { line: number; score: number }[];
  rows: Map<number, SourceRow>;
};

/** Documents that fit a query, best first; without words the newest. */
export async function findDocuments(
  world: World,
  view: IndexView,
  filters: SearchFilters,
  { terms, phrases: quoted, not }: Query,
): Promise<FoundDocuments> {
  const rows = await documentScope(world, view, filters);
  if (rows.size === 0) return { found: [], rows };
  const without = new Set(not.terms.flatMap((term) => [...view.postings(term).lines]));
  const phrases = quoted.map((phrase) => linesWithWords(view, phrase));
  const inTime = timely(view, rows, filters);
  const accept = (line: number) =>
    !without.has(line) && phrases.every((lines) => lines?.has(line) ?? true) && inTime(line);
  if (terms.length === 0) return { found: newest(view, rows, accept), rows };
  const sources = new Uint8Array(view.sourceCount);
  for (const id of rows.keys()) sources[id] = 1;
  const { exchange, source } = view;
  const worthOf = (line: number) =>
    SEARCH_WEIGHTS.worth[rows.get(source[exchange[line]!]!)?.kind as DocumentKind] ?? 0;
  const found = rankDocuments(view, { terms, sources, accept })
    .map(({ line, score }) => ({ line, score: score * worthOf(line) }))
    .sort((a, b) => b.score - a.score || a.line - b.line);
  return { found, rows };
}

function timely(
  view: IndexView,
  rows: Map<number, SourceRow>,
  filters: SearchFilters,
): (line: number) => boolean {
  if (filters.since === undefined && filters.until === undefined) return () => true;
  const late = new Set<number>();
  for (const line of linesOf(view, rows)) {
    const [place] = view.places([line]);
    if (!isInTime(place?.ts ?? '', filters)) late.add(line);
  }
  return (line) => !late.has(line);
}

function newest(
  view: IndexView,
  rows: Map<number, SourceRow>,
  accept: (line: number) => boolean,
): FoundDocuments['found'] {
  const lines = [...linesOf(view, rows)].filter(accept);
  const times = view.places(lines).map(({ ts }) => ts);
  const order = lines.map((line, at) => ({ line, ts: times[at] ?? '' }));
  order.sort((a, b) => (a.ts < b.ts ? 1 : a.ts > b.ts ? -1 : a.line - b.line));
  return order.map(({ line }, at) => ({ line, score: 1 - at / (order.length + 1) }));
}

function* linesOf(view: IndexView, rows: Map<number, SourceRow>): Generator<number> {
  for (const id of rows.keys())
    for (const [first, count] of view.runs(id))
      for (let line = first; line < first + count; line++) yield line;
}
