import { cutAtWord } from '../text/sentences.ts';
import { passageText } from './render.ts';
import type { ChosenPassage, ScoredExchange, ScoredSentence } from './score-sentences.ts';
import { LONGEST_SENTENCE, PASSAGE_WEIGHTS } from './weights.ts';

/** Tokens below which nothing is worth adding. */
const LEAST = 8;

export type FillRequest = {
  /** In the units of `count`. */
  budget: number;
  count: (text: string) => number;
  /** What the line that says where a passage is from costs. */
  heading: number;
};

/** An exchange of which sentences may be chosen. */
type Offer = {
  of: ScoredExchange;
  base: number;
  ask: ScoredSentence[];
  /** The most valuable last. */
  rest: Choice[];
  /** By turn and place. */
  choices: Map<string, Choice>;
  chosen: ScoredSentence[] | undefined;
  taken: number;
};
/** `undefined` opens an exchange with its ask alone, which may be the answer. */
type Choice = { sentence: ScoredSentence | undefined; value: number };

/**
 * Chooses sentences of all exchanges for one budget, by value; an exchange that gets in pays for its heading and its ask, too.
 * Exchanges stay in the order that they have. The same words are chosen once.
 */
export function fillPassages(exchanges: ScoredExchange[], request: FillRequest): ChosenPassage[] {
  const top = exchanges.reduce((best, { score }) => Math.max(best, score), 0) || 1;
  const offers = exchanges.map((of) => offerOf(of, top));
  const known = new Set<string>();
  const order: Offer[] = [];
  const again = PASSAGE_WEIGHTS.again / Math.max(1, request.budget);
  let left = request.budget;
  for (let offer = bestOf(offers, again); offer && left >= LEAST; offer = bestOf(offers, again)) {
    const { sentence } = offer.rest.pop()!;
    if (sentence && known.has(wordsIn(sentence))) continue;
    const cost =
      (offer.chosen ? 0 : request.heading + costOf(offer.ask, PASSAGE_WEIGHTS.ask, request.count)) +
      (sentence ? costOf([sentence], LONGEST_SENTENCE, request.count) : 0);
    if (cost > left) continue;
    left -= cost;
    offer.chosen ??= [...offer.ask];
    order.push(offer);
    if (!sentence) continue;
    known.add(wordsIn(sentence));
    offer.chosen.push(sentence);
    offer.taken++;
    for (const way of [-1, 1]) {
      const beside = offer.choices.get(keyOf(sentence.turn, sentence.place + way));
      if (beside) beside.value += PASSAGE_WEIGHTS.besideChosen;
    }
    offer.rest.sort(byValue);
  }
  // Costs of parts need not add up to the cost of the whole.
  while (order.length > 0 && costOfAll(offers, request) > request.budget) dropLast(order);
  return chosenOf(offers);
}

function chosenOf(offers: Offer[]): ChosenPassage[] {
  const inOrder = (chosen: ScoredSentence[]) =>
    [...chosen].sort((a, b) => a.turn - b.turn || a.place - b.place);
  return offers.flatMap(({ of, chosen }) => (chosen ? [{ of, chosen: inOrder(chosen) }] : []));
}

function costOfAll(offers: Offer[], { heading, count }: FillRequest): number {
  return chosenOf(offers).reduce((sum, passage) => sum + heading + count(passageText(passage)), 0);
}

function dropLast(order: Offer[]): void {
  const offer = order.pop();
  if (!offer) return;
  if (order.includes(offer)) offer.chosen?.pop();
  else offer.chosen = undefined;
}

function bestOf(offers: Offer[], again: number): Offer | undefined {
  let [best, most] = [undefined as Offer | undefined, Number.NEGATIVE_INFINITY];
  for (const offer of offers) {
    const next = offer.rest.at(-1);
    if (!next) continue;
    const value = offer.base + next.value - again * Math.max(0, offer.taken - PASSAGE_WEIGHTS.free);
    if (value <= most) continue;
    [best, most] = [offer, value];
  }
  return best;
}

function byValue(a: Choice, b: Choice): number {
  return a.value - b.value;
}

function offerOf(of: ScoredExchange, top: number): Offer {
  const ask = askOf(of);
  const opening = ask.reduce((most, { fit }) => Math.max(most, fit), 0) + PASSAGE_WEIGHTS.kind.user;
  const others = of.sentences.filter((sentence) => !ask.includes(sentence));
  const choices = new Map(
    others.map((sentence) => [keyOf(sentence.turn, sentence.place), { sentence, value: sentence.value }]),
  );
  const rest: Choice[] = [...choices.values()];
  if (ask.length > 0) rest.push({ sentence: undefined, value: opening });
  rest.sort(byValue);
  const base = (PASSAGE_WEIGHTS.exchange * of.score) / top;
  return { of, base, ask, rest, choices, chosen: undefined, taken: 0 };
}

function keyOf(turn: number, place: number): string {
  return `${turn}/${place}`;
}

function wordsIn({ terms }: ScoredSentence): string {
  return terms.join(' ');
}

/** The ask that heads a passage: whole when it is short, else its best sentences. */
function askOf({ exchange, sentences }: ScoredExchange): ScoredSentence[] {
  if (!exchange.asks) return [];
  const own = sentences.filter(({ turn }) => turn === 0);
  if ((exchange.turns[0]?.text.length ?? 0) <= PASSAGE_WEIGHTS.ask) return own;
  let left = PASSAGE_WEIGHTS.ask;
  const got: ScoredSentence[] = [];
  const worth = ({ fit, place }: ScoredSentence) => fit + (place === 0 ? PASSAGE_WEIGHTS.firstOfTurn : 0);
  for (const sentence of [...own].sort((a, b) => worth(b) - worth(a))) {
    const length = Math.min(sentence.text.length, PASSAGE_WEIGHTS.ask);
    if (length > left && got.length > 0) continue;
    got.push(sentence);
    left -= length + 1;
  }
  return got;
}

function costOf(sentences: ScoredSentence[], longest: number, count: (text: string) => number): number {
  return sentences.reduce(
    (sum, { text, verdict = '' }) => sum + count(`${cutAtWord(text, longest)} ${verdict}`) + 2,
    0,
  );
}
