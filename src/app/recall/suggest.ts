import type { Manifest } from '../../core/model/manifest.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import type { Part } from '../../core/model/version.ts';
import { asksNothing, parseQuery } from '../../core/search/query.ts';
import type { ContextSuggestion, SessionCandidate, SuggestedVersion } from '../../core/search/suggest.ts';
import { suggestFrom } from '../../core/search/suggest.ts';
import { millisOf } from '../../core/text/utc.ts';
import { type RecallScope, recallScope } from '../find/scope.ts';
import { rowsOf, type SessionRow } from '../find/sessions.ts';
import type { SearchFilters } from '../search/filters.ts';
import type { SearchRequest } from '../search/request.ts';
import { searchMany } from '../search/search.ts';
import type { World } from '../world.ts';

export type SuggestRequest = {
  topics?: string[];
  files?: string[];
  /** Without topics and files: that of this folder. */
  branch?: string;
  /** Tokens, for all suggested sessions together. */
  budget?: number;
  limit?: number;
  project?: string;
};

export type SuggestAnswer = {
  /** With the name of the person whose session it is, where it is not this user's. */
  items: (ContextSuggestion & { by?: string })[];
  /** Sessions that match the task but not the budget. */
  tooLarge: number;
  notes: string[];
};

const LIMIT = 5;
/** Sessions that a search for a topic gives at most. */
const FOUND = 100;
/** A session is about a topic when its score is at least this part of the best one's. */
const ABOUT = 0.5;

/** Sessions that match the current task: the same files, topics or branch. */
export async function suggest(world: World, request: SuggestRequest): Promise<SuggestAnswer> {
  const topics = (request.topics ?? []).filter((topic) => topic.trim() !== '');
  const files = request.files ?? [];
  const nothing = topics.length === 0 && files.length === 0;
  const branch = request.branch ?? (nothing ? await world.git.branch(world.places.cwd) : undefined);
  const scope = await recallScope(world, request.project);
  const linked = await linkedRows(world, scope);
  const asked = [...scope.manifests, ...linked.map(({ row }) => row)].map((it) => it.projectId);
  const projects = scope.project === undefined ? {} : { projects: [...new Set(asked)] };
  const { whole, each, notes } = await findSessions(world, topics, files, projects);
  const own = scope.manifests.flatMap(rowsOf).filter((row) => row.registered);
  const reasons = new Map(linked.map(({ row, reason }) => [`${row.projectId}/${row.sessionId}`, reason]));
  const rows = [...own, ...linked.map(({ row }) => row)];
  // By the newest session, not by the clock: the same archive gives the same, and a long holiday changes nothing.
  const newest = rows.reduce((latest, row) => Math.max(latest, millisOf(row.lastTimestamp) ?? 0), 0);
  const parts = new Map(
    [...scope.manifests, ...linked.map(({ manifest }) => manifest)].flatMap((manifest) =>
      Object.entries(manifest.parts).map(([session, own]) => [`${manifest.projectId}/${session}`, own]),
    ),
  );
  const candidates = rows.map((row): SessionCandidate => {
    const key = `${row.projectId}/${row.sessionId}`;
    return {
      sessionId: row.sessionId,
      project: row.projectId,
      title: sessionTitle(row) ?? '',
      last: row.lastTimestamp,
      age: newest - (millisOf(row.lastTimestamp) ?? 0),
      tokens: row.originalTokens,
      versions: versionsOf(row, parts.get(key) ?? []),
      files: row.metadata.filesTouched,
      branches: row.metadata.gitBranches,
      found: whole.get(key) ?? 0,
      topics: topics.filter((_, index) => isAbout(each[index], key)),
      ...(reasons.has(key) ? { linked: reasons.get(key)! } : {}),
    };
  });
  const hand = { files, topics, ...(branch === undefined ? {} : { branch }) };
  const limits = {
    limit: request.limit ?? LIMIT,
    ...(request.budget === undefined ? {} : { budget: request.budget }),
  };
  const suggested = suggestFrom(candidates, hand, limits);
  const others = new Map(rows.map(({ projectId, sessionId, by }) => [`${projectId}/${sessionId}`, by]));
  const items = suggested.items.map((item) => {
    const by = others.get(`${item.project}/${item.sessionId}`);
    return by === undefined ? item : { ...item, by };
  });
  return { ...suggested, items, notes };
}

