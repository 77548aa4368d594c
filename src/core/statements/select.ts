import { type Candidate, renderedText } from './candidate.ts';
import { isReport, isStatement } from './gate.ts';
import { LASTING } from './lasting.ts';
import { contentWords, identifiers, shared } from './plain-text.ts';
import { type ReadSegment, straight } from './segment-units.ts';
import { isCommit } from './segments.ts';
import { STATEMENT_WEIGHTS, weighed } from './weights.ts';

export const LIMITS = {
  statements: 12,
  characters: 2880,
  floor: -1,
  claimFloor: 0,
  commits: 6,
  claims: 5,
  perSegment: 2,
  /** Share of the shorter one's words that makes two statements one. */
  alike: 0.5,
};

export type Ranked = { candidate: Candidate; text: string; score: number };

/** The best candidates, the best first, none like another. */
export function select(candidates: Candidate[], segments: ReadSegment[]): Ranked[] {
  const kept = committedNames(segments);
  const ranked = candidates
    .filter((candidate) => !candidate.dead && isStatement(candidate))
    .map((candidate, place) => {
      const text = renderedText(candidate);
      const features = statementFeatures(candidate, { text, segments: segments.length, kept });
      return { candidate, text, place, score: candidate.score + weighed(features, STATEMENT_WEIGHTS) };
    })
    .filter(({ text }) => text.length > 25)
    .sort((a, b) => b.score - a.score || a.place - b.place);
  const chosen: (Ranked & { words: Set<string> })[] = [];
  const counts = new Map<string, number>();
  let length = 0;
  for (const { candidate, text, score } of ranked) {
    if (chosen.length >= LIMITS.statements || length >= LIMITS.characters || score < LIMITS.floor) break;
    if (length + text.length > LIMITS.characters + 120) continue;
    const { foundBy, author, segment } = candidate;
    if (foundBy === 'claim' && score < LIMITS.claimFloor) continue;
    const group = foundBy === 'commit' ? 'commits' : author === 'assistant' ? 'claims' : undefined;
    if (group && (counts.get(group) ?? 0) >= LIMITS[group]) continue;
    const place = `${segment} ${author}`;
    if ((counts.get(place) ?? 0) >= LIMITS.perSegment) continue;
    const words = contentWords(text);
    if (chosen.some((one) => shared(words, one.words) > LIMITS.alike * Math.min(words.size, one.words.size)))
      continue;
    chosen.push({ candidate, text, score, words });
    length += text.length;
    for (const key of group ? [group, place] : [place]) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return chosen;
}

type Around = { text: string; segments: number; kept: Set<string> };

export function statementFeatures(candidate: Candidate, { text, segments, kept }: Around): Set<string> {
  const { foundBy, author, features, outcome, outcomeFeatures, reference, segment, words } = candidate;
  const found = new Set<string>();
  const sort = features.has('final') ? 'final' : features.has('firstReply') ? 'first' : 'middle';
  found.add(foundBy === 'claim' ? `by:${sort}` : `by:${foundBy}`);
  for (const name of features) {
    found.add(`${author === 'user' ? 'u' : 'a'}:${name}`);
    if (name === 'struck') found.add(name);
  }
  for (const name of outcomeFeatures) {
    found.add(`o:${name}`);
    if (name.startsWith('next:')) found.add(name);
  }
  const names = identifiers(text);
  if (outcome) found.add('outcome');
  if (reference) found.add('reference');
  if (text.length < 60) found.add('under60');
  if (names.size >= 3) found.add('names3');
  if (segment >= segments - 2) found.add('nearEnd');
  if (shared(names, kept) > 0) found.add('survives');
  if (author !== 'user') return found;
  if (features.has('question') && !outcome) found.add('unanswered');
  if (LASTING.test(straight(words.text)) && (foundBy === 'words' || foundBy === 'refusal'))
    found.add('lasting');
  if (isReport(features) && !outcome) found.add('report');
  return found;
}

function committedNames(segments: ReadSegment[]): Set<string> {
  const names = new Set<string>();
  for (const { calls } of segments)
    for (const call of calls.filter(isCommit))
      for (const name of identifiers(call.line.target ?? '')) names.add(name);
  return names;
}
