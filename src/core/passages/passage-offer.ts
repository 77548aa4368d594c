import { cutAtWord } from '../text/sentences.ts';
import type { ScoredExchange, ScoredSentence } from './score-sentences.ts';
import { LONGEST_SENTENCE, PASSAGE_WEIGHTS } from './weights.ts';

export type FillRequest = {
  /** In the units of `count`. */
  budget: number;
  count: (text: string) => number;
  /** What the line that says where a passage is from costs. */
  heading: number;
  /** What sentences cost, where the same ones are weighed for several budgets. */
  costs?: Map<ScoredSentence, number>;
};

/** `worth`: its chance for a token. */
type Choice = { sentence: ScoredSentence; cost: number; chance: number; worth: number };

/** The ask of an exchange, and so many sentences. */
export type Opening = { sentences: number; cost: number; worth: number };

/** Sentences that may open an exchange together. */
const TOGETHER = 4;

/** An exchange of which sentences may be chosen. */
export type PassageOffer = {
  of: ScoredExchange;
  ask: Choice[];
  /** What its heading and its ask cost. */
  opening: number;
  /** Those with the highest chance for a token first. */
  rest: Choice[];
  openings: Opening[];
  chosen: ScoredSentence[] | undefined;
};

export function passageOffer(of: ScoredExchange, { count, heading, costs }: FillRequest): PassageOffer {
  const costOf = (sentence: ScoredSentence, longest: number) => {
    const cost = costs?.get(sentence) ?? sentenceCost(sentence, longest, count);
    costs?.set(sentence, cost);
    return cost;
  };
  const choice = (longest: number) => (sentence: ScoredSentence) => {
    const cost = costOf(sentence, longest);
    const chance = sentence.chance * Math.min(1, longest / sentence.text.length);
    return { sentence, cost, chance, worth: chance / cost };
  };
  const ask = askOf(of).map(choice(PASSAGE_WEIGHTS.ask));
  const inAsk = new Set(ask.map(({ sentence }) => sentence));
  const rest = of.sentences
    .filter((sentence) => !inAsk.has(sentence))
    .map(choice(LONGEST_SENTENCE))
    .sort(byWorth);
  const opening = ask.reduce((sum, { cost }) => sum + cost, heading);
  const chance = ask.reduce((sum, it) => sum + it.chance, 0);
  return { of, ask, opening, rest, openings: openingsOf({ ask, opening, rest }, chance), chosen: undefined };
}

/** Until an exchange is open, what it offers stays the same. */
function openingsOf(
  { ask, opening, rest }: Pick<PassageOffer, 'ask' | 'opening' | 'rest'>,
  ofAsk: number,
): Opening[] {
  let [cost, chance] = [opening, ofAsk];
  const openings = ask.length > 0 ? [{ sentences: 0, cost, worth: chance / cost }] : [];
  for (const [at, next] of rest.slice(0, TOGETHER).entries()) {
    cost += next.cost;
    chance += next.chance;
    openings.push({ sentences: at + 1, cost, worth: chance / cost });
  }
  return openings;
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
  let isRaised = false;
  for (const choice of rest) {
    const { sentence } = choice;
    if (sentence.turn !== turn || Math.abs(sentence.place - place) !== 1) continue;
    choice.chance *= 1 + PASSAGE_WEIGHTS.besideChosen;
    choice.worth = choice.chance / choice.cost;
    isRaised = true;
  }
  if (isRaised) rest.sort(byWorth);
}

function byWorth(a: Choice, b: Choice): number {
  return b.worth - a.worth;
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
