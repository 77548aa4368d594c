import { termsOf } from '../text/terms.ts';
import type { PassageExchange, PassageSentence, RetractedWords, WantedWord } from './passage.ts';
import { isIntent, isOutcome, isTableRule, isTask } from './sentence-cues.ts';
import { sentencePieces } from './sentence-pieces.ts';
import { PASSAGE_WEIGHTS, SHORT } from './weights.ts';

export type ScoredSentence = PassageSentence & {
  /** By its words, its turn's and those beside it. */
  fit: number;
  /** With what it is and where it is. */
  value: number;
  verdict?: string;
};
export type ScoredExchange = {
  exchange: PassageExchange;
  score: number;
  /** Share of the wanted words that it holds, by what they weigh. */
  coverage: number;
  sentences: ScoredSentence[];
};

/** The sentences of an exchange that were chosen, in their order. */
export type ChosenPassage = { of: ScoredExchange; chosen: ScoredSentence[] };

type Bm25 = { k1: number; b: number };

/** The sentences of exchanges with what each is worth as an answer; the exchanges best first. */
export function scoreSentences(
  exchanges: readonly PassageExchange[],
  wanted: WantedWord[],
): ScoredExchange[] {
  const read = exchanges.map((exchange) => ({ exchange, sentences: sentencesIn(exchange) }));
  const all = read.flatMap(({ sentences }) => sentences);
  const own = bm25(
    all.map(({ terms }) => terms),
    wanted,
    PASSAGE_WEIGHTS.sentence,
  );
  const turns = read.flatMap(({ exchange, sentences }) => {
    const terms = exchange.turns.map((): string[] => []);
    for (const sentence of sentences) terms[sentence.turn]!.push(...sentence.terms);
    return terms;
  });
  const ofTurns = bm25(turns, wanted, PASSAGE_WEIGHTS.turn);
  let [firstSentence, firstTurn] = [0, 0];
  const scored = read.map(({ exchange, sentences }) => {
    const words = sentences.map((_, at) => own[firstSentence + at]!);
    const fits = sentences.map(
      ({ turn }, at) => words[at]! + PASSAGE_WEIGHTS.ofTurn * ofTurns[firstTurn + turn]!,
    );
    firstSentence += sentences.length;
    firstTurn += exchange.turns.length;
    const last = exchange.turns.findLastIndex(({ kind }) => kind === 'assistant');
    const known = sentences.map((sentence, at): ScoredSentence => {
      const beside = (other: number) => (sentences[other]?.turn === sentence.turn ? fits[other]! : 0);
      const fit = fits[at]! + PASSAGE_WEIGHTS.beside * (beside(at - 1) + beside(at + 1));
      const verdict = verdictOn(sentence, exchange);
      return {
        ...sentence,
        fit,
        value: fit + priorOf(sentence, exchange, sentence.turn === last),
        ...(verdict === undefined ? {} : { verdict }),
      };
    });
    const best = words.reduce((most, one) => Math.max(most, one), 0);
    const score = exchange.score + PASSAGE_WEIGHTS.bestSentence * best;
    return { exchange, score, coverage: coverageOf(sentences, wanted), sentences: known };
  });
  return scored.sort((a, b) => b.score - a.score);
}

function sentencesIn({ turns }: PassageExchange): PassageSentence[] {
  return turns.flatMap(({ text }, turn) =>
    sentencePieces(text).map((piece, place) => ({ turn, place, text: piece, terms: termsOf(piece) })),
  );
}

/** BM25 of texts, the best being 1. Of a word's terms only the best counts in a text. */
function bm25(texts: string[][], wanted: WantedWord[], { k1, b }: Bm25): number[] {
  const average = texts.reduce((sum, terms) => sum + terms.length, 0) / Math.max(1, texts.length);
  const looked = new Set(wanted.flat().map(({ term }) => term));
  const scores = texts.map((terms) => {
    const counts = new Map<string, number>();
    for (const term of terms) if (looked.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    if (counts.size === 0) return 0;
    const length = k1 * (1 - b + (b * terms.length) / average);
    return wanted.reduce((sum, word) => {
      let most = 0;
      for (const { term, weight } of word) {
        const count = counts.get(term);
        if (count !== undefined) most = Math.max(most, (weight * count * (k1 + 1)) / (count + length));
      }
      return sum + most;
    }, 0);
  });
  const best = scores.reduce((most, one) => Math.max(most, one), 0) || 1;
  return scores.map((score) => score / best);
}

function coverageOf(sentences: PassageSentence[], wanted: WantedWord[]): number {
  const held = new Set(sentences.flatMap(({ terms }) => terms));
  let [found, all] = [0, 0];
  for (const word of wanted) {
    all += word[0]?.weight ?? 0;
    found += word.reduce((most, { term, weight }) => (held.has(term) ? Math.max(most, weight) : most), 0);
  }
  return all === 0 ? 0 : Math.min(1, found / all);
}

function priorOf(
  { turn, place, text }: PassageSentence,
  { turns, stated }: PassageExchange,
  isLast: boolean,
): number {
  const { kind, src } = turns[turn]!;
  const W = PASSAGE_WEIGHTS;
  let prior: number = W.kind[kind];
  if (isLast) prior += W.lastTurn;
  if (place === 0) prior += W.firstOfTurn;
  if (kind === 'assistant' && isIntent(text)) prior += W.intent;
  if (isOutcome(text)) prior += W.outcome;
  if (text.startsWith('```')) prior += W.code;
  if (kind === 'assistant' && text.endsWith('?')) prior += W.question;
  if (text.length < SHORT) prior += W.short;
  if (isTask(text)) prior += W.task;
  if (isTableRule(text)) prior += W.tableRule;
  if (stated.some((it) => it.src === src && overlap(it.text, text))) prior += W.stated;
  return prior;
}

function verdictOn(
  { turn, text }: PassageSentence,
  { turns, takenBack }: PassageExchange,
): string | undefined {
  const { src } = turns[turn]!;
  return takenBack.find((it: RetractedWords) => it.src === src && overlap(it.was, text))?.verdict;
}

/** Shorter words are in many sentences. */
const LEAST_SHARED = 12;

function overlap(quoted: string, sentence: string): boolean {
  const [one, other] = [plain(quoted), plain(sentence)];
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= LEAST_SHARED && long.includes(short);
}

function plain(text: string): string {
  return text
    .replace(/[\s*`#>-]+/g, ' ')
    .trim()
    .toLowerCase();
}
