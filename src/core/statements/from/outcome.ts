import { contentWords, identifiers, numbersIn, shared } from '../../text/plain-text.ts';
import { straight } from '../../text/straight.ts';
import type { Piece } from '../candidate.ts';
import { AGENT_CUES } from '../read/agent-cues.ts';
import { isPassing } from '../read/passing.ts';
import type { AgentUnit, ReadSegment } from '../read/segment-units.ts';
import { isEdit, type Reply } from '../read/segments.ts';
import { tieOf, topicOf } from '../read/topic.ts';
import { OUTCOME_WEIGHTS, weighed } from '../weights.ts';
import { grow, TODAY } from './grow.ts';

const LEAST = 1.2;
const SHORTEST = 25;
const LEAST_SECOND = 2;
const SECOND_ROOM = 100;

export type StatementOutcome = {
  score: number;
  piece: Piece;
  unit: AgentUnit;
  /** Places of the sentences in it. */
  used: number[];
  /** It may be the answer to other words of the message. */
  isApart: boolean;
};

/**
 * The agent's sentence that states the outcome of the user's words: a result, a concession, a cause or a limit; never a
 * question, a guess or a proposal. None if the next message objects or cannot be read.
 */
export function statementOutcome(
  segment: ReadSegment,
  words: string,
  limit: number,
): StatementOutcome | undefined {
  if (segment.reaction === 'objects' || segment.reaction === 'unreadable') return undefined;
  const topic = topicOf(words);
  const scores = outcomeScores(segment, words);
  const best = bestOf(scores);
  if (best === -1 || scores[best]! < LEAST) return undefined;
  // A concession says what the next sentence corrects.
  const isNear = ({ text, features }: AgentUnit) =>
    features.has('concedes') || features.has('answers') || tieOf(topic, topicOf(text)) > 0;
  const grown = grow(segment.answers, best, { limit, isNear });
  if (AGENT_CUES.narrates.test(straight(grown.text))) return undefined;
  const { first, last } = grown;
  const outcome: StatementOutcome = {
    score: scores[best]!,
    piece: { text: grown.text, quotes: grown.quotes },
    unit: segment.answers[best]!,
    used: [],
    isApart: !belongs(segment.answers[best]!, grown.text, topic),
  };
  for (let place = first; place <= last; place++) outcome.used.push(place);
  const room = limit - grown.text.length;
  if (room < SECOND_ROOM) return outcome;
  const others = scores.map((score, place) =>
    (place < first || place > last) &&
    !TODAY.test(segment.answers[place]!.text) &&
    tieOf(topic, topicOf(segment.answers[place]!.text)) >= TIED
      ? score
      : Number.NEGATIVE_INFINITY,
  );
  const second = bestOf(others);
  if (second === -1 || others[second]! < LEAST_SECOND || segment.answers[second]!.text.length > room)
    return outcome;
  const more = grow(segment.answers, second, { limit: room - 40, isNear });
  for (let place = more.first; place <= more.last; place++) outcome.used.push(place);
  outcome.piece = {
    text: `${grown.text} … ${more.text}`,
    quotes: [...grown.quotes, ...more.quotes],
  };
  return outcome;
}

/** Things that both the words and their outcome name. */
const TIED = 2;
/** Words with fewer things in them can't name more. */
const FEW = 4;

/** Whether a sentence of the agent answers these words, and no others of the message: it takes them up or names what they name. */
function belongs({ features, reply, from }: AgentUnit, text: string, topic: Set<string>): boolean {
  if (['answers', 'concedes', 'yes'].some((name) => features.has(name))) return true;
  // A sentence right after a yes continues it.
  if (features.has('firstReply') && TAKES_UP.test(straight(reply.text.slice(0, from)))) return true;
  const tie = tieOf(topic, topicOf(text));
  return tie >= TIED || (tie > 0 && topic.size <= FEW);
}

