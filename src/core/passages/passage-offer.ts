import { cutAtWord } from '../text/sentences.ts';
import type { ScoredExchange, ScoredSentence } from './score-sentences.ts';
import { LONGEST_SENTENCE, PASSAGE_WEIGHTS } from './weights.ts';

export type FillRequest = {
  /** In the units of `count`. */
  budget: number;
  count: (text: string) => number;
  /** What the line that says where a passage is from costs. */
  heading: number;
};

type Choice = { sentence: ScoredSentence; cost: number; chance: number };

/** An exchange of which sentences may be chosen. */
export type PassageOffer = {
  of: ScoredExchange;
  ask: Choice[];
  /** What its heading and its ask cost, and the chance that the ask answers. */
  opening: number;
  chance: number;
  /** Those with the highest chance for a token first. */
  rest: Choice[];
  chosen: ScoredSentence[] | undefined;
};

export function passageOffer(of: ScoredExchange, { count, heading }: FillRequest): PassageOffer {
  const choice = (longest: number) => (sentence: ScoredSentence) => ({
    sentence,
    cost: sentenceCost(sentence, longest, count),
    chance: sentence.chance * Math.min(1, longest / sentence.text.length),
  });
  const ask = askOf(of).map(choice(PASSAGE_WEIGHTS.ask));
  const inAsk = new Set(ask.map(({ sentence }) => sentence));
  const rest = of.sentences
    .filter((sentence) => !inAsk.has(sentence))
    .map(choice(LONGEST_SENTENCE))
    .sort(byWorth);
  return {
    of,
    ask,
    opening: ask.reduce((sum, { cost }) => sum + cost, heading),
    chance: ask.reduce((sum, { chance }) => sum + chance, 0),
    rest,
    chosen: undefined,
  };
}

function sentenceCost(
  { text, verdict = '' }: ScoredSentence,
  longest: number,
  count: FillRequest['count'],
): number {
  return count(`${cutAtWord(text, longest)} ${verdict}`) + 2;
}

/** A sentence was chosen: those beside it are worth more from now on. */
export function raiseBeside({ rest }: PassageOffer, { turn, place }: ScoredSentence): void {
  for (const choice of rest) {
    const { sentence } = choice;
    if (sentence.turn === turn && Math.abs(sentence.place - place) === 1)
      choice.chance *= 1 + PASSAGE_WEIGHTS.besideChosen;
  }
  rest.sort(byWorth);
}

function byWorth(a: Choice, b: Choice): number {
  return b.chance / b.cost - a.chance / a.cost;
}

/** The ask that heads a passage: whole when it is short, else its best sentences. */
function askOf({ exchange, sentences }: ScoredExchange): ScoredSentence[] {
  if (!exchange.asks) return [];
  const own = sentences.filter(({ turn }) => turn === 0);
  if ((exchange.turns[0]?.text.length ?? 0) <= PASSAGE_WEIGHTS.ask) return own;
  let left: number = PASSAGE_WEIGHTS.ask;
  const found: ScoredSentence[] = [];
  for (const sentence of [...own].sort((a, b) => b.chance - a.chance)) {
    const length = Math.min(sentence.text.length, PASSAGE_WEIGHTS.ask);
    if (length > left && found.length > 0) continue;
    found.push(sentence);
    left -= length + 1;
  }
  return found;
}
