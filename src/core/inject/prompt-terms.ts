import { termsOf } from '../text/terms.ts';

/** How rare a term is among all lines that are remembered: 1 in one of them, 0 in all. Of one that none has: 1. */
export type Rarity = (term: string) => { lines: number; rarity: number };

export type PromptTerms = {
  /** Terms of the prompt that memory has, the rarest first. */
  known: Map<string, number>;
  /** All that were looked at, those that memory has not included. */
  terms: string[];
};

/** A prompt of more words than this is a pasted text: its rarest words show its topic. */
const MOST_TERMS = 24;
/** The number of characters of a prompt that are used. */
const LONGEST = 6000;

export function askedBy(prompt: string, rarityOf: Rarity): PromptTerms {
  const weighed = [...new Set(termsOf(prompt.slice(0, LONGEST)))]
    .map((term) => ({ term, ...rarityOf(term) }))
    .sort((a, b) => b.rarity - a.rarity);
  const known = weighed.filter(({ lines }) => lines > 0).slice(0, MOST_TERMS);
  const looked = weighed.slice(0, MOST_TERMS);
  return {
    terms: looked.map(({ term }) => term),
    known: new Map(known.map(({ term, rarity }) => [term, rarity])),
  };
}
