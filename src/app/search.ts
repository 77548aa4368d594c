import { Fault } from '../core/model/fault.ts';
import { ROLE } from '../core/model/search.ts';
import { isQuestion } from '../core/search/asked.ts';
import { holdsPhrase, parseQuery, type Query } from '../core/search/query.ts';
import { rankExchanges, rankSources } from '../core/search/rank-sessions.ts';
import { rankTurns } from '../core/search/rank-turns.ts';
import type { IndexView } from '../ports/search-index.ts';
import { openView, rebuiltView } from './open-view.ts';
import { endOfDay, type Scope, type SearchFilters, scopeOf } from './search-filters.ts';
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
/** How many more candidates are looked at when some will be left out by what only their text or time tells. */
const SPARE = 20;

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
  const picky =
    query.phrases.length > 0 ||
    query.not.phrases.length > 0 ||
    filters.since !== undefined ||
    filters.until !== undefined;
  // Some to spare: equal ones may change places, repeated messages are told once.
  const wanted = picky ? limit * SPARE : limit + SPARE;
  const ranked = rank(view, request, query.text, terms, { ...scope, accept }, wanted);
  const hits: SearchHit[] = [];
  const seen = new Set<string>();
  for await (const hit of readHits(reader, inOrder(view, ranked, scope), limit)) {
    if (hits.length >= limit) break;
    if (!fits(hit, query, filters)) continue;
    // A resumed session repeats the messages of the one it goes on from.
    const key =
      request.grain === undefined || request.grain === 'turn'
        ? hit.messageId || `${hit.sessionId}:${hit.src}`
        : `${hit.project}/${hit.sessionId}/${hit.exchange.id}`;
    if (seen.has(key)) continue;
    seen.add(key);
    hits.push(hit);
  }
  return hits;
}

type Found = { line: number; score: number };

/** As many at once as may be wanted: each is two small reads, and waiting for them one by one is most of the time. */
async function* readHits(reader: HitReader, found: Found[], limit: number): AsyncGenerator<SearchHit> {
  const together = Math.min(Math.max(limit, 1), 50);
  for (let at = 0; at < found.length; at += together) {
    const part = found.slice(at, at + together);
    for (const hit of await Promise.all(part.map(({ line, score }) => reader.hit(line, score))))
      if (hit) yield hit;
  }
}

/** Equal scores in an order that does not depend on how things came into the index. */
function inOrder(view: IndexView, ranked: Iterable<Found>, scope: Scope): Found[] {
  const key = ({ line }: Found) => {
    const row = scope.sources.get(view.source[view.exchange[line]!]!);
    return `${row?.project}/${row?.name}`;
  };
  const compare = (a: Found, b: Found) => {
    if (a.score !== b.score) return b.score - a.score;
    const [one, other] = [key(a), key(b)];
    return one < other ? -1 : one > other ? 1 : a.line - b.line;
  };
  return [...ranked].sort(compare);
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
  if (terms.length === 0 && !hinted)
    return newest(view, scope, limit, request.filters?.role === 'tool' ? ROLE.tool : ROLE.assistant);
  switch (request.grain ?? 'turn') {
    case 'turn':
      return rankTurns(view, {
        text,
        terms,
        accept: scope.accept,
        tools: request.filters?.role === 'tool',
        candidates: Math.max(200, 2 * limit),
        times: (lines) => view.places(lines).map((place) => place.ts),
      });
    case 'exchange':
      return rankExchanges(view, terms, scope.accept, limit).map(({ exchange, score }) => ({
        line: bestLine(view, exchange, terms),
        score,
      }));
    case 'session':
      return rankSources(view, terms, scope.accept, scope.hints, limit).map(
        ({ source, exchange, score }) => ({
          line:
            exchange < 0
              ? (view.runs(source)[0]?.[0] ?? 0)
              : bestLine(view, exchange, [...terms, ...scope.hints.words]),
          score,
        }),
      );
  }
}

function* newest(view: IndexView, scope: Scope, limit: number, last: number): Iterable<Found> {
  const sources = [...scope.sources.values()].sort((a, b) => (a.last < b.last ? 1 : -1));
  let left = limit * SPARE;
  for (const { id } of sources) {
    for (const [first, count] of view.runs(id).reverse()) {
      for (let line = first + count - 1; line >= first; line--) {
        if (view.role[line]! > last || !scope.accept(line)) continue;
        if (left-- === 0) return;
        // The newer the better, and no words to score by.
        yield { line, score: left / (limit * SPARE + 1) };
      }
    }
  }
}

/** The line of an exchange that holds most of the terms: the one to show. */
function bestLine(view: IndexView, exchange: number, terms: string[]): number {
  const held = new Map<number, number>();
  for (const term of new Set(terms)) {
    const { lines } = view.postings(term);
    for (const line of lines) if (view.exchange[line] === exchange) held.set(line, (held.get(line) ?? 0) + 1);
  }
  let bestFound = -1;
  for (const [line, count] of held) {
    if (bestFound < 0 || count > held.get(bestFound)! || (count === held.get(bestFound)! && line < bestFound))
      bestFound = line;
  }
  return bestFound;
}

function excluded(view: IndexView, query: Query): Set<number> {
  const lines = new Set<number>();
  for (const term of query.not.terms) for (const line of view.postings(term).lines) lines.add(line);
  return lines;
}

function fits(hit: SearchHit, query: Query, filters: SearchFilters): boolean {
  if (query.phrases.some((phrase) => !holdsPhrase(hit.text, phrase))) return false;
  if (query.not.phrases.some((phrase) => holdsPhrase(hit.text, phrase))) return false;
  if (filters.since !== undefined && hit.ts < filters.since) return false;
  return filters.until === undefined || hit.ts <= endOfDay(filters.until);
}
