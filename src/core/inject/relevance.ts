import { termsOf } from '../text/terms.ts';

/** How rare a term is among all lines that are remembered: 1 in one of them, 0 in all. Of one that none has: 1. */
export type Rarity = (term: string) => { lines: number; rarity: number };

export type PromptTerms = {
  /** Terms of the prompt that memory has, the rarest first. */
  known: Map<string, number>;
  /** What they would weigh together, those that memory has not included. */
  weight: number;
};

/** A prompt of more words than this is a pasted text: its rarest words show what it is about. */
const MOST_TERMS = 24;
/** So many characters of a prompt are looked at. */
const LONGEST = 6000;

/**
 * What is worth saying beside a prompt. `mass`: the rare words that prompt and memory share must weigh this much
 * together. `share`: of all that the prompt asks. `words`: and be so many.
 */
export const FLOOR = { mass: 1.5, share: 0.3, words: 2, enough: 3.2 };

/** Below this a word is common: one line in eight has it, among 100,000. */
const COMMON = 0.2;

export function askedBy(prompt: string, rarityOf: Rarity): PromptTerms {
  const weighed = [...new Set(termsOf(prompt.slice(0, LONGEST)))]
    .map((term) => ({ term, ...rarityOf(term) }))
    .sort((a, b) => b.rarity - a.rarity);
  const known = weighed.filter(({ lines }) => lines > 0).slice(0, MOST_TERMS);
  const looked = weighed.slice(0, MOST_TERMS);
  return {
    known: new Map(known.map(({ term, rarity }) => [term, rarity])),
    weight: looked.reduce((sum, { rarity }) => sum + rarity, 0),
  };
}

/** 0 when a remembered text is not worth saying beside the prompt; otherwise what they share. */
export function relevance(asked: PromptTerms, text: string): number {
  const shared = [...new Set(termsOf(text))].filter((term) => asked.known.has(term));
  return worth(asked, withoutParts(shared));
}

/**
 * The terms that are worth looking for: none when not even a text with all of them would be worth saying. In a large
 * memory common words are in every tenth line, cost the most and help the least.
 */
export function soughtTerms(asked: PromptTerms): string[] {
  const terms = [...asked.known.keys()];
  if (worth(asked, terms) === 0) return [];
  const rare = terms.filter((term) => asked.known.get(term)! >= COMMON);
  return worth(asked, rare) > 0 ? rare : terms;
}

function worth({ known, weight }: PromptTerms, words: string[]): number {
  const mass = words.reduce((sum, term) => sum + known.get(term)!, 0);
  if (words.length < FLOOR.words || mass < FLOOR.mass) return 0;
  return mass >= FLOOR.enough || mass >= FLOOR.share * weight ? mass : 0;
}

/** A path or an identifier comes with each of its parts: that is one word, not four. */
function withoutParts(terms: string[]): string[] {
  const names = terms.filter((term) => /[^\p{L}\p{N}]|\p{L}\p{N}|\p{N}\p{L}/u.test(term));
  return terms.filter((term) => !names.some((name) => name !== term && name.includes(term)));
}
