import { LASTING } from '../../text/lasting.ts';
import { contentWords, identifiers, shared } from '../../text/plain-text.ts';
import { pickedSort, saidSort } from '../../text/said-sort.ts';
import { straight } from '../../text/straight.ts';
import { type Candidate, ownText } from '../candidate.ts';
import { isStillBroken } from '../overturn/still-broken.ts';
import { publishedTexts } from '../read/published-texts.ts';
import type { ReadSegment } from '../read/segment-units.ts';
import { isCommit, isEdit, isPassed } from '../read/segments.ts';
import { asksForWork, isReport, passesGate } from './gate.ts';
import { worthFeatures } from './worth-features.ts';

const CHECKS =
  /\b(?:test|tests|spec|check|lint|build|typecheck|tsc|vitest|jest|pytest|cargo|go (?:test|vet|build)|make|gradle|mvn|rspec|clippy|e2e|ci)\b/i;

/** Talk about the course of the work, not about the work. */
const PROCESS =
  /\b(?:commit(?:ted)?|push(?:ed)?|merge[ds]?|rebase|squash|prs?|pull requests?|pr (?:feedback|comments?)|continue|proceed|next (?:steps?|phases?|tasks?)|what'?s next|go on|status|tasks?\.md|to-?dos?|clean ?up|review)\b/i;

/** The next words say that it does not work yet. */
const FAILED =
  /\b(?:still|errors?|fail\w*|broken|not (?:work|show|see)\w*|doesn't|didn't|isn't|wrong|same (?:issue|problem)|revert|undo|hmm|wait)\b/i;
const HEARD = 300;
/** What a whole session contributes to the features of its statements, computed once. */
export type Bearing = {
  segments: ReadSegment[];
  /** Names in what was committed or written down, with the last segment where. */
  kept: Map<string, number>;
  /** Content words with the last segment where each was said, and in how many. */
  last: Map<string, number>;
  counts: Map<string, number>;
  edits: boolean[];
  commits: boolean[];
  checks: boolean[];
  hasCalls: boolean;
};

export function bearingOf(segments: ReadSegment[]): Bearing {
  const bearing: Bearing = {
    segments,
    kept: new Map(),
    last: new Map(),
    counts: new Map(),
    hasCalls: segments.some(({ calls }) => calls.length > 0),
    edits: segments.map(({ calls }) => calls.some(isEdit)),
    commits: segments.map(({ calls }) => calls.some(isCommit)),
    checks: segments.map(({ calls }) =>
      calls.some(
        (call) => call.line.name === 'Bash' && isPassed(call) && CHECKS.test(call.line.target ?? ''),
      ),
    ),
  };
  for (const { index, calls, said, replies, answers } of segments) {
    for (const { line } of calls) {
      if (line.name !== 'Bash' || line.result !== undefined) continue;
      for (const { text } of publishedTexts(line.target ?? ''))
        for (const name of identifiers(text.text)) bearing.kept.set(name, index);
    }
    const words = new Set<string>();
    for (const { text } of said) for (const word of contentWords(text)) words.add(word);
    const last = replies.at(-1);
    for (const unit of answers) if (unit.reply === last) for (const word of unit.words) words.add(word);
    for (const word of words) {
      bearing.last.set(word, index);
      bearing.counts.set(word, (bearing.counts.get(word) ?? 0) + 1);
    }
  }
  return bearing;
}

/** What speaks for and against a statement as a whole. */
export function statementFeatures(candidate: Candidate, bearing: Bearing): Set<string> {
  const { foundBy, author, features, outcome, outcomeFeatures, reference, segment, words } = candidate;
  const text = ownText(candidate);
  const found = new Set<string>();
  const when = (holds: boolean, ...names: string[]) => {
    if (holds) for (const name of names) found.add(name);
  };
  const sort = foundBy === 'claim' ? 'c' : author === 'user' || foundBy === 'pasted' ? 'u' : 'p';
  const part = features.has('final') ? 'final' : features.has('firstReply') ? 'first' : 'middle';
  found.add(foundBy === 'claim' ? `by:${part}` : `by:${foundBy}`);
  for (const name of features) found.add(`${sort}:${name}`);
  for (const name of outcomeFeatures) found.add(`o:${name}`);
  const { segments, kept, last, counts } = bearing;
  const here = segments[segment]!;
  const names = identifiers(text);
  const own = contentWords(text);
  when(outcome !== undefined, `${sort}:outcome`);
  when(reference !== undefined, `${sort}:reference`);
  when(text.length < 60, 'under60');
  when(text.length > 150, 'over150');
  when(text.length > 250, 'over250');
  when(text.length > 350, 'over350');
  when(names.size >= 1, 'names1');
  when(names.size >= 3, 'names3');
  when(names.size >= 6, 'names6');
  when(segment >= segments.length - 2, 'nearEnd');
  when(segment >= segments.length * 0.6, 'late');
  when(segments.length <= 6, 'fewSegments', `few:${foundBy}`);
  when(segments.length > 25, 'manySegments');
  when(
    [...names].some((name) => (kept.get(name) ?? -1) >= segment),
    'survives',
    `survives:${sort}`,
  );
  let [recur, common] = [0, 0];
  for (const word of own) {
    if ((last.get(word) ?? -1) > segment) recur++;
    if ((counts.get(word) ?? 0) >= 3) common++;
  }
  when(recur >= 0.4 * own.size, 'recurs4');
  when(recur >= 0.7 * own.size, 'recurs7');
  when(common >= 0.4 * own.size, 'common4');
  when(common >= 0.7 * own.size, 'common7');
  when(bearing.edits[segment] ?? false, `edits:${sort}`);
  when(bearing.commits[segment] ?? false, `commits:${sort}`);
  when(bearing.checks[segment] ?? false, `checks:${sort}`);
  when(bearing.commits.slice(segment, segment + 3).some(Boolean), `soon:${sort}`);
  found.add(`r:${here.reaction}:${sort}`);
  when(here.stopped, 'stopped');
  when(!passesGate(candidate), `gated:${sort}`);
  when(features.has('struck'), 'struck');
  const heard = straight(segments[segment + 1]?.said.map((one) => one.text.slice(0, HEARD)).join(' ') ?? '');
  when(sort === 'p' && isStillBroken(text, heard), 'p:stillFails');
  for (const name of worthFeatures(candidate)) found.add(name);
  if (sort !== 'u') return found;
  const plain = straight(words.text);
  when(!bearing.hasCalls, 'w:noCalls');
  found.add(`said:${reference ? pickedSort(reference.text) : saidSort(words.text)}`);
  when(features.has('question') && !outcome, 'unanswered');
  when(LASTING.test(plain) && (foundBy === 'words' || foundBy === 'refusal'), 'lasting');
  when(isReport(features) && !outcome, 'report');
  when(PROCESS.test(plain), 'process');
  when(asksForWork(plain), 'asksForWork');
  when(outcome !== undefined && isSettled(candidate, bearing), 'settled');
  const asked = segments[segment + 1]?.own ?? [];
  when(outcome !== undefined && FAILED.test(heard), 'w:failedNext');
  when(
    asked.length > 0 && shared(own, contentWords(asked.map((unit) => unit.text).join(' '))) >= 3,
    'takenUp',
  );
  return found;
}

/** An edit, a commit, a check that passed, a concession or the user's consent came with it. */
function isSettled(
  { segment, outcomeFeatures }: Candidate,
  { segments, edits, commits, checks, hasCalls }: Bearing,
): boolean {
  if (edits[segment] || commits[segment] || checks[segment]) return true;
  const reaction = segments[segment]?.reaction;
  // Where no call is recorded, the report of a change that nobody objects to has to do.
  if (!hasCalls && outcomeFeatures.has('fix') && reaction !== 'none') return true;
  return outcomeFeatures.has('concedes') || reaction === 'agrees';
}