const TAKES_UP =
  /^[^\p{L}\p{N}]*(?:yes\b|no\b|correct\b|exactly\b|you(?:'re| are) (?:\w+ )?(?:right|correct)|good (?:point|catch|call)|agreed\b)[^\n]{0,200}$/iu;

function bestOf(scores: number[]): number {
  let best = -1;
  scores.forEach((score, place) => {
    if (score > Number.NEGATIVE_INFINITY && (best === -1 || score > scores[best]!)) best = place;
  });
  return best;
}

/** Says what is wrong. */
const FAULTS =
  /\b(?:fail(?:s|ed|ing)?|broken|(?:does|do|did|is|are|was)n't|can't|cannot|missing|(?:issue|problem|bug|error)s? (?:is|are|was)|flag(?:s|ged|ging)|real (?:problem|issue|bug))\b/i;
const RESOLVES =
  /\b(?:fixed|resolved|solved|no longer|the (?:fix|solution)|instead of|replaced|you'?re right|now (?:uses?|works?|shows?|returns?|checks?|has|only|handles?|reads?|passes|includes?|is))\b/i;

/** A fault that later edits of the segment fixed is not the outcome of the words. */
function isMended({ replies, calls, answers }: ReadSegment): (unit: AgentUnit) => boolean {
  const changed = calls.findLast(isEdit)?.replies ?? 0;
  const early = new Set(replies.slice(0, changed));
  // In a message that contains all of the work, the agent continues after the fault that it found.
  const goesOn = new Map<Reply, number>();
  for (const { reply, features, from } of answers) if (features.has('narrates')) goesOn.set(reply, from);
  return ({ reply, text, from }) => {
    if (!early.has(reply) && from > (goesOn.get(reply) ?? -1)) return false;
    const plain = straight(text);
    return FAULTS.test(plain) && !RESOLVES.test(plain);
  };
}

function outcomeScores(segment: ReadSegment, words: string): number[] {
  const units = segment.answers;
  const isPast = isMended(segment);
  const [about, numbers, names] = [contentWords(words), numbersIn(words), identifiers(words)];
  return units.map((unit) => {
    if (!isResult(unit) || isPast(unit) || saysNothingNew(unit, about) || isStillToDo(unit))
      return Number.NEGATIVE_INFINITY;
    return (
      weighed(unit.features, OUTCOME_WEIGHTS) +
      0.4 * Math.min(4, shared(about, unit.words)) +
      0.6 * Math.min(2, shared(numbers, unit.numbers)) +
      0.3 * Math.min(2, shared(names, unit.names)) -
      (TODAY.test(unit.text) ? 1 : 0) -
      (/^\W*(?:I also|Also)\b/.test(unit.text) ? 0.6 : 0)
    );
  });
}

const TO_DO =
  /\b(?:should(?: not|n't)? (?:be|use|have|go|come|match|point)|(?:still )?needs? to (?:be )?\w+|has to be)\b/i;

/** What comes only when something else has come. */
const TO_COME = /\b(?:once (?:you|that|it|this|the|we)|until then|i'll|i will|we'll|going to)\b/i;
/** Of what, was said before; or nothing is said yet. */
const DANGLES = /^\W*(?:Those|They|Both|The answer is (?:nuanced|mixed|complicated|yes and no))\b/;

/** Says how something ought to be or will be, and not that it is so now; or not of what. */
function isStillToDo({ text }: AgentUnit): boolean {
  const plain = straight(text);
  return TO_COME.test(plain) || DANGLES.test(plain) || (TO_DO.test(plain) && !RESOLVES.test(plain));
}

const REPORTED =
  /^(?:add|creat|updat|implement|fix|complet|document|chang|mad|chec|comprehensive|detailed|thorough|success|plan|now|full|complete|information|section|everything|work|request|new)/;
const LEAST_NEW = 3;

/** The report of a piece of work that only says the user's words again. */
function saysNothingNew({ words, names, numbers, features }: AgentUnit, about: Set<string>): boolean {
  if (names.size > 0 || numbers.size > 0 || !features.has('fix')) return false;
  let fresh = 0;
  for (const word of words) if (!about.has(word) && !REPORTED.test(word)) fresh++;
  return fresh < LEAST_NEW;
}

function isResult({ features, text }: AgentUnit): boolean {
  if (text.length < SHORTEST || (features.has('status') && text.length < 70)) return false;
  if (isPassing(text)) return false;
  return !['narrates', 'asks', 'colon', 'proposes', 'weakHeading', 'guesses', 'task'].some((name) =>
    features.has(name),
  );
}
