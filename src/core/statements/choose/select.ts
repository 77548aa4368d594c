import { contentWords, shared } from '../../text/plain-text.ts';
import { type Candidate, ownText, statementText } from '../candidate.ts';
import type { ReadSegment } from '../read/segment-units.ts';
import { type FittedWeights, weighed } from '../weights.ts';
import { type Bearing, bearingOf, statementFeatures } from './statement-features.ts';

/** Statements of a session: those that are shown in a long one, and those together with candidates for a review. */
const SHOWN = 8;
const MOST = 11;
const PER_SEGMENT = 2;
/** Share of the shorter one's words that makes two statements one. */
const ALIKE = 0.5;
const SHORTEST = 26;
/** How much worse a wrong statement is than a true one is good. */
const HARM = 1.5;
const LEAST_SHOWN = 0.22;
/** How much it counts that a reader would keep a statement, and the least chance of it. */
const KEEP = 0.3;
const LEAST_KEPT = 0.5;
/** The user's words: strict readers keep fewer of them than of what was committed or written down. */
const LEAST_KEPT_WORDS = 0.55;
/** Where they ask something or speak of the work's course, most are of the day. */
const LEAST_KEPT_ASKING = 0.7;
/** Decided with a reason, and taken up: readers keep nearly all of it. */
const LEAST_KEPT_REASON = 0.4;
/** Says nothing that someone would look for weeks later. */
const NOT_SHOWN = [
  'asksForWork',
  'gated:u',
  'unanswered',
  'report',
  'said:orders',
  'said:dangles',
  'said:pasted',
  'p:chore',
  'p:stillFails',
  'w:listed',
  'w:bare',
  'w:asksFirst',
  'w:unsure',
  'w:reviewed',
  'w:oneOf',
  'w:finding',
  'w:help',
  'w:seeks',
  'w:paperwork',
  'w:goesOn',
  'p:instructs',
];

const OWN_KINDS = ['rule', 'preference', 'constraint', 'environment'];

/** A candidate with all that its rank depends on; `only`: the tier that it is for, where it is not for both. */
export type Judged = {
  candidate: Candidate;
  text: string;
  words: Set<string>;
  features: Set<string>;
  only?: RankedStatement['tier'];
};
type Chances = { holds: number; wrong: number; kept: number };
export type RankedStatement = Omit<Judged, 'only'> & Chances & { tier: 'shown' | 'candidate' };

export function judge(candidates: Candidate[], segments: ReadSegment[]): Judged[] {
  const bearing = bearingOf(segments);
  return candidates.flatMap((candidate) => {
    const text = statementText(candidate);
    if (candidate.dead || ownText(candidate).length < SHORTEST) return [];
    const judged = {
      candidate,
      text,
      words: contentWords(text),
      features: statementFeatures(candidate, bearing),
    };
    if (candidate.isRuleAlone) return [{ ...judged, only: 'shown' }];
    // Readers keep half of them: what was wrong is of the day where it is mended.
    if (candidate.isCause) return [{ ...judged, only: 'candidate' }];
    if (!candidate.isApart || !candidate.outcome) return [judged];
    return [{ ...judged, only: 'candidate' }, ...wordsAlone(candidate, bearing)];
  });
}

/** The user's words without an outcome that may be of others. */
function wordsAlone({ outcome: _, ...candidate }: Candidate, bearing: Bearing): Judged[] {
  const alone = { ...candidate, outcomeFeatures: new Set<string>() };
  const text = statementText(alone);
  if (ownText(alone).length < SHORTEST) return [];
  const features = statementFeatures(alone, bearing);
  return [{ candidate: alone, text, words: contentWords(text), features, only: 'shown' }];
}

/** The best ones, none like another: first those that are shown, then candidates. */
export function select(judged: Judged[], segments: ReadSegment[], fitted: FittedWeights): RankedStatement[] {
  // A short session decides little.
  const limit = Math.min(SHOWN, 2 + Math.floor(segments.length / 2));
  const ranked = judged.map((one, place) => ({ ...one, ...chances(one, fitted), place }));
  ranked.sort((a, b) => worth(b) - worth(a) || a.place - b.place);
  const chosen: RankedStatement[] = [];
  const counts = new Map<string, number>();
  const take = (
    { place, only: _, ...one }: (typeof ranked)[number],
    tier: RankedStatement['tier'],
  ): boolean => {
    const key = `${one.candidate.segment} ${one.candidate.author}`;
    if ((counts.get(key) ?? 0) >= PER_SEGMENT || chosen.some((other) => isAlike(one, other))) return false;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    chosen.push({ ...one, tier });
    return true;
  };
  const sources = new Set<string>();
  const left = ranked.filter((one) => {
    const source = sourceOf(one.candidate);
    if (one.only === 'candidate' || chosen.length >= limit || sources.has(source)) return true;
    if (!isShowable(one) || !take(one, 'shown')) return true;
    sources.add(source);
    return false;
  });
  for (const one of left) if (chosen.length < MOST && one.only !== 'shown') take(one, 'candidate');
  return chosen;
}

