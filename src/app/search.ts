import { Fault } from '../core/model/fault.ts';
import { ROLE } from '../core/model/search.ts';
import { isQuestion } from '../core/search/asked.ts';
import { holdsPhrase, parseQuery, type Query } from '../core/search/query.ts';
import { rankExchanges, rankSources } from '../core/search/rank-sessions.ts';
import { rankTurns } from '../core/search/rank-turns.ts';
import type { IndexView, SourceRow } from '../ports/search-index.ts';
import { bestLines, firstLine, linesByTerms } from './best-lines.ts';
import { openView, rebuiltView } from './open-view.ts';
import { linesWithWords, PhraseUnits } from './phrase-lines.ts';
import { type Scope, type SearchFilters, scopeOf } from './search-filters.ts';
import { HitReader, type SearchHit } from './search-hits.ts';
import type { World } from './world.ts';

export type SearchRequest = {
  query: string;
  grain?: 'turn' | 'exchange' | 'session';
  limit?: number;
  filters?: SearchFilters;
};
export type { SearchHit };
export type SearchAnswer = { hits: SearchHit[]; notes: string[] };

const NO_PHRASE = 'Nothing found has the words side by side as quoted; these have them apart.';
const LIMIT = 10;
/** Terms that a prefix stands for at most. */
const PREFIX_TERMS = 50;
/** Candidates beyond those wanted. */
const SPARE = 20;
/** Candidates that are looked at when only their text tells which of them fit. */
const PICKY = 20_000;

export async function search(world: World, request: SearchRequest): Promise<SearchAnswer> {
  let answer: SearchAnswer = { hits: [], notes: [] };
  async function* only(): AsyncIterable<SearchRequest> {
    yield request;
  }
  await searchMany(world, only(), (_, given) => {
    answer = given;
  });
  return answer;
}

/** Many questions to one state of the index. Damage that shows only now makes it anew. */
export async function searchMany<R extends SearchRequest>(
  world: World,
  requests: AsyncIterable<R>,
  onAnswer: (request: R, answer: SearchAnswer) => Promise<void> | void,
): Promise<void> {
  let opened = await openView(world);
  try {
    for await (const request of requests) {
      const answer = await searchIn(world, opened.view, request).catch(async (error: unknown) => {
        if (!(error instanceof Fault && error.code === 'corrupt')) throw error;
        await opened.close();
        opened = await rebuiltView(world);
        return searchIn(world, opened.view, request);
      });
      await onAnswer(request, withNotes(answer, opened.notes));
    }
  } finally {
    await opened.close();
  }
}

function withNotes({ hits, notes }: SearchAnswer, before: string[]): SearchAnswer {
  return { hits, notes: [...before, ...notes] };
}

async function searchIn(world: World, view: IndexView, request: SearchRequest): Promise<SearchAnswer> {
  const query = parseQuery(request.query);
  // In a question, quotes are round a title; what answers it need not repeat it.
  if (isQuestion(query.text)) query.phrases = [];
  const hits = await hitsOf(world, view, request, query);
  // Which session it was is asked with a commit's subject too, and those quote freely.
  if (hits.length > 0 || query.phrases.length === 0 || request.grain !== 'session')
    return { hits, notes: [] };
  const loose = await hitsOf(world, view, request, { ...query, phrases: [] });
  return { hits: loose, notes: loose.length > 0 ? [NO_PHRASE] : [] };
}

async function hitsOf(
  world: World,
  view: IndexView,
  request: SearchRequest,
  query: Query,
): Promise<SearchHit[]> {
  const filters = request.filters ?? {};
  const terms = [...query.terms, ...query.prefixes.flatMap((prefix) => view.termsFrom(prefix, PREFIX_TERMS))];
  const scope = await scopeOf(world, view, filters, terms, request.grain ?? 'turn');
  const limit = request.limit ?? LIMIT;
  const reader = new HitReader(world, view, scope.sources, terms);
  const without = excluded(view, query);
  const accept =
    without.size === 0 ? scope.accept : (line: number) => scope.accept(line) && !without.has(line);
  const grain = request.grain ?? 'turn';
  const picky = query.phrases.length + query.not.phrases.length > 0;
  const held = query.phrases.map((phrase) => linesWithWords(view, phrase));
  // A turn has all of a phrase itself; of a session one line does, and the others tell how well it fits.
  const within =
    grain === 'turn' && held.length > 0
      ? (line: number) => accept(line) && held.every((lines) => lines?.has(line) ?? true)
      : accept;
  // Some to spare: equal ones may change places, repeated messages are told once.
  const wanted = picky ? PICKY : limit + SPARE;
  const inScope = within === scope.accept ? scope : { ...scope, accept: within, plain: undefined };
  const ranked = inOrder(view, rank(view, request, query.text, terms, inScope, wanted), scope);
  const unitOf = unitsOf(view, grain);
  const units =
    picky && grain !== 'turn' && terms.length > 0
      ? new PhraseUnits(reader, query, held, unitOf, accept)
      : undefined;
  const found = units === undefined ? ranked : [...ranked].filter(({ line }) => units.mayHold(line));
  const locate = async ({ line }: Found): Promise<number | undefined> => {
    const inUnit = (other: number) => unitOf(other) === unitOf(line) && accept(other);
    return units === undefined ? line : units.lineOf(line, () => linesByTerms(view, terms, inUnit));
  };
  const hits: SearchHit[] = [];
  const seen = new Set<string>();
  for await (const hit of readHits(reader, found, limit, locate)) {
    if (hits.length >= limit) break;
    if (!fits(hit, query, grain)) continue;
    const key = keyOf(hit, grain);
    if (seen.has(key)) continue;
    seen.add(key);
    hits.push(hit);
  }
  return hits;
}

