import { termStarts } from '../text/terms.ts';
import type { PassageExchange, PassageSentence, WantedWord } from './passage.ts';
import { PASSAGE_WEIGHTS } from './weights.ts';

/** How well the words of an exchange fit: by sentence and by turn, the best of all exchanges being 1. `held`: the wanted terms that it has. */
export type WordFits = { own: number[]; turns: number[]; coverage: number; held: ReadonlySet<string> };

type Bm25 = { k1: number; b: number };
type Counted = { counts: Map<string, number>; length: number };
/** Most sentences hold nothing that is looked for. */
const NONE: Counted['counts'] = new Map();

/** BM25 of the sentences and turns of exchanges. Of a word's terms only the best counts in a text. */
export function wordFits(
  exchanges: { exchange: PassageExchange; sentences: PassageSentence[] }[],
  wanted: WantedWord[],
): WordFits[] {
  const looked = new Set(wanted.flat().map(({ term }) => term));
  const starts = termStarts(looked);
  const texts: Counted[] = [];
  const turns: Counted[] = [];
  for (const { exchange, sentences } of exchanges) {
    const first = turns.length;
    for (const _ of exchange.turns) turns.push({ counts: new Map(), length: 0 });
    for (const { turn, known } of sentences) {
      const { length, found } = known.termsFor(starts);
      const own: Counted = { counts: NONE, length };
      const whole = turns[first + turn]!;
      whole.length += length;
      for (const term of found) {
        if (!looked.has(term)) continue;
        if (own.counts === NONE) own.counts = new Map();
        own.counts.set(term, (own.counts.get(term) ?? 0) + 1);
        whole.counts.set(term, (whole.counts.get(term) ?? 0) + 1);
      }
      texts.push(own);
    }
  }
  const own = bm25(texts, wanted, PASSAGE_WEIGHTS.sentence);
  const ofTurns = bm25(turns, wanted, PASSAGE_WEIGHTS.turn);
  let [firstText, firstTurn] = [0, 0];
  return exchanges.map(({ exchange, sentences }) => {
    const held = turns.slice(firstTurn, firstTurn + exchange.turns.length);
    const found = {
      own: own.slice(firstText, firstText + sentences.length),
      turns: ofTurns.slice(firstTurn, firstTurn + exchange.turns.length),
      coverage: coverageOf(held, wanted),
      held: new Set(held.flatMap(({ counts }) => [...counts.keys()])),
    };
    firstText += sentences.length;
    firstTurn += exchange.turns.length;
    return found;
  });
}

function bm25(texts: Counted[], wanted: WantedWord[], { k1, b }: Bm25): number[] {
  const average = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const scores = texts.map(({ counts, length }) => {
    if (counts.size === 0) return 0;
    const size = k1 * (1 - b + (b * length) / average);
    let sum = 0;
    for (const word of wanted) {
      let most = 0;
      for (const { term, weight } of word) {
        const count = counts.get(term);
        if (count !== undefined) most = Math.max(most, (weight * count * (k1 + 1)) / (count + size));
      }
      sum += most;
    }
    return sum;
  });
  const best = scores.reduce((most, one) => Math.max(most, one), 0) || 1;
  return scores.map((score) => score / best);
}

function coverageOf(turns: Counted[], wanted: WantedWord[]): number {
  let [found, all] = [0, 0];
  for (const word of wanted) {
    all += word[0]?.weight ?? 0;
    found += word.reduce(
      (most, { term, weight }) =>
        turns.some(({ counts }) => counts.has(term)) ? Math.max(most, weight) : most,
      0,
    );
  }
  return all === 0 ? 0 : Math.min(1, found / all);
}
