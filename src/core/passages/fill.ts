import { termsOf } from '../text/terms.ts';
import { type FillRequest, type PassageOffer, passageOffer, raiseBeside } from './passage-offer.ts';
import { passageText, shownPart } from './render.ts';
import { isRepeated, SaidBefore } from './said-before.ts';
import type { ChosenPassage, ScoredExchange, ScoredSentence } from './score-sentences.ts';

/** Tokens below which nothing is worth adding. */
const LEAST = 8;
/** If this share of a statement's words is already chosen, it counts as included. */
const QUOTED = 0.8;
/** What a statement has besides quotes: who says it, and the files that it is about. */
const BESIDE_QUOTES = /^User: |\s*\(in [^()]*\)$/g;

/** Sentences that are taken next: of an exchange that is not open yet, with its ask. */
type Step = { offer: PassageOffer; sentences: number };

/**
 * Chooses sentences of all exchanges for one budget: first those whose chance to answer is highest for what they cost. An
 * exchange that gets in pays for its heading and its ask. Exchanges stay in the order that they have. The same words are chosen once.
 */
export function fillPassages(exchanges: ScoredExchange[], request: FillRequest): ChosenPassage[] {
  const offers = exchanges.map((of) => passageOffer(of, request));
  const said = new SaidBefore();
  const order: PassageOffer[] = [];
  const paid = new Map<ScoredSentence, number>();
  let left = request.budget;
  for (let step = bestStep(offers, left); step && left >= LEAST; step = bestStep(offers, left)) {
    const { offer, sentences } = step;
    if (!offer.chosen) {
      left -= offer.opening;
      offer.chosen = offer.ask.map(({ sentence }) => sentence);
      for (const sentence of offer.chosen) said.note(sentence);
      order.push(offer);
    }
    for (const { sentence, cost } of offer.rest.splice(0, sentences)) {
      if (said.has(sentence) || isQuoted(offer, sentence)) continue;
      said.note(sentence);
      left -= cost;
      paid.set(sentence, cost);
      for (const repeated of repeatedBy(offer, sentence)) {
        offer.chosen = offer.chosen.filter((it) => it !== repeated);
        order.splice(order.lastIndexOf(offer), 1);
        left += paid.get(repeated) ?? 0;
      }
      offer.chosen.push(sentence);
      order.push(offer);
      raiseBeside(offer, sentence);
    }
  }
  // Costs of parts need not add up to the cost of the whole.
  while (order.length > 0 && costOfAll(offers, request) > request.budget) dropLast(order);
  return chosenOf(offers);
}

/** A statement whose words were chosen as they were said adds nothing. */
function isQuoted({ of, chosen = [] }: PassageOffer, { turn, text }: ScoredSentence): boolean {
  if (of.exchange.turns[turn]!.kind !== 'statement') return false;
  const before = new Set(chosen.flatMap(({ known }) => known.terms));
  const own = [...new Set(termsOf(text.replace(BESIDE_QUOTES, '')))];
  return own.filter((term) => before.has(term)).length >= QUOTED * own.length;
}

/** A statement quotes sentences: those that were chosen before it are not shown twice. */
function repeatedBy({ of, ask, chosen = [] }: PassageOffer, statement: ScoredSentence): ScoredSentence[] {
  if (of.exchange.turns[statement.turn]!.kind !== 'statement') return [];
  const shown = new Set(termsOf(shownPart(of, statement)));
  return chosen.filter(
    (sentence) =>
      sentence.verdict === undefined &&
      !ask.some((it) => it.sentence === sentence) &&
      isRepeated(sentence, shown),
  );
}

function chosenOf(offers: PassageOffer[]): ChosenPassage[] {
  const inOrder = (chosen: ScoredSentence[]) =>
    [...chosen].sort((a, b) => a.turn - b.turn || a.place - b.place);
  return offers.flatMap(({ of, chosen }) =>
    chosen && chosen.length > 0 ? [{ of, chosen: inOrder(chosen) }] : [],
  );
}

function costOfAll(offers: PassageOffer[], { heading, count }: FillRequest): number {
  return chosenOf(offers).reduce((sum, passage) => sum + heading + count(passageText(passage)), 0);
}

/** The last sentence taken; of an exchange that was just opened, all of it. */
function dropLast(order: PassageOffer[]): void {
  const offer = order.pop();
  if (!offer) return;
  if (order.includes(offer)) offer.chosen?.pop();
  else offer.chosen = undefined;
}

/** The step with the highest chance for a token, among those that fit. */
function bestStep(offers: PassageOffer[], left: number): Step | undefined {
  let [best, most] = [undefined as Step | undefined, 0];
  for (const offer of offers) {
    if (offer.chosen) {
      while (offer.rest[0] && offer.rest[0].cost > left) offer.rest.shift();
      const [next] = offer.rest;
      if (!next || next.worth <= most) continue;
      [best, most] = [{ offer, sentences: 1 }, next.worth];
      continue;
    }
    for (const { sentences, cost, worth } of offer.openings) {
      if (cost > left || worth <= most) continue;
      [best, most] = [{ offer, sentences }, worth];
    }
  }
  return best;
}