type Linked = { row: SessionRow; reason: string; manifest: Manifest };

/** Sessions of other projects that were linked to the current one. */
async function linkedRows(world: World, { project, manifests }: RecallScope): Promise<Linked[]> {
  const here = new Set(manifests.map((it) => it.projectId));
  const found: Linked[] = [];
  for (const { sourceProject, sourceSession, reason } of project?.links ?? []) {
    const opened = here.has(sourceProject) ? undefined : await world.archive.open(sourceProject);
    const row = opened && rowsOf(opened.manifest).find((it) => it.sessionId === sourceSession);
    if (opened && row) found.push({ row, reason, manifest: opened.manifest });
  }
  return found;
}

/**
 * What a session can be included as, the longest first: its parts become shorter one after the other, the oldest first. What
 * came after the last part counts in full.
 */
export function versionsOf(
  { originalTokens, compressions }: Pick<SessionRow, 'originalTokens' | 'compressions'>,
  parts: readonly Pick<Part, 'part' | 'tokens'>[],
): SuggestedVersion[] {
  const sorted = [...parts].sort((a, b) => a.part - b.part);
  const now = sorted.map(({ part, tokens }) => ({ versionId: `part${part}_original`, tokens }));
  const rest = Math.max(0, originalTokens - now.reduce((sum, { tokens }) => sum + tokens, 0));
  const found: SuggestedVersion[] = [];
  for (const [at, { part }] of sorted.entries()) {
    const own = compressions.filter((version) => version.part === part);
    for (const { versionId, outputTokens } of own.sort((a, b) => b.outputTokens - a.outputTokens)) {
      if (outputTokens >= now[at]!.tokens) continue;
      now[at] = { versionId, tokens: outputTokens };
      const tokens = now.reduce((sum, it) => sum + it.tokens, rest);
      found.push({ versionId: now.map((it) => it.versionId).join('+'), tokens });
    }
  }
  return found;
}

type Scores = Map<string, number>;

/** Scores of sessions for all topics and files together, and for each topic. */
async function findSessions(
  world: World,
  topics: string[],
  files: string[],
  filters: SearchFilters,
): Promise<{ whole: Scores; each: Scores[]; notes: string[] }> {
  const asks = topics.map((topic) => !asksNothing(parseQuery(topic)));
  const all = { query: topics.join(' '), filters: { ...filters, ...(files.length > 0 ? { files } : {}) } };
  const queries = [
    // Small words alone would bring the newest sessions, whatever they are about.
    ...(asks.includes(true) || files.length > 0 ? [{ ...all, place: -1 }] : []),
    ...topics.map((query, place) => ({ query, filters, place })).filter(({ place }) => asks[place]),
  ];
  const found = new Map<number, Scores>();
  let notes: string[] = [];
  async function* requests(): AsyncIterable<SearchRequest & { place: number }> {
    for (const query of queries) yield { ...query, grain: 'session', limit: FOUND };
  }
  if (queries.length > 0) {
    await searchMany(world, requests(), ({ place }, answer) => {
      found.set(place, new Map(answer.hits.map((hit) => [`${hit.project}/${hit.sessionId}`, hit.score])));
      notes = answer.notes;
    });
  }
  const whole = found.get(-1) ?? new Map<string, number>();
  return { whole, each: topics.map((_, place) => found.get(place) ?? new Map<string, number>()), notes };
}

function isAbout(scores: Scores | undefined, key: string): boolean {
  const score = scores?.get(key);
  if (scores === undefined || score === undefined) return false;
  return score >= ABOUT * Math.max(...scores.values());
}
