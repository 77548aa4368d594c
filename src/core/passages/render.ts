import { cutAtWord } from '../text/sentences.ts';
import type { ChosenPassage, ScoredExchange, ScoredSentence } from './score-sentences.ts';
import { LONGEST_SENTENCE, PASSAGE_WEIGHTS } from './weights.ts';

/** What begins a line of its own: items, rows, headings. */
const LISTED = /^(?:[-*+|]|\d+[.)]|#{1,6})\s/;

/** A passage as text: a line for each turn, behind its speaker; `…` where sentences between were left out. */
export function passageText({ of, chosen }: ChosenPassage): string {
  const lines: string[] = [];
  let before: { turn: number; place: number } | undefined;
  for (const sentence of chosen) {
    const { turn, place, text, verdict } = sentence;
    const words = `${shownPart(of, sentence)}${verdict === undefined ? '' : ` (${verdict})`}`;
    const isNext = before?.turn === turn && before.place + 1 === place;
    const space = LISTED.test(text) ? '\n' : ' ';
    if (before?.turn !== turn) lines.push(`${of.exchange.turns[turn]!.speaker}:${space}${words}`);
    else lines[lines.length - 1] += `${isNext ? '' : ' …'}${space}${words}`;
    before = { turn, place };
  }
  return lines.join('\n');
}

/** As much of a chosen sentence as its passage shows. */
export function shownPart(
  { exchange }: Pick<ScoredExchange, 'exchange'>,
  { turn, text }: Pick<ScoredSentence, 'turn' | 'text'>,
): string {
  return cutAtWord(text, turn === 0 && exchange.asks ? PASSAGE_WEIGHTS.ask : LONGEST_SENTENCE);
}