/** What a hit is told by: the same one is told once. A resumed session repeats the messages of the one before. */
function keyOf(hit: SearchHit, grain: 'turn' | 'exchange' | 'session'): string {
  if (grain === 'turn') return hit.messageId || `${hit.sessionId}:${hit.src}`;
  const session = `${hit.project}/${hit.sessionId}`;
  return grain === 'session' ? session : `${session}/${hit.exchange.id}`;
}

type Found = { line: number; score: number };

/** As many at once as may be wanted: each is two small reads, and waiting for them one by one is most of the time. */
async function* readHits(
  reader: HitReader,
  found: Iterable<Found>,
  limit: number,
  locate: (found: Found) => Promise<number | undefined>,
): AsyncGenerator<SearchHit> {
  const together = Math.min(Math.max(limit, 1), 50);
  for (const part of inParts(found, together)) {
    const read = part.map(async (one) => {
      const line = await locate(one);
      return line === undefined ? undefined : reader.hit(line, one.score);
    });
    for (const hit of await Promise.all(read)) if (hit) yield hit;
  }
}

function* inParts<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let part: T[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** Equal scores in an order that does not depend on how things came into the index, found out when it is their turn. */
function* inOrder(view: IndexView, ranked: Iterable<Found>, scope: Scope): Generator<Found> {
  const key = ({ line }: Found) => {
    const row = scope.sources.get(view.source[view.exchange[line]!]!);
    return `${row?.project}/${row?.name}`;
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

function rank(
  view: IndexView,
  request: SearchRequest,
  text: string,
  terms: string[],
  scope: Scope,
  limit: number,
): Iterable<Found> {
  // No words, only filters: the newest.
  const hinted = request.grain === 'session' && scope.hints.files.size > 0;
  if (terms.length === 0 && !hinted) {
    const last = request.filters?.role === 'tool' ? ROLE.tool : ROLE.assistant;
    // With phrases every line is looked at: only its text tells whether it fits.
    return newest(
      view,
      scope,
      limit,
      last,
      unitsOf(view, limit >= PICKY ? 'turn' : (request.grain ?? 'turn')),
    );
  }
  switch (request.grain ?? 'turn') {
    case 'turn':
      return rankTurns(view, {
        text,
        terms,
        accept: scope.accept,
        plain: scope.plain,
        tools: request.filters?.role === 'tool',
        candidates: Math.max(200, 2 * limit),
        times: (lines) => view.places(lines).map((place) => place.ts),
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
      const ranked = rankSources(view, terms, scope, scope.hints, limit);
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

/** The newest line of each turn, exchange or session. */
function* newest(
  view: IndexView,
  scope: Scope,
  limit: number,
  last: number,
  unitOf: (line: number) => number,
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

/** The number of what a line is told as: itself, its exchange or its session. */
function unitsOf(view: IndexView, grain: 'turn' | 'exchange' | 'session'): (line: number) => number {
  const { exchange, source } = view;
  if (grain === 'turn') return (line) => line;
  return grain === 'exchange' ? (line) => exchange[line]! : (line) => source[exchange[line]!]!;
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function excluded(view: IndexView, query: Query): Set<number> {
  const lines = new Set<number>();
  for (const term of query.not.terms) for (const line of view.postings(term).lines) lines.add(line);
  return lines;
}

/** What only the text tells. Of a larger hit, the line that is shown was chosen by it. */
function fits(hit: SearchHit, query: Query, grain: 'turn' | 'exchange' | 'session'): boolean {
  if (grain !== 'turn' && query.terms.length + query.prefixes.length > 0) return true;
  if (query.phrases.some((phrase) => !holdsPhrase(hit.text, phrase))) return false;
  return !query.not.phrases.some((phrase) => holdsPhrase(hit.text, phrase));
}
