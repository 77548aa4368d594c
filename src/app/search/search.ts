import type { HitKind } from '../../core/model/search.ts';
import { holdsPhrase, parseQuery, type Query } from '../../core/search/query.ts';
import { isQuestion } from '../../core/search/query-intent.ts';
import type { IndexView, SourceRow } from '../../ports/search-index.ts';
import { unlessFault } from '../or-fault.ts';
import type { World } from '../world.ts';
import { linesByTerms } from './best-lines.ts';
import type { FoundDocuments } from './documents.ts';
import { isSaidBy, type SourceRows, scopeOf } from './filters.ts';
import { HitReader, type SearchHit } from './hits.ts';
import { openView, rebuiltView, type Wanted } from './open-view.ts';
import type { FoundPassage } from './passages.ts';
import { linesWithWords, PhraseUnits } from './phrase-lines.ts';
import { foldersHere, preferred } from './preferences.ts';
import { type Found, inStableOrder, PICKY, rankLines, SPARE, unitNumbers } from './rank-lines.ts';
import type { SearchRequest } from './request.ts';

export type SearchAnswer = { hits: SearchHit[]; notes: string[] };

const NO_PHRASE = 'No results contain the exact quoted phrase. These contain its words separately.';
const LIMIT = 10;
/** Terms that a prefix represents at most. */
const PREFIX_TERMS = 50;

export async function search(world: World, request: SearchRequest): Promise<SearchAnswer> {
  let answer: SearchAnswer = { hits: [], notes: [] };
  async function* only(): AsyncIterable<SearchRequest> {
    yield projects === undefined && project === undefined
      ? { ...request, here: request.here ?? (await foldersHere(world)) }
      : request;
  }
  const { kinds, projects, project } = request.filters ?? {};
  const wanted = { documents: wantsDocuments(kinds), projects };
  const take = (_: SearchRequest, found: SearchAnswer) => {
    answer = found;
  };
  await searchMany(world, only(), take, wanted);
  return answer;
}

/** Many questions to one state of the index. Damage that shows only now rebuilds it. */
export async function searchMany<R extends SearchRequest>(
  world: World,
  requests: AsyncIterable<R>,
  onAnswer: (request: R, answer: SearchAnswer) => Promise<void> | void,
  wanted: Wanted = {},
): Promise<void> {
  let opened = await openView(world, wanted);
  try {
    for await (const request of requests) {
      let answer = await unlessFault(searchIn(world, opened.view, request), ['corrupt']);
      if (!answer) {
        await opened.close();
        opened = await rebuiltView(world, wanted);
        answer = await searchIn(world, opened.view, request);
      }
      await onAnswer(request, withNotes(answer, opened.notes));
    }
  } finally {
    await opened.close();
  }
}

/** Turns alone, unless other kinds are named. */
export function wantsDocuments(kinds: readonly HitKind[] | undefined): boolean {
  return kinds?.some((kind) => kind !== 'turn') ?? false;
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
  asked: Query,
): Promise<SearchHit[]> {
  const { filters = {}, limit = LIMIT, grain = 'turn' } = request;
  const terms = [...asked.terms, ...asked.prefixes.flatMap((prefix) => view.termsFrom(prefix, PREFIX_TERMS))];
  const query = { ...asked, terms };
  const scope = await scopeOf(world, view, filters, { terms, grain });
  const documents = await documentsFor(world, view, request, query);
  const sources = documents ? bothRows(scope.sources, documents.rows) : scope.sources;
  const reader = new HitReader(world, view, sources, { terms, phrases: query.phrases });
  const without = excluded(view, query);
  const accept =
    without.size === 0 ? scope.accept : (line: number) => scope.accept(line) && !without.has(line);
  const picky = query.phrases.length + query.not.phrases.length > 0;
  const held = query.phrases.map((phrase) => linesWithWords(view, phrase));
  // A turn has all of a phrase itself; of a session one line does, and the others show how well it fits.
  const within =
    grain === 'turn' && held.length > 0
      ? (line: number) => accept(line) && held.every((lines) => lines?.has(line) ?? true)
      : accept;
  // Some to spare: equal ones may change places, repeated messages are shown once.
  if (grain === 'exchange' && !picky && terms.length > 0) {
    const { findPassages } = await import('./passages.ts');
    const open = { ...scope, accept, plain: without.size === 0 ? scope.plain : undefined };
    const tokens = request.passageTokens ?? PASSAGE_TOKENS * limit;
    const { count, here = [] } = request;
    const asks = { text: query.text, terms, limit, tokens, here, ...(count === undefined ? {} : { count }) };
    return passageHits(reader, await findPassages(world, view, open, asks), request.bare);
  }
  const wanted = picky ? PICKY : limit + SPARE;
  const inScope = within === scope.accept ? scope : { ...scope, accept: within, plain: undefined };
  const turns =
    filters.kinds?.includes('turn') === false
      ? []
      : rankLines(view, { grain, filters, limit: wanted }, query, inScope);
  const { here = [] } = request;
  const by = { query, rows: sources, reader, here, turns: grain === 'turn' };
  const helpful = terms.length === 0 ? turns : await preferred(world, view, [...turns], by);
  const ranked = inStableOrder(view, documents ? together([...helpful], documents.found) : helpful, sources);
  const unitOf = unitNumbers(view, grain);
  const units =
    picky && grain !== 'turn' && terms.length > 0
      ? new PhraseUnits(reader, query, { held, unitOf, accept })
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
    if (!fits(hit, query, grain) || !isSaidBy(hit.by, filters)) continue;
    const key = keyOf(hit, grain);
    const words = grain === 'turn' && hit.text.length >= LEAST_REPEATED ? plainWords(hit.text) : key;
    if (seen.has(key) || seen.has(words)) continue;
    seen.add(key).add(words);
    hits.push(hit);
  }
  return hits;
}

