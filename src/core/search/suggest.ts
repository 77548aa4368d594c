import type { ProjectId } from '../model/ids.ts';
import { SEARCH_WEIGHTS } from './weights.ts';

/** What a session is included as: `part1_v002`, or `part1_v002+part2_original` where it has several parts. */
export type SuggestedVersion = { versionId: string; tokens: number };

/** A session that may help with the current task. */
export type SessionCandidate = {
  sessionId: string;
  project: ProjectId;
  title: string;
  last: string;
  /** Milliseconds between its last message and the newest of all. */
  age: number;
  tokens: number;
  /** Its versions besides its original, the longest first. */
  versions?: readonly SuggestedVersion[];
  files: readonly string[];
  branches: readonly string[];
  /** Score of the search for the topics and files, of any scale; 0 when it was not found. */
  found: number;
  topics: readonly string[];
  /** Why it was linked to the current project, if it belongs to another one. */
  linked?: string;
};

/** The current task: files, topics, branch. */
export type AtHand = { files: readonly string[]; branch?: string; topics: readonly string[] };

export type ContextSuggestion = {
  sessionId: string;
  project: ProjectId;
  title: string;
  last: string;
  /** `original`, or the longest version that fits what the budget has left. */
  versionId: string;
  /** From 0 to 1. */
  relevanceScore: number;
  matchedTopics: string[];
  matchedFiles: string[];
  suggestedTokens: number;
  /** Sentences for a person, the weightiest first. */
  reasons: string[];
};

export type Suggestions = {
  items: ContextSuggestion[];
  /** Good ones that the budget has no room for. */
  tooLarge: number;
};

/** Shares of the score, without those that do not apply to the task; days after which a session counts half as recent. */
export type SuggestWeights = {
  found: number;
  files: number;
  branch: number;
  recency: number;
  halfLife: number;
};

const DAY = 86_400_000;
/** Files that are named as reasons. */
const NAMED = 3;

/** The best sessions for the task, best first, that together fit the budget. */
export function suggestFrom(
  candidates: readonly SessionCandidate[],
  hand: AtHand,
  limits: { budget?: number; limit: number },
  weights: SuggestWeights = SEARCH_WEIGHTS.suggest,
): Suggestions {
  const worth = worthOf(candidates, hand);
  const scored = candidates
    .flatMap((it) => {
      const found = suggestion(it, hand, worth, weights);
      return found ? [{ it: found, versions: it.versions ?? [] }] : [];
    })
    .sort((a, b) => bestFirst(a.it, b.it));
  const items: ContextSuggestion[] = [];
  let room = limits.budget ?? Number.POSITIVE_INFINITY;
  let tooLarge = 0;
  for (const { it, versions } of scored) {
    if (items.length >= limits.limit) break;
    const fits = it.suggestedTokens <= room ? it : shorter(it, versions, room);
    if (fits === undefined) {
      tooLarge++;
      continue;
    }
    room -= fits.suggestedTokens;
    items.push(fits);
  }
  return { items, tooLarge };
}

/** The same session by the longest version that fits. */
function shorter(
  it: ContextSuggestion,
  versions: readonly SuggestedVersion[],
  room: number,
): ContextSuggestion | undefined {
  const version = versions.find(({ tokens }) => tokens <= room);
  if (!version) return undefined;
  const reason = `Its version ${version.versionId} fits: ${version.tokens} of ${it.suggestedTokens} tokens.`;
  return {
    ...it,
    versionId: version.versionId,
    suggestedTokens: version.tokens,
    reasons: [...it.reasons, reason],
  };
}

/** Equal ones in an order that does not depend on how they came into the archive. */
function bestFirst(a: ContextSuggestion, b: ContextSuggestion): number {
  const id = (it: ContextSuggestion) => `${it.project}/${it.sessionId}`;
  const [one, other] = [id(a), id(b)];
  return (
    b.relevanceScore - a.relevanceScore ||
    (a.last < b.last ? 1 : a.last > b.last ? -1 : one < other ? -1 : one > other ? 1 : 0)
  );
}

