import type { ExchangeRecord } from '../model/exchange.ts';
import type { Overturned, SessionStatement } from '../model/statement.ts';
import { decides, isAsked, isStepOfWork } from '../text/decides.ts';
import { choosesForGood } from './key-decision.ts';
import { LONGEST_POINT, type Point, type PointKind } from './page.ts';
import { plainLine } from './plain-line.ts';

/** A point and the line of the session that it begins at. */
export type PlacedPoint = Point & { at: number };

/** Characters of what was withdrawn, and of the words that did. */
const LONGEST_WAS = 200;
const LONGEST_BY = 160;
const MOST_TAKEN_BACK = 3;

const KINDS: Record<SessionStatement['kind'], PointKind> = {
  decision: 'decision',
  rule: 'rule',
  preference: 'rule',
  constraint: 'decision',
  lesson: 'learning',
  solution: 'learning',
  environment: 'environment',
  open: 'open',
};

/** The points of a page that say what is true at the end of a session, in their order. */
export function statementPoints(
  statements: readonly SessionStatement[],
  exchanges: readonly ExchangeRecord[],
): PlacedPoint[] {
  return statements
    .map((statement) => {
      const at = statement.quotes[0]?.line ?? statement.exchange;
      return { ...pointOfStatement(statement), ...exchangeAt(exchanges, at), at };
    })
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.at - b.at);
}

/** Text that was withdrawn in the same session, with the words that withdrew it. */
export function takenBackPoints(
  statements: readonly SessionStatement[],
  exchanges: readonly ExchangeRecord[],
): PlacedPoint[] {
  const seen = new Set<string>();
  return (
    statements
      .flatMap(({ overturned }) => overturned)
      // An edit that replaced another does not say why.
      .filter(({ by }) => by.every(({ field }) => field !== 'diff'))
      .flatMap(({ was, by }): PlacedPoint[] => {
        const text = takenBack({ was, by });
        if (text === '' || seen.has(text)) return [];
        seen.add(text);
        const at = by[0]?.line ?? 1;
        return [{ kind: 'change', text, by: by[0]?.by ?? 'user', ...exchangeAt(exchanges, at), at }];
      })
      .slice(0, MOST_TAKEN_BACK)
  );
}

/** A statement as a point, without its exchange. */
export function pointOfStatement(statement: SessionStatement): Pick<Point, 'kind' | 'text' | 'by'> {
  const { author, text, offline = text } = statement;
  const by = author === 'user' ? 'user' : 'assistant';
  return {
    kind: kindOf(statement, plainText(offline)),
    text: plainLine(plainText(text), LONGEST_POINT),
    by,
  };
}

function plainText(text: string): string {
  return text
    .replace(/^User: /, '')
    .replace(/^Commit: /, '')
    .replace(/^(?:Left open|Remains) at the end: /, '')
    .replace(/(["\])]) -> /, '$1 → ');
}

/** Names a machine, a service, a port, a version: what work depends on. */
const SURROUNDS =
  /\b(?:ports?|https?:|localhost|hosts?|servers?|deploy\w*|env(?:ironment)? var\w*|\.env|databases?|runs? (?:on|in|at)|installed|credentials|accounts?|regions?|requires?|node \d|python \d|version \d)\b/i;

/** For hidden statements: the minimum confidence of a decision with an outcome, and of one with a reason. */
const LEAST_DECIDED = 0.5;
const LEAST_WITH_REASON = 0.4;
const REASON = /\b(?:because|since|so that|otherwise|in order to|the reason|so (?:we|it|they|that))\b/i;

/**
 * Few and right: a decision is what the user said and is sure enough. A question with its answer was found out; what only the
 * agent says was done at most; the rest is a note.
 */
function kindOf({ kind, foundBy, tier, confidence }: SessionStatement, text: string): PointKind {
  switch (foundBy) {
    case 'commit':
      return kind === 'solution' ? 'learning' : publishedKind(tier, text);
    case 'note':
      return publishedKind(tier, text);
    case 'memory-file':
    case 'open-end':
      return KINDS[kind];
    case 'claim':
      return claimKind(kind, text);
    // Somebody's text, or the client's, that the user sent: nobody decided it by that.
    case 'pasted':
      return 'note';
    case 'answer':
      return isStepOfWork(text) ? 'note' : KINDS[kind];
    default:
      break;
  }
  if (!SAID.has(kind)) return KINDS[kind];
  const [, words = text, reference = ''] =
    /^"(.*?)"(?: \[(.*?)\])?(?: \((?:in|on) [^()]*\))?(?= →|$)/.exec(text) ?? [];
  if (isAsked(words)) return 'discovery';
  const hasOutcome = text.includes(' → ');
  if (!decides(words, reference)) return 'note';
  // A yes to an offer decides it where something came of it.
  if (reference === '' ? !choosesForGood(words, hasOutcome) : !hasOutcome) return 'note';
  // A wish counts only if it is shown.
  if (tier !== 'shown' && (kind === 'preference' || !hasOutcome)) return 'note';
  const least = REASON.test(words) ? LEAST_WITH_REASON : LEAST_DECIDED;
  return tier === 'shown' || kind !== 'decision' || confidence >= least ? KINDS[kind] : 'note';
}

/** Chosen among ways, and why. */
const CHOSEN =
  /\b(?:because|instead of|rather than|so that|no longer|to (?:avoid|prevent|eliminate|ensure)|otherwise|in favou?r of|this (?:avoids|prevents|ensures|keeps))\b/i;

/** What is tested or documented was decided elsewhere. */
const BESIDE = /\b(?:tests?|changelog|readme|docs?|document(?:s|ed|ation)?|typos?)\b/i;

function publishedKind(tier: SessionStatement['tier'], text: string): PointKind {
  const [subject = ''] = text.split(' — ', 1);
  return tier === 'shown' && CHOSEN.test(text) && !BESIDE.test(subject) ? 'decision' : 'done';
}

/** Kinds that the user's own words must support. */
const SAID: ReadonlySet<SessionStatement['kind']> = new Set(['decision', 'rule', 'preference', 'constraint']);

function claimKind(kind: SessionStatement['kind'], text: string): PointKind {
  if (kind === 'environment' && SURROUNDS.test(text)) return 'environment';
  return kind === 'lesson' || kind === 'solution' ? 'learning' : 'done';
}

function takenBack({ was, by }: Overturned): string {
  const said = (quotes: Overturned['was'], longest: number) =>
    plainLine(quotes.map(({ text }) => text).join(' '), longest);
  const [before, after] = [said(was, LONGEST_WAS), said(by, LONGEST_BY)];
  return before === '' || after === '' ? '' : `Taken back: "${before}", by: "${after}"`;
}

function exchangeAt(exchanges: readonly ExchangeRecord[], at: number): Pick<Point, 'exchange'> {
  const found = exchanges.find(({ l1_range: [first, last] }) => at >= first && at <= last);
  return found ? { exchange: found.id } : {};
}