/** Tokens of a passage, where nobody says how many. */
const PASSAGE_TOKENS = 340;

async function passageHits(reader: HitReader, found: FoundPassage[], bare = false): Promise<SearchHit[]> {
  const hits = await Promise.all(
    found.map(async ({ line, score, text: passage, said, coverage }) => {
      const hit = bare ? reader.bareHit(line, score) : await reader.hit(line, score);
      return hit && { ...hit, passage, said, coverage: Math.round(coverage * 100) / 100 };
    }),
  );
  return hits.filter((hit) => hit !== undefined);
}

/** Shorter texts are said often, and each time mean something else. */
const LEAST_REPEATED = 80;

/** The same words in two sessions are shown once, however they are set. */
function plainWords(text: string): string {
  return `words/${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')}`;
}

/** What identifies a hit: the same one is shown once. A resumed session repeats the messages of the one before. */
function keyOf(hit: SearchHit, grain: 'turn' | 'exchange' | 'session'): string {
  if (hit.kind !== 'turn')
    return `${hit.kind}/${hit.project}/${hit.place.file}/${hit.place.at}/${hit.title}/${hit.text}`;
  if (grain === 'turn') return hit.messageId || `${hit.sessionId}:${hit.src}`;
  const session = `${hit.project}/${hit.sessionId}`;
  return grain === 'session' ? session : `${session}/${hit.exchange.id}`;
}

/** Documents are no part of a session: they are beside turns only. Most searches need nothing of them. */
async function documentsFor(
  world: World,
  view: IndexView,
  request: SearchRequest,
  query: Query,
): Promise<FoundDocuments | undefined> {
  const { grain = 'turn', filters = {} } = request;
  if (grain !== 'turn' || !wantsDocuments(filters.kinds)) return undefined;
  const { findDocuments } = await import('./documents.ts');
  const { found, rows } = await findDocuments(world, view, filters, query);
  const { leastScore = 0 } = request;
  return { found: found.filter(({ score }) => score >= leastScore), rows };
}

/** The best document is worth at most what the best turn is. */
function together(turns: Found[], documents: Found[]): Found[] {
  const top = turns.reduce((most, { score }) => Math.max(most, score), 0) || 1;
  return [...turns, ...documents.map(({ line, score }) => ({ line, score: score * top }))];
}

function bothRows(sessions: SourceRows, documents: Map<number, SourceRow>): SourceRows {
  return {
    get: (id) => documents.get(id) ?? sessions.get(id),
    values: () => [...sessions.values(), ...documents.values()].values(),
  };
}

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

function excluded(view: IndexView, query: Query): Set<number> {
  const lines = new Set<number>();
  for (const term of query.not.terms) for (const line of view.postings(term).lines) lines.add(line);
  return lines;
}

/** What only the text shows. Of a larger hit, the line that is shown was chosen by it. */
function fits(hit: SearchHit, query: Query, grain: 'turn' | 'exchange' | 'session'): boolean {
  if (grain !== 'turn' && query.terms.length + query.prefixes.length > 0) return true;
  if (query.phrases.some((phrase) => !holdsPhrase(hit.text, phrase))) return false;
  return !query.not.phrases.some((phrase) => holdsPhrase(hit.text, phrase));
}