/** The weight of each file, topic and branch: those that few sessions touched say more. */
type Worth = { files: number[]; branch: number; found: number };

function worthOf(candidates: readonly SessionCandidate[], hand: AtHand): Worth {
  const weight = (having: (it: SessionCandidate) => boolean) =>
    Math.log(1 + candidates.length / Math.max(1, candidates.filter(having).length));
  return {
    files: hand.files.map((file) => weight((it) => changed(it, file))),
    // A branch that every session was on (main) says little.
    branch: weight((it) => isOn(it, hand.branch)) / Math.log(1 + Math.max(1, candidates.length)),
    found: candidates.reduce((best, it) => Math.max(best, it.found), 0),
  };
}

function suggestion(
  it: SessionCandidate,
  hand: AtHand,
  worth: Worth,
  weights: SuggestWeights,
): ContextSuggestion | undefined {
  const touched = hand.files.map((file) => changed(it, file));
  const matchedFiles = hand.files.filter((_, index) => touched[index]);
  const onBranch = isOn(it, hand.branch);
  const named = hand.files.length + hand.topics.length > 0;
  // Without a topic the words of a file's name alone say nothing: half of all sessions speak of an index.ts.
  const isFound = hand.topics.length > 0 && it.found > 0;
  const isLinked = it.linked !== undefined;
  if ((named || hand.branch !== undefined) && !isFound && matchedFiles.length === 0 && !onBranch && !isLinked)
    return undefined;
  const ofFiles = share(
    worth.files.map((value, index) => (touched[index] ? value : 0)),
    worth.files,
  );
  const recency = 2 ** (-Math.max(0, it.age) / DAY / weights.halfLife);
  const parts: [weight: number, value: number][] = [[weights.recency, recency]];
  if (named) parts.push([weights.found, worth.found === 0 ? 0 : it.found / worth.found]);
  if (hand.files.length > 0) parts.push([weights.files, ofFiles]);
  if (hand.branch !== undefined) parts.push([weights.branch, onBranch ? worth.branch : 0]);
  const score = share(
    parts.map(([weight, value]) => weight * value),
    parts.map(([weight]) => weight),
  );
  return {
    sessionId: it.sessionId,
    project: it.project,
    title: it.title,
    last: it.last,
    versionId: 'original',
    relevanceScore: Math.round(score * 1000) / 1000,
    matchedTopics: [...it.topics],
    matchedFiles,
    suggestedTokens: it.tokens,
    reasons: reasonsFor(it, matchedFiles, onBranch ? hand.branch : undefined, isFound),
  };
}

function changed(it: SessionCandidate, file: string): boolean {
  return it.files.some((path) => sameFile(path, file));
}

function isOn(it: SessionCandidate, branch: string | undefined): boolean {
  return branch !== undefined && it.branches.includes(branch);
}

function reasonsFor(
  it: SessionCandidate,
  files: string[],
  branch: string | undefined,
  isFound: boolean,
): string[] {
  const reasons: string[] = [];
  if (files.length > 0) {
    const more = files.length > NAMED ? ` and ${files.length - NAMED} more` : '';
    reasons.push(`It changed ${files.slice(0, NAMED).join(', ')}${more}.`);
  }
  if (it.topics.length > 0) reasons.push(`It is about ${it.topics.join(', ')}.`);
  else if (isFound) reasons.push('It mentions the topic.');
  if (branch !== undefined) reasons.push(`It was on the branch ${branch}.`);
  if (it.linked !== undefined) reasons.push(`linked: ${it.linked || 'no reason given'}`);
  if (reasons.length === 0) reasons.push('It is one of the latest sessions.');
  return reasons;
}

function share(values: number[], most: number[]): number {
  const all = most.reduce((sum, value) => sum + value, 0);
  return all === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / all;
}

/** One path may be relative to a folder that the other one names. */
function sameFile(a: string, b: string): boolean {
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  const tail = short.replace(/^\.\//, '');
  return long === tail || (long.endsWith(tail) && /[\\/]/.test(long.at(-tail.length - 1) ?? ''));
}
