import { termsOf } from '../../text/terms.ts';
import { termWeight } from '../term-weight.ts';
import { isInPassing, isVague } from './ask-fragment.ts';
import { isDoneReport } from './closing-sentence.ts';
import { cutTitle, fitTitle, LONGEST_TITLE, LONGEST_WHOLE_TITLE } from './fit-title.ts';
import type { NotedSubject } from './subject-title.ts';
import { askScore, type NotedAsk, SHORT_ASK, settledAsks, type TitleNotes } from './title-notes.ts';

/** Titles that the agent's files contain themselves. */
export type OwnTitles = { customTitle?: string; aiTitle?: string; summaryTitle?: string };

const SAYS_NOTHING =
  /\b(?:exit(?:s|ed)?|clear(?:ed)?|greeting|untitled|new (?:session|chat|conversation)|session (?:start|end)|no (?:content|conversation)|interrupted)\b/i;
const BETWEEN = ' - ';
/** Of an ask that says little not much is shown. */
const LONGEST_VAGUE = 40;
/** The factor of additional work for a later ask from which the session is also about that one. */
const OUTWEIGHS = 2;
/** A shorter piece of an outcome says nothing. */
const SHORTEST_ADDITION = 16;
/** A question on the way is seldom what a session is about. */
const PASSING = 0.5;
/** With more different commits, one of them is not what the session is about unless the first ask speaks of it. */
const FEW_SUBJECTS = 3;

/** What a colleague would recognize a session by: the user's words for it, otherwise the first request, with its outcome if the request is vague. */
export function chooseTitle(notes: TitleNotes, own: OwnTitles): string | undefined {
  if (own.customTitle) return fitTitle(own.customTitle).text || undefined;
  for (const title of [own.aiTitle, own.summaryTitle])
    if (title && !SAYS_NOTHING.test(title) && !isVague(title)) return fitTitle(title).text;
  const asks = settledAsks(notes);
  const [first, ...later] = asks;
  if (!first)
    return (
      bestSubject(notes.subjects, asks) ?? notes.agentPlan ?? notes.command ?? notes.answer ?? notes.words
    );
  const { text } = first;
  const result = bestSubject(notes.subjects, asks) ?? notes.agentPlan;
  const other = bestAsk(later);
  if (isVague(text)) {
    const more = result ?? outcomeOf(asks, other) ?? notes.answer;
    return more === undefined ? text : withAddition(shortVague(text), more);
  }
  if (text.length >= SHORT_ASK) return text;
  const instead = other && askScore(other) > OUTWEIGHS * askScore(first) ? other.text : undefined;
  const more = result ?? instead;
  return more === undefined ? text : withAddition(text, more);
}

/** The outcome of a vague request: what the agent says it did, otherwise another request. */
function outcomeOf(asks: NotedAsk[], other: NotedAsk | undefined): string | undefined {
  let best: NotedAsk | undefined;
  for (const ask of asks) if (ask.done && (!best || askScore(ask) > askScore(best))) best = ask;
  const { done = '' } = best ?? {};
  return isDoneReport(done) && !isVague(done) ? done : (other?.text ?? (done || undefined));
}

/** The part of a vague request that is shown before its outcome. */
function shortVague(text: string): string {
  if (text.length <= LONGEST_VAGUE) return text;
  const clause = /^(.{16,40}?)(?: [-–—(]|[,.;:!?] | and | so )/.exec(text)?.[1];
  return clause ?? '';
}

/** The one of several commits that says what the session is about. */
function bestSubject(subjects: NotedSubject[], asks: NotedAsk[]): string | undefined {
  if (subjects.length === 0) return undefined;
  const asked = termSet(asks.map(({ text }) => text));
  const weighed = subjects.map((subject) => ({
    subject,
    weight: subject.weight + shared(subject.text, asked),
  }));
  const best = weighed.reduce((high, it) => (it.weight > high.weight ? it : high));
  const [first] = asks;
  const begun = termSet(first ? [first.text] : []);
  if (subjects.length > FEW_SUBJECTS && begun.size >= 4 && shared(best.subject.text, begun) === 0)
    return undefined;
  return best.subject.text;
}

/** The later ask that most was done for. */
function bestAsk(asks: NotedAsk[]): NotedAsk | undefined {
  let best: NotedAsk | undefined;
  let most = 0;
  for (const ask of asks) {
    if (isVague(ask.text)) continue;
    const score = askScore(ask) * (isInPassing(ask.text) ? PASSING : 1);
    if (score > most) [best, most] = [ask, score];
  }
  return best;
}

/** "Fix the tests" alone is vague: the outcome says more. */
function withAddition(ask: string, more: string): string {
  if (ask === '') return more;
  const room = LONGEST_TITLE - ask.length - BETWEEN.length;
  if (room < SHORTEST_ADDITION || isSaid(more, ask)) return ask;
  const short = cutTitle(more, { wish: room, most: room + LONGEST_WHOLE_TITLE - LONGEST_TITLE });
  return short.length < SHORTEST_ADDITION ? ask : `${ask}${BETWEEN}${short}`;
}

/** Whether most of the words of a text are in another. */
function isSaid(text: string, other: string): boolean {
  const terms = termSet([text]);
  const known = termSet([other]);
  return [...terms].filter((term) => known.has(term)).length > terms.size / 2;
}

function termSet(texts: string[]): Set<string> {
  return new Set(texts.flatMap((text) => termsOf(text)));
}

/** What the words that two texts share are worth. */
function shared(text: string, terms: Set<string>): number {
  let sum = 0;
  for (const term of new Set(termsOf(text))) if (terms.has(term)) sum += termWeight(term);
  return sum;
}
