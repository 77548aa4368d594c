import { BoundedCache } from '../text/bounded-cache.ts';
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
  'summary',
  'statement',
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
  /** Sentences of each turn, also those that are not looked at. */
  sizes: number[];
  stated: (sentence: PassageSentence) => boolean;
};

const LONG = 320;
const FAR = 20;
const HEADING = /^#{1,6}\s|^\*\*[^*]+\*\*:?$|:\*{0,2}$/;
const ITEM = /^(?:[-*+]|\d+[.)])\s/;

/** What a sentence looks like and says, whatever was asked. */
type SentenceLook = {
  isItem: boolean;
  isHeading: boolean;
  isTask: boolean;
  isIntent: boolean;
  isOutcome: boolean;
  givesReason: boolean;
  decides: boolean;
  namesThings: boolean;
  hasNumber: boolean;
};
const sentenceLooks = new BoundedCache<string, SentenceLook>(20_000);

function lookOf(text: string): SentenceLook {
  return (
    sentenceLooks.get(text) ??
    sentenceLooks.set(text, {
      isItem: ITEM.test(text),
      isHeading: HEADING.test(text),
      isTask: isTask(text),
      isIntent: isIntent(text),
      isOutcome: isOutcome(text),
      givesReason: givesReason(text),
      decides: holdsDecision(text),
      namesThings: namesThings(text),
      hasNumber: /\d/.test(text),
    })
  );
}

/** The features of an exchange's sentences, in the order of `SENTENCE_FEATURES`. */
export function sentenceFeatures(
  exchange: PassageExchange,
  sentences: readonly PassageSentence[],
  fit: ExchangeFit,
  asked: AskedFor,
): Float64Array[] {
  const last = exchange.turns.findLastIndex(({ kind }) => kind === 'assistant');
  const { sizes } = fit;
  const beside = (at: number, { turn, place }: PassageSentence) => {
    const other = sentences[at];
    return other?.turn === turn && Math.abs(other.place - place) === 1 ? fit.own[at]! : 0;
  };
  let [heading, ofTurn] = [-1, -1];
  return sentences.map((sentence, at) => {
    const { turn, place, text } = sentence;
    const { kind } = exchange.turns[turn]!;
    const own = fit.own[at]!;
    const byAgent = kind === 'assistant';
    if (turn !== ofTurn) [heading, ofTurn] = [-1, turn];
    const look = lookOf(text);
    const isLast = turn === last;
    // In the order of the list above; a number for each, for every sentence that is read.
    const values = Float64Array.of(
      fit.score,
      Math.log(1 + fit.rank),
      +fit.stated(sentence),
      own,
      own * fit.score,
      isLast ? own : 0,
      +(own === 0),
      fit.turns[turn]!,
      beside(at - 1, sentence),
      beside(at + 1, sentence),
      heading < 0 ? 0 : fit.own[heading]!,
      +(kind === 'user'),
      +(exchange.asks && turn === 0),
      +(kind === 'commit'),
      +(kind === 'summary'),
      +(kind === 'statement'),
      +isLast,
      +(place === 0),
      Math.min(1, place / FAR),
      Math.log(1 + sizes[turn]!),
      Math.log(text.length) / 5,
      +(text.length > LONG),
      +(text.length < SHORT),
      +look.isItem,
      +text.startsWith('|'),
      +look.isHeading,
      +text.startsWith('```'),
      +look.isTask,
      +(byAgent && look.isIntent),
      +(byAgent && text.endsWith('?')),
      +look.isOutcome,
      +look.givesReason,
      +look.decides,
      +look.namesThings,
      +(asked.reason && look.givesReason),
      +(asked.number && look.hasNumber),
      +(asked.name && look.namesThings),
      +(asked.decision && (look.decides || kind === 'user')),
    );
    if (look.isHeading) heading = at;
    return values;
  });
}
