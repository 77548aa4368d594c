import { termsOf } from '../../text/terms.ts';
import { termWeight } from '../term-weight.ts';
import { isInPassing, LEAST_TITLE_WORTH, worthOf } from './ask-fragment.ts';
import { fitTitle } from './fit-title.ts';
import type { NotedSubject } from './subject-title.ts';
import { askScore, type NotedAsk, settledAsks, type TitleNotes } from './title-notes.ts';

/** Titles that the agent's files hold themselves. */
export type OwnTitles = { customTitle?: string; aiTitle?: string; summaryTitle?: string };

const SAYS_NOTHING =
  /\b(?:exit(?:s|ed)?|clear(?:ed)?|greeting|untitled|new (?:session|chat|conversation)|session (?:start|end)|no (?:content|conversation)|interrupted)\b/i;
const SHORT_ASK = 32;
const FIRST = 1.8;
/** A question on the way is seldom what a session is about. */
const PASSING = 0.5;
/** With more different commits, one of them is not what the session is about unless the first ask speaks of it. */
const FEW_SUBJECTS = 3;

/** What a colleague would know a session by: the user's words for it, else the plan, the commit or the ask that says most. */
export function chooseTitle(notes: TitleNotes, own: OwnTitles): string | undefined {
  if (own.customTitle) return fitTitle(own.customTitle).text || undefined;
  for (const title of [own.aiTitle, own.summaryTitle])
    if (title && !SAYS_NOTHING.test(title) && worthOf(title) >= LEAST_TITLE_WORTH)
      return fitTitle(title).text;
  const asks = settledAsks(notes);
  return (
    notes.plan ??
    bestSubject(notes.subjects, asks) ??
    notes.agentPlan ??
    bestAsk(asks) ??
    notes.command ??
    notes.answer ??
    notes.words
  );
}

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

function bestAsk(asks: NotedAsk[]): string | undefined {
  let best: NotedAsk | undefined;
  let most = 0;
  for (const [place, ask] of asks.entries()) {
    const form = place === 0 ? FIRST : isInPassing(ask.text) ? PASSING : 1;
    const score = askScore(ask) * form;
    if (score > most) [best, most] = [ask, score];
  }
  if (!best) return undefined;
  return best.done ? withOutcome(best.text, best.done) : best.text;
}

/** "Review PR #12" alone says little: what came of it says more. */
function withOutcome(ask: string, done: string): string {
  return ask.length > SHORT_ASK ? done : fitTitle(`${ask} - ${done}`).text;
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
