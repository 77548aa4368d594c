import type { PassageExchange, PassageSentence } from './passage.ts';
import { type AskedFor, givesReason, holdsDecision, namesThings } from './question-cues.ts';
import { isIntent, isOutcome, isTask } from './sentence-cues.ts';
import { SHORT } from './weights.ts';

/** What speaks for and against a sentence as the answer to a question. */
export const SENTENCE_FEATURES = [
  // Its exchange among the others: its score beside the best, its place, the session's statements.
  'exchange',
  'rank',
  'stated',
  // Words of the question: its own, those of its turn, of its neighbors, of the heading above it.
  'own',
  'ownInExchange',
  'ownInLast',
  'none',
  'turn',
  'before',
  'after',
  'heading',
  // Who says it and where.
  'user',
  'ask',
  'commit',
  'last',
  'first',
  'place',
  'turnSize',
  // What it looks like.
  'length',
  'long',
  'short',
  'item',
  'row',
  'isHeading',
  'code',
  'task',
  // What it says.
  'intent',
  'question',
  'outcome',
  'reason',
  'decides',
  'names',
  // What was asked for, and it has it.
  'reasonAsked',
  'numberAsked',
  'nameAsked',
  'decisionAsked',
] as const;
export type SentenceFeature = (typeof SENTENCE_FEATURES)[number];
export type SentenceWeights = Record<SentenceFeature, number>;

/** How well the words of an exchange fit, the best of all exchanges being 1. */
export type ExchangeFit = {
  score: number;
  /** Among the others, from 0. */
  rank: number;
  /** By sentence, and by turn. */
  own: number[];
  turns: number[];
  stated: (sentence: PassageSentence) => boolean;
};

const LONG = 320;
const FAR = 20;
const HEADING = /^#{1,6}\s|^\*\*[^*]+\*\*:?$|:\*{0,2}$/;
const ITEM = /^(?:[-*+]|\d+[.)])\s/;

/** The features of an exchange's sentences, in the order of `SENTENCE_FEATURES`. */
export function sentenceFeatures(
  exchange: PassageExchange,
  sentences: readonly PassageSentence[],
  fit: ExchangeFit,
  asked: AskedFor,
): Float64Array[] {
  const last = exchange.turns.findLastIndex(({ kind }) => kind === 'assistant');
  const sizes = exchange.turns.map(() => 0);
  for (const { turn } of sentences) sizes[turn]!++;
  const beside = (at: number, turn: number) => (sentences[at]?.turn === turn ? fit.own[at]! : 0);
  let heading = -1;
  return sentences.map((sentence, at) => {
    const { turn, place, text } = sentence;
    const { kind } = exchange.turns[turn]!;
    const own = fit.own[at]!;
    const byAgent = kind === 'assistant';
    if (place === 0) heading = -1;
    const isHeading = HEADING.test(text);
    const deciding = holdsDecision(text);
    const reason = givesReason(text);
    const names = namesThings(text);
    const values: Record<SentenceFeature, number | boolean> = {
      exchange: fit.score,
      rank: Math.log(1 + fit.rank),
      stated: fit.stated(sentence),
      own,
      ownInExchange: own * fit.score,
      ownInLast: turn === last ? own : 0,
      none: own === 0,
      turn: fit.turns[turn]!,
      before: beside(at - 1, turn),
      after: beside(at + 1, turn),
      heading: heading < 0 ? 0 : fit.own[heading]!,
      user: kind === 'user',
      ask: exchange.asks && turn === 0,
      commit: kind === 'commit',
      last: turn === last,
      first: place === 0,
      place: Math.min(1, place / FAR),
      turnSize: Math.log(1 + sizes[turn]!),
      length: Math.log(text.length) / 5,
      long: text.length > LONG,
      short: text.length < SHORT,
      item: ITEM.test(text),
      row: text.startsWith('|'),
      isHeading,
      code: text.startsWith('```'),
      task: isTask(text),
      intent: byAgent && isIntent(text),
      question: byAgent && text.endsWith('?'),
      outcome: isOutcome(text),
      reason,
      decides: deciding,
      names,
      reasonAsked: asked.reason && reason,
      numberAsked: asked.number && /\d/.test(text),
      nameAsked: asked.name && names,
      decisionAsked: asked.decision && (deciding || kind === 'user'),
    };
    if (isHeading) heading = at;
    return Float64Array.from(SENTENCE_FEATURES, (name) => Number(values[name]));
  });
}
