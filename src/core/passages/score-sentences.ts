import { KnownSentence, knownSentences } from './known-sentences.ts';
import type { PassageExchange, PassageSentence, WantedWord } from './passage.ts';
import { askedFor } from './question-cues.ts';
import { wordsFound } from './quoted-words.ts';
import { SENTENCE_FEATURES, type SentenceWeights, sentenceFeatures } from './sentence-features.ts';
import { SENTENCE_WEIGHTS } from './sentence-weights.ts';
import { PASSAGE_WEIGHTS } from './weights.ts';
import { type WordFits, wordFits } from './word-fits.ts';

export type ScoredSentence = PassageSentence & {
  /** By its words, its turn's and those beside it. */
  fit: number;
  /** That it is the one that answers, among all sentences that were scored. */
  chance: number;
  /** What a keepit or a confirmed fact adds, as a logarithm. */
  kept: number;
  features: Float64Array;
  verdict?: string;
};
export type ScoredExchange = {
  exchange: PassageExchange;
  score: number;
  /** Share of the wanted words that it holds, by what they weigh. */
  coverage: number;
  /** The wanted terms that it has. */
  held: ReadonlySet<string>;
  sentences: ScoredSentence[];
};

/** The sentences of an exchange that were chosen, in their order. */
export type ChosenPassage = { of: ScoredExchange; chosen: ScoredSentence[] };

/**
 * What is asked: the words to find, and the question as it was put. `mayHelp`: whether an exchange with these wanted terms can be of
 * use; where none can, none is scored.
 */
export type Asked = {
  words: WantedWord[];
  question: string;
  mayHelp?: (held: ReadonlySet<string>) => boolean;
};

/** The sentences of exchanges with the chance that each answers; the exchange with the best sentence first. */
export function scoreSentences(
  exchanges: readonly PassageExchange[],
  { words, question, mayHelp }: Asked,
  weights: SentenceWeights = SENTENCE_WEIGHTS,
): ScoredExchange[] {
  const read = exchanges.map((exchange) => ({ exchange, sentences: sentencesIn(exchange) }));
  const fits = wordFits(read, words);
  if (mayHelp && !fits.some(({ held }) => mayHelp(held))) return [];
  const scores = fits.map(
    ({ own }, at) => exchanges[at]!.score + PASSAGE_WEIGHTS.bestSentence * Math.max(0, ...own),
  );
  const order = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!);
  const best = scores[order[0] ?? 0] || 1;
  const asked = askedFor(question);
  const scored = order.map((at, rank): ScoredExchange => {
    const { exchange } = read[at]!;
    const { sentences, own } = worthScoring(exchange, read[at]!.sentences, { own: fits[at]!.own, rank });
    const isStated = wordsFound(exchange, exchange.stated);
    const takenBack = wordsFound(
      exchange,
      exchange.takenBack.map((it) => ({ ...it, text: it.was })),
    );
    const kept = wordsFound(exchange, exchange.kept);
    const { turns, coverage, held } = fits[at]!;
    const stated = (sentence: PassageSentence) => isStated(sentence) !== undefined;
    const features = sentenceFeatures(
      exchange,
      sentences,
      { score: scores[at]! / best, rank, own, turns, sizes: sizesOf(exchange, read[at]!.sentences), stated },
      asked,
    );
    const known = sentences.map((sentence, index): ScoredSentence => {
      const isStatement = exchange.turns[sentence.turn]!.kind === 'statement';
      const verdict = isStatement ? undefined : takenBack(sentence)?.verdict;
      return {
        ...sentence,
        fit: fitOf(sentences, { own, turns }, index),
        chance: 0,
        kept: PASSAGE_WEIGHTS.kept * (kept(sentence)?.weight ?? 0),
        features: features[index]!,
        ...(verdict === undefined ? {} : { verdict }),
      };
    });
    return { exchange, score: scores[at]!, coverage, held, sentences: known };
  });
  giveChances(scored, weights);
  return scored.sort((a, b) => bestChance(b) - bestChance(a));
}

export function bestChance({ sentences }: ScoredExchange): number {
  return sentences.reduce((most, { chance }) => Math.max(most, chance), 0);
}

/** That one of its sentences answers. */
export function chanceOf({ sentences }: Pick<ScoredExchange, 'sentences'>): number {
  return sentences.reduce((sum, { chance }) => sum + chance, 0);
}

function sentencesIn({ turns }: PassageExchange): PassageSentence[] {
  return turns.flatMap(({ kind, text }, turn) =>
    // A statement is one piece, whatever it is made of.
    (kind === 'statement' ? [new KnownSentence(text)] : knownSentences(text)).map((known, place) => ({
      turn,
      place,
      text: known.text,
      known,
    })),
  );
}

function sizesOf({ turns }: PassageExchange, sentences: PassageSentence[]): number[] {
  const sizes = turns.map(() => 0);
  for (const { turn } of sentences) sizes[turn]!++;
  return sizes;
}

/** Exchanges of which every sentence is looked at; of the others, those with a word of the question beside them. */
const LOOKED_AT = 6;

function worthScoring(
  { asks, turns }: PassageExchange,
  sentences: PassageSentence[],
  { own, rank }: { own: number[]; rank: number },
): { sentences: PassageSentence[]; own: number[] } {
  if (rank < LOOKED_AT) return { sentences, own };
  const kept = [...sentences.keys()].filter((at) => {
    const { turn } = sentences[at]!;
    return own[at]! > 0 || own[at - 1]! > 0 || own[at + 1]! > 0 || (turn === 0 && asks) || turns.length === 1;
  });
  return { sentences: kept.map((at) => sentences[at]!), own: kept.map((at) => own[at]!) };
}

function fitOf(
  sentences: PassageSentence[],
  { own, turns }: Pick<WordFits, 'own' | 'turns'>,
  at: number,
): number {
  const { turn } = sentences[at]!;
  const plain = (index: number) =>
    sentences[index]?.turn === turn ? own[index]! + PASSAGE_WEIGHTS.ofTurn * turns[turn]! : 0;
  return plain(at) + PASSAGE_WEIGHTS.beside * (plain(at - 1) + plain(at + 1));
}

/** One of all sentences answers: their chances add up to 1. */
function giveChances(scored: ScoredExchange[], weights: SentenceWeights): void {
  const all = scored.flatMap(({ sentences }) => sentences);
  const weight = SENTENCE_FEATURES.map((name) => weights[name]);
  const sums = all.map(({ features, kept }) => {
    let sum = kept;
    // Most are 0, and each product is an object until V8 optimizes it.
    for (let feature = 0; feature < weight.length; feature++) {
      const value = features[feature]!;
      if (value !== 0) sum += weight[feature]! * value;
    }
    return sum;
  });
  const most = sums.reduce((high, one) => Math.max(high, one), Number.NEGATIVE_INFINITY);
  const shares = sums.map((sum) => Math.exp(sum - most));
  const whole = shares.reduce((sum, share) => sum + share, 0) || 1;
  for (const [at, sentence] of all.entries()) sentence.chance = shares[at]! / whole;
}
