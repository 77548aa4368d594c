import { asksNothing, parseQuery } from '../../core/search/query.ts';
import type { RecallScope } from '../find/scope.ts';
import type { SearchHit } from '../search/hits.ts';
import type { SearchRequest } from '../search/request.ts';
import { type SearchAnswer, searchMany } from '../search/search.ts';
import { isUnhelpful, UNHELPFUL, type Unhelpful, unhelpfulSources } from '../search/unhelpful-sources.ts';
import type { World } from '../world.ts';
import { documentPieces, LEAST_SCORE, MOST_FOUND, RECALLED } from './documents.ts';
import type { RecallPiece, RecallSources } from './sources.ts';

/** Exchanges whose sentences compete for the budget. */
const MOST_EXCHANGES = 30;
/** The best passages come before what else memory holds. */
const FIRST = 3;
/** Tokens of the title and of the section's heading. */
const TITLE_TOKENS = 40;
/** An exchange with a smaller share of the topic's words, by how rare they are, has them by chance. */
const LEAST_COVERAGE = 0.2;

export type TopicRequest = {
  query: string;
  files: string[];
  budget: number;
  /** Counts the tokens of the budget; an estimate, where nothing is named. */
  count?: (text: string) => number;
  asOf?: string;
};

/** What was said about a topic, best first: exchanges with the sentences that fit. */
export async function topicPieces(
  world: World,
  scope: RecallScope,
  sources: RecallSources,
  request: TopicRequest,
): Promise<{ pieces: RecallPiece[]; notes: string[] }> {
  // Small words alone would bring the newest lines, which fit no topic.
  if (asksNothing(parseQuery(request.query))) return { pieces: [], notes: [] };
  const { hits, documents, notes } = await findIn(world, scope, request);
  const fits = hits.some(({ coverage = 1 }) => coverage >= LEAST_COVERAGE);
  const known = new Set(sources.rows.map(({ projectId, sessionId }) => `${projectId}/${sessionId}`));
  const pieces = (fits ? hits : [])
    .filter(({ project, sessionId }) => known.has(`${project}/${sessionId}`))
    .map(
      ({ project, sessionId, ts, exchange, passage = '' }): RecallPiece =>
        sources.piece({ kind: 'topic', project, sessionId, ts, exchange: exchange.id, text: passage }),
    );
  const { query, budget } = request;
  // Of a project that waits for a rebuild only what a person wrote down.
  const usable = documents.filter(
    ({ kind, project }) => !sources.stale.has(project) || kind === 'note' || kind === 'journal',
  );
  const folders = scope.manifests.map(({ projectId }) => ({ projectId }));
  const current = withoutUnhelpful(usable, await unhelpfulSources(world, folders));
  const others = documentPieces(world, scope, current, {
    query,
    budget,
    shown: new Set(),
    texts: pieces.map(({ text }) => text),
  });
  // The best that was said comes first; what else memory contains must not wait for the last of it.
  return { pieces: [...pieces.slice(0, FIRST), ...others, ...pieces.slice(FIRST)], notes };
}

/** Facts that did not help before count less: what else fits is found instead. */
function withoutUnhelpful(documents: SearchHit[], unhelpful: Unhelpful): SearchHit[] {
  const lowered = documents.map((hit) =>
    isUnhelpful({ id: hit.place.id }, unhelpful) ? { ...hit, score: hit.score * UNHELPFUL } : hit,
  );
  return lowered.sort((a, b) => b.score - a.score);
}

/** One search for all projects asked: scores of different ones can't be compared. */
async function findIn(
  world: World,
  scope: RecallScope,
  { query, files, budget, count, asOf }: TopicRequest,
): Promise<{ hits: SearchHit[]; documents: SearchHit[]; notes: string[] }> {
  const projects = scope.project === undefined ? undefined : scope.manifests.map((it) => it.projectId);
  const filters = {
    ...(projects === undefined ? {} : { projects }),
    ...(files.length === 0 ? {} : { files }),
    ...(asOf === undefined ? {} : { until: asOf }),
  };
  const passageTokens = budget - TITLE_TOKENS;
  const found = { hits: [] as SearchHit[], documents: [] as SearchHit[], notes: [] as string[] };
  async function* requests(): AsyncIterable<SearchRequest> {
    yield {
      query,
      grain: 'exchange',
      limit: MOST_EXCHANGES,
      filters,
      passageTokens,
      bare: true,
      ...(count ? { count } : {}),
    };
    yield { query, limit: MOST_FOUND, leastScore: LEAST_SCORE, filters: { ...filters, kinds: RECALLED } };
  }
  const take = ({ filters }: SearchRequest, { hits, notes }: SearchAnswer) => {
    found[filters?.kinds ? 'documents' : 'hits'] = hits;
    found.notes = notes;
  };
  await searchMany(world, requests(), take, { documents: true, projects });
  return found;
}

/** Whether a time is on that day, at that moment, or before. */
export function isBy(ts: string, asOf: string): boolean {
  return ts.slice(0, asOf.length) <= asOf;
}
