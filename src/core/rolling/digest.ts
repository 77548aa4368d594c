import { Heap } from '../text/heap.ts';
import { cutAtWord, sentencesOf } from '../text/sentences.ts';
import { termsOf } from '../text/terms.ts';

export type DigestMessage = {
  who: 'user' | 'assistant';
  text: string /** The last words of an exchange. */;
  last?: boolean;
};
export type DigestSentence = { who: 'user' | 'assistant'; text: string };

const LONGEST_SENTENCE = 320;
const SHORTEST_TERMS = 2;
/** What makes a sentence worth more, as powers of e. */
const WORTH = {
  user: 1.2,
  last: 0.6,
  decision: 0.6,
  question: -0.6,
  intent: -0.8,
  /** A heading, a step of a list, a line of a log: no sentence. */
  fragment: -0.7,
  leadIn: -0.5,
};
/** A longer message of a user's is mostly pasted: plans, logs, reviews. */
const PASTED_WORDS = 150;
/** Hashes, ids and figures are rare and say nothing. */
const NO_WORD = /^(?:[0-9a-f]{6,}|[\d.:-]+|[0-9a-f-]{20,})$/;
const REPEAT_FACTOR = 0.5;
const RARITY = 1.5;
const COST = 0.8;

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const DECISION =
  /\b(?:decided|instead of|because|must|never|always|fixed|root cause|turned out|entschieden|weil|statt)\b|決定|决定|결정|なぜなら|因为/iu;
const INTENT =
  /^(?:let me|now (?:let|i)|i'll|i will|i'm going to|ok(?:ay)?\b|sure\b|great\b|perfect\b|good\b|thanks?\b|yes\b|done\b)/iu;

/** Words of a text; where they are not set apart, two characters are one. */
export function wordCount(text: string): number {
  const ideographs = text.match(CJK)?.length ?? 0;
  const spaced = text.replace(CJK, ' ').match(/[\p{L}\p{N}_'’-]+/gu)?.length ?? 0;
  return spaced + Math.ceil(ideographs / 2);
}

type Unit = DigestSentence & { order: number; terms: string[]; worth: number; cost: number };

/** The sentences that say most of what was said, in the order they were said; `most` of them at the most. */
export function digest(messages: DigestMessage[], most: number): DigestSentence[] {
  const units = unitsOf(messages);
  const rarity = rarityOf(units);
  const covered = new Map<string, number>();
  const chosen: Unit[] = [];
  const gain = (unit: Unit) => {
    let sum = 0;
    for (const term of new Set(unit.terms))
      sum += rarity.get(term)! * REPEAT_FACTOR ** (covered.get(term) ?? 0);
    return (sum * unit.worth) / unit.cost;
  };
  // Gains only fall: the best of an older count is the best of all once it is counted again and still leads.
  const queue = new Heap();
  for (const unit of units) queue.push(unit.order, gain(unit));
  while (chosen.length < most && queue.size > 0) {
    const known = queue.top;
    const lead = units[queue.pop()!]!;
    const now = gain(lead);
    if (now < known) {
      queue.push(lead.order, now);
      continue;
    }
    chosen.push(lead);
    for (const term of new Set(lead.terms)) covered.set(term, (covered.get(term) ?? 0) + 1);
  }
  return chosen.sort((a, b) => a.order - b.order).map(({ who, text }) => ({ who, text }));
}

function unitsOf(messages: DigestMessage[]): Unit[] {
  const units: Unit[] = [];
  const seen = new Set<string>();
  for (const { who, text, last } of messages) {
    const spoken = who === 'user' && wordCount(text) <= PASTED_WORDS;
    for (const sentence of sentencesOf(text)) {
      const terms = termsOf(sentence).filter((term) => !NO_WORD.test(term));
      if (terms.length < SHORTEST_TERMS || seen.has(sentence)) continue;
      seen.add(sentence);
      let worth = spoken ? WORTH.user : last ? WORTH.last : 0;
      if (DECISION.test(sentence)) worth += WORTH.decision;
      if (/[:：]$/u.test(sentence)) worth += WORTH.leadIn;
      else if (!spoken && !/[.!?…。！？][)"'”’`]*$/u.test(sentence)) worth += WORTH.fragment;
      if (/[?？]\s*$/u.test(sentence)) worth += WORTH.question;
      if (INTENT.test(sentence)) worth += WORTH.intent;
      const short = cutAtWord(sentence, LONGEST_SENTENCE);
      const cost = (wordCount(short) + 4) ** COST;
      units.push({ who, text: short, order: units.length, terms, worth: Math.exp(worth), cost });
    }
  }
  return units;
}

function rarityOf(units: Unit[]): Map<string, number> {
  const held = new Map<string, number>();
  for (const { terms } of units) for (const term of new Set(terms)) held.set(term, (held.get(term) ?? 0) + 1);
  const rarity = new Map<string, number>();
  for (const [term, count] of held) rarity.set(term, Math.log(1 + units.length / count) ** RARITY);
  return rarity;
}