/** A commit message or a note says its point in one of its pieces. */
function sourceOf({ words: { quotes } }: Candidate): string {
  return `${quotes[0]?.src} ${quotes[0]?.text}`;
}

/** What only the agent says, what someone else wrote and what asks more than it decides is for a review. */
function isShowable({ candidate, features, ...chances }: Omit<RankedStatement, 'tier'>): boolean {
  if (candidate.isRuleAlone) return true;
  if (candidate.foundBy === 'claim' || candidate.foundBy === 'pasted') return false;
  if (NOT_SHOWN.some((name) => features.has(name)) || !isOfUse(features)) return false;
  // What the user says for all time is shown, however it compares.
  if (isLasting(features) && !features.has('w:atHand') && features.has('w:forGood')) return true;
  return (
    chances.kept >= leastKept(candidate, features) && chances.holds - HARM * chances.wrong >= LEAST_SHOWN
  );
}

function leastKept({ foundBy }: Candidate, features: Set<string>): number {
  if (!SAID_BY_USER.has(foundBy)) return LEAST_KEPT;
  if (features.has('process') && !isOwnKind(features)) return LEAST_KEPT_ASKING;
  const isDone = features.has('said:decides') && features.has('settled');
  if (features.has('w:question') && !isConceded(features) && !isDone) return LEAST_KEPT_ASKING;
  return isAgreed(features) ? LEAST_KEPT_REASON : LEAST_KEPT_WORDS;
}

function isOwnKind(features: Set<string>): boolean {
  return OWN_KINDS.some((kind) => features.has(`u:says:${kind}`));
}

/** The agent says that the user is right. */
function isConceded(features: Set<string>): boolean {
  return ['o:answers', 'o:concedes', 'o:yes'].some((name) => features.has(name));
}

function isLasting(features: Set<string>): boolean {
  return ['lasting', 'u:says:rule', 'said:decides'].every((name) => features.has(name));
}

/** What shows that the agent took up what the user decided. */
const TAKEN_UP = ['o:answers', 'o:concedes', 'o:fix', 'o:cause', 'o:decides', 'settled'];

/** Decided with a reason, and the agent agreed or did it. */
function isAgreed(features: Set<string>): boolean {
  if (!features.has('said:decides') || !features.has('u:because')) return false;
  return TAKEN_UP.some((name) => features.has(name));
}

/** Whether the user's words say enough together with their outcome; all others do. */
function isOfUse(features: Set<string>): boolean {
  const has = (...names: string[]) => names.some((name) => features.has(name));
  const isOwn = isOwnKind(features);
  if (has('w:pointsBack') && (has('w:alone') || !isConceded(features))) return false;
  if (has('w:atHand')) return false;
  // The first message says what the session is to do, seldom what was decided.
  if (has('u:first') && !isOwn && !isAgreed(features)) return false;
  if (has('said:builds')) return has('settled') && !has('w:about0');
  if (has('w:alone', 'w:about0') && !isOwn && !has('said:decides')) return false;
  if (has('said:asks', 'said:reports'))
    return (
      isConceded(features) && has('settled') && has('o:limit', 'o:cause', 'o:decides', 'o:fix', 'o:concedes')
    );
  return true;
}

/** Shares of such statements that strict readers kept, of projects that the weights were found without; docs/benchmarks-in-detail.md has the tables. */
export function confidenceOf({ tier, kept, candidate, features }: RankedStatement): number {
  if (tier === 'candidate') {
    const isSure = kept >= 0.5 && ![...NOT_SHOWN, 'w:atHand', 'w:help'].some((name) => features.has(name));
    return isSure ? 0.5 : kept >= 0.3 ? 0.4 : 0.2;
  }
  return SAID_BY_USER.has(candidate.foundBy) ? 0.8 : 0.9;
}

const SAID_BY_USER: ReadonlySet<Candidate['foundBy']> = new Set(['words', 'refusal', 'pick']);

function chances({ features, candidate }: Judged, fitted: FittedWeights): Chances {
  // The score of the sentence itself, within bounds, counts as one feature.
  const prior = Math.min(6, Math.max(-4, candidate.score)) / 2;
  const chance = (weights: Record<string, number>) =>
    1 / (1 + Math.exp(-weighed(features, weights) - (weights.prior ?? 0) * prior));
  return { holds: chance(fitted.holds), wrong: chance(fitted.wrong), kept: chance(fitted.kept) };
}

/** What is to be done from now on comes before what was decided once. */
const RULE = 0.15;

function worth({ holds, wrong, kept, candidate }: Chances & Pick<Judged, 'candidate'>): number {
  return holds - HARM * wrong + KEEP * kept + (candidate.isRuleAlone ? RULE : 0);
}

function isAlike({ words }: Judged, other: Judged): boolean {
  return shared(words, other.words) > ALIKE * Math.min(words.size, other.words.size);
}
