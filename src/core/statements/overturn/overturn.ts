import type { Overturned, Quote } from '../../model/statement.ts';
import { LASTING } from '../../text/lasting.ts';
import { contentWords, shared } from '../../text/plain-text.ts';
import { straight } from '../../text/straight.ts';
import { type Candidate, ownText, quoteOf, statementText } from '../candidate.ts';
import { ownLines } from '../read/own-lines.ts';
import { type AgentUnit, isWords, type ReadSegment } from '../read/segment-units.ts';
import { topicOf } from '../read/topic.ts';
import { USER_CUES } from '../read/user-cues.ts';
import { redoneCommits } from './redone-commits.ts';
import { namesTakenBack, takenBackIn } from './taken-back.ts';
import { undoneEdits } from './undone-edits.ts';

const CONCEDES =
  /\b(?:you'?re (?:absolutely |completely |totally )?(?:right|correct)|you are (?:absolutely )?(?:right|correct)|i was wrong|i apologi[sz]e|my mistake|i made (?:that|it) up|let me revert|i misunderstood|had it backwards|that was wrong|i misread)\b/i;
const OPENING = 250;
const REACH = 8;
const WISHES = /\bi (?:want|would|'d)\b|\blet'?s\b/i;
/** If this share of a statement's names is withdrawn, the whole statement is. */
const NAMES_SHARE = 0.3;

/**
 * Takes out what was refused, conceded, taken back or undone later: the outcome of the user's words, or a whole claim. The answer
 * is what was refused at once, whether a candidate had it or not.
 */
export function overturn(candidates: Candidate[], segments: ReadSegment[]): Overturned[] {
  for (const candidate of candidates) {
    const isRefused = segments[candidate.segment]?.reaction === 'objects';
    contest(candidate, segments[candidate.segment + 1], isRefused);
  }
  const concessions = concessionsIn(segments);
  const names = namesTakenBack(segments);
  const undone = undoneEdits(segments);
  for (const candidate of candidates) {
    concede(candidate, concessions);
    const found = takenBackIn(ownText(candidate), candidate.segment, names);
    if (found && found.taken.size >= NAMES_SHARE * found.all) {
      const own = takenBackIn(candidate.words.text, candidate.segment, names);
      if (candidate.author !== 'assistant' && own && own.taken.size > 0) candidate.dead = true;
      strike(candidate, found.by);
    }
    const undoing = undone(statementText(candidate), candidate.segment);
    if (undoing) strike(candidate, undoing);
  }
  dropReplaced(candidates);
  for (const { commit, by } of redoneCommits(candidates, segments)) strike(commit, by);
  return refusedIn(segments);
}

const DROPS =
  /\b(?:drop(?:s|ped|ping)?|revert(?:s|ed|ing)?|remov(?:e|es|ed|ing)|undo(?:es)?|back out|the (?:earlier|previous)|no longer|replac(?:e|es|ed|ing))\b/i;
/** Share of the words of a commit's first line that a later commit has, too, which takes it back. */
const SAME_MATTER = 0.75;
const FEWEST = 4;

/** What a later commit of the session reverts is no longer true. */
function dropReplaced(candidates: Candidate[]): void {
  const commits = candidates.filter(({ foundBy }) => foundBy === 'commit');
  const dropping = commits.filter(({ words }) => DROPS.test(subjectOfCommit(words.text)));
  if (dropping.length === 0) return;
  for (const commit of commits) {
    const subject = subjectOfCommit(commit.words.text);
    const about = topicOf(subject.replace(SCOPE, ''));
    // A commit that drops something itself is not what another one drops.
    if (about.size < FEWEST || DROPS.test(subject)) continue;
    const by = dropping.find(
      (later) =>
        later.segment >= commit.segment &&
        later.words.quotes[0]!.src > commit.words.quotes[0]!.src &&
        shared(about, topicOf(later.words.text)) >= SAME_MATTER * about.size,
    );
    if (by) strike(commit, by.words.quotes.slice(0, 1));
  }
}

function subjectOfCommit(text: string): string {
  return text.split(' — ')[0]!;
}

const SCOPE = /^\w+(?:\([^)]*\))?!?: /;

/** Says no, and not only that something else is wanted, too. */
const REFUSES =
  /^[^\p{L}\p{N}]*(?:no\b(?! (?:problem|worries|need))|nope\b|wrong\b|not (?:true|right|correct)\b|that(?:'s| is) (?:not (?:true|right|correct|how)|wrong)|you(?:'re| are) wrong)/iu;
const OBJECTION = 500;
/** Words in common with the refusal; one fewer is needed if both sides agree. */
const SHARED = 3;
const SHORTEST = 40;

/** Says that something is so or should be done, and not what the agent does next. */
function isClaimed({ text, features }: AgentUnit): boolean {
  if (text.length < SHORTEST || /:$/.test(text)) return false;
  return !['asks', 'narrates', 'concedes', 'task'].some((name) => features.has(name));
}

/** What the agent proposed or claimed, and the user refused at once or the agent withdrew in its next message. */
function refusedIn(segments: ReadSegment[]): Overturned[] {
  return segments.flatMap(({ index, reaction, answers }) => {
    const next = segments[index + 1];
    const said = next?.said[0];
    if (reaction !== 'objects' || !next || !said || !isWords(said)) return [];
    const objection = ownLines(said.text).slice(0, OBJECTION);
    const reply = next.replies[0]?.text.slice(0, OPENING) ?? '';
    const [refuses, concedes] = [REFUSES.test(straight(objection)), CONCEDES.test(straight(reply))];
    if (!refuses && !concedes) return [];
    const least = refuses && concedes ? SHARED - 1 : SHARED;
    const about = contentWords(`${objection} ${reply}`);
    const by = [quoteOf(said, 'text', { from: 0, to: Math.min(said.text.length, 300) })];
    return answers
      .filter((unit) => isClaimed(unit) && shared(unit.words, about) >= least)
      .map((unit) => ({ was: [quoteOf(unit.reply, 'text', unit)], by }));
  });
}

/** The agent's part goes; where there is no other, all of it. */
function strike(candidate: Candidate, by: Quote[]): void {
  if (candidate.author === 'assistant') {
    candidate.dead = true;
    candidate.overturned.push({ was: candidate.words.quotes, by });
    return;
  }
  if (!candidate.outcome) return;
  candidate.overturned.push({ was: candidate.outcome.quotes, by });
  delete candidate.outcome;
  candidate.outcomeFeatures = new Set();
  candidate.features = new Set([...candidate.features, 'struck']);
}

function agentPart({ author, words, outcome, foundBy }: Candidate): string {
  if (author === 'assistant') return foundBy === 'claim' ? words.text : '';
  return outcome?.text ?? '';
}

/** The next message of the user takes up the same subject with a wish or an objection: it is not settled. */
function contest(candidate: Candidate, next: ReadSegment | undefined, isRefused: boolean): void {
  const part = agentPart(candidate);
  const said = next?.said[0];
  if (part === '' || !said || !isWords(said)) return;
  const text = straight(ownLines(said.text).slice(0, 500));
  if (USER_CUES.agrees.test(text)) return;
  const disputes =
    USER_CUES.objects.test(text) || USER_CUES.proposes.test(text) || LASTING.test(text) || WISHES.test(text);
  if (!isRefused && (!disputes || shared(contentWords(text), contentWords(part)) < 2)) return;
  strike(candidate, [quoteOf(said, 'text', { from: 0, to: Math.min(said.text.length, 300) })]);
}

type Concession = { segment: number; words: Set<string>; by: Quote[] };

function concessionsIn(segments: ReadSegment[]): Concession[][] {
  return segments.map(({ index, said, replies }) => {
    if (index === 0) return [];
    const asked = said
      .filter(isWords)
      .map(({ text }) => ownLines(text).slice(0, 400))
      .join(' ');
    return replies.flatMap((reply, place) => {
      const opening = straight(reply.text.slice(0, OPENING));
      const refuses = place === 0 && /^[^\p{L}\p{N}]*No\b[,!.]/u.test(reply.text);
      if (!CONCEDES.test(opening) && !refuses) return [];
      const words = contentWords(`${asked} ${reply.text.slice(0, 400)}`);
      const by = [quoteOf(reply, 'text', { from: 0, to: Math.min(OPENING, reply.text.length) })];
      return [{ segment: index, words, by }];
    });
  });
}

function concede(candidate: Candidate, concessions: Concession[][]): void {
  const { segment } = candidate;
  let part = agentPart(candidate);
  if (part === '') return;
  let about = contentWords(part);
  for (let later = segment + 1; later <= segment + REACH && later < concessions.length; later++) {
    for (const { words, by } of concessions[later]!) {
      if (shared(words, about) < (later === segment + 1 ? 2 : 3)) continue;
      strike(candidate, by);
      part = agentPart(candidate);
      if (part === '') return;
      about = contentWords(part);
    }
  }
}
