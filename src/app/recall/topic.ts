import type { L1Line } from '../../core/model/l1.ts';
import { lineText } from '../../core/search/documents/session.ts';
import { parseQuery, queryMatcher } from '../../core/search/query.ts';
import { lineContent, shortened, speakerOf } from '../../core/search/recall-text.ts';
import { passageOf } from '../../core/search/snippet.ts';
import type { RecallScope } from '../find/scope.ts';
import type { SearchHit } from '../search/hits.ts';
import type { SearchRequest } from '../search/request.ts';
import { type SearchAnswer, searchMany } from '../search/search.ts';
import type { World } from '../world.ts';
import { documentPieces, MOST_FOUND, RECALLED } from './documents.ts';
import type { RecallPiece, RecallSources } from './sources.ts';

/** Tokens that a hit takes at least, with where it is from: more hits than fit are not looked at. */
const LEAST_TOKENS = 40;
const MOST_HITS = 200;
/** The best hits come with the lines before and after them: turns hold more at the same cost, but need some context. */
const WITH_NEIGHBORS = 3;
const HIT_UNITS = 900;
const NEIGHBOR_UNITS = 240;

type Passage = { hit: SearchHit; lines: Map<number, { line: L1Line; isHit: boolean }> };

export type TopicRequest = {
  query: string;
  files: string[];
  budget: number;
  asOf?: string;
  /** Texts that are included whatever the topic. */
  shown?: ReadonlySet<string>;
};

/** What was said about a topic, best first: found lines, those side by side in one passage. */
export async function topicPieces(
  world: World,
  scope: RecallScope,
  sources: RecallSources,
  request: TopicRequest,
): Promise<{ pieces: RecallPiece[]; notes: string[] }> {
  const { hits, documents, notes } = await findIn(world, scope, request);
  const matches = queryMatcher(parseQuery(request.query));
  const passages: Passage[] = [];
  for (const [rank, hit] of hits.entries()) {
    const lines = await sources.lines(hit.project, hit.sessionId);
    const at = placeOf(lines, hit);
    if (at !== -1) addHit(passages, { hit, rank, at }, lines, request.asOf);
  }
  const pieces = passages.map((passage): RecallPiece => {
    const ordered = [...passage.lines].sort(([a], [b]) => a - b).map(([, it]) => it);
    const text = ordered.map(({ line, isHit }) => {
      const words = lineContent(line).trim();
      const short = isHit ? passageOf(words, matches, HIT_UNITS) : shortened(words, NEIGHBOR_UNITS);
      return `${speakerOf(line)}: ${short}`;
    });
    const { project, sessionId, exchange } = passage.hit;
    return sources.piece({
      kind: 'topic',
      project,
      sessionId,
      ts: ordered[0]!.line.ts,
      exchange: exchange.id,
      text: text.join('\n'),
    });
  });
  const { query, budget, shown = new Set() } = request;
  // Of a project that waits for a rebuild only what a person wrote down.
  const current = documents.filter(
    ({ kind, project }) => !sources.stale.has(project) || kind === 'note' || kind === 'journal',
  );
  const others = documentPieces(world, scope, current, {
    query,
    budget,
    shown,
    texts: pieces.map(({ text }) => text),
  });
  // The best that was said comes first; what else memory holds must not wait for the last of it.
  return {
    pieces: [...pieces.slice(0, WITH_NEIGHBORS), ...others, ...pieces.slice(WITH_NEIGHBORS)],
    notes,
  };
}

/** One search for all projects asked: scores of different ones can't be compared. */
async function findIn(
  world: World,
  scope: RecallScope,
  { query, files, budget, asOf }: TopicRequest,
): Promise<{ hits: SearchHit[]; documents: SearchHit[]; notes: string[] }> {
  const projects = scope.project === undefined ? undefined : scope.manifests.map((it) => it.projectId);
  const filters = {
    ...(projects === undefined ? {} : { projects }),
    ...(files.length === 0 ? {} : { files }),
    ...(asOf === undefined ? {} : { until: asOf }),
  };
  const limit = Math.min(MOST_HITS, Math.ceil(budget / LEAST_TOKENS));
  const found = { hits: [] as SearchHit[], documents: [] as SearchHit[], notes: [] as string[] };
  async function* requests(): AsyncIterable<SearchRequest> {
    yield { query, limit, filters };
    yield { query, limit: MOST_FOUND, filters: { ...filters, kinds: RECALLED } };
  }
  const take = ({ filters }: SearchRequest, { hits, notes }: SearchAnswer) => {
    found[filters?.kinds ? 'documents' : 'hits'] = hits;
    found.notes = notes;
  };
  await searchMany(world, requests(), take, { documents: true, projects });
  return found;
}

function placeOf(lines: L1Line[], hit: SearchHit): number {
  const [first, last] = hit.exchange.range;
  for (let at = first - 1; at < last; at++) {
    const line = lines[at];
    if (line && line.src === hit.src && lineText(line) === hit.text) return at;
  }
  return -1;
}

function addHit(
  passages: Passage[],
  { hit, rank, at }: { hit: SearchHit; rank: number; at: number },
  lines: L1Line[],
  asOf: string | undefined,
): void {
  const places = rank < WITH_NEIGHBORS ? withSpokenLines(lines, at, hit.exchange.range) : [at];
  const isNear = (it: Passage) =>
    it.hit.exchange.id === hit.exchange.id &&
    it.hit.project === hit.project &&
    places.some((place) => it.lines.has(place - 1) || it.lines.has(place) || it.lines.has(place + 1));
  let passage = passages.find(isNear);
  if (passage === undefined) {
    passage = { hit, lines: new Map() };
    passages.push(passage);
  }
  for (const place of places) {
    const line = lines[place];
    if (line === undefined || (asOf !== undefined && !isBy(line.ts, asOf))) continue;
    passage.lines.set(place, { line, isHit: place === at || passage.lines.get(place)?.isHit === true });
  }
}

/** With what was said before and after it in its exchange; tool calls in between say little. */
function withSpokenLines(lines: L1Line[], at: number, [first, last]: [number, number]): number[] {
  const isSpoken = (line: L1Line | undefined) => line !== undefined && line.role !== 'tool' && !!line.text;
  const places = [at];
  let before = at - 1;
  while (before >= first - 1 && !isSpoken(lines[before])) before--;
  if (before >= first - 1) places.unshift(before);
  let after = at + 1;
  while (after < last && !isSpoken(lines[after])) after++;
  if (after < last) places.push(after);
  return places;
}

/** Whether a time lies on that day, at that moment, or before. */
export function isBy(ts: string, asOf: string): boolean {
  return ts.slice(0, asOf.length) <= asOf;
}
