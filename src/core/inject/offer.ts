import { estimateTokens } from '../text/estimate-tokens.ts';
import { termsOf, tokenPattern } from '../text/terms.ts';

/** Tokens of an offer. */
const MOST_TOKENS = 30;

/**
 * One line that says that memory knows something, and how to get it: with the prompt's own words, as many of the weightiest as
 * fit. Empty when not even one does.
 */
export function offerText(prompt: string, exchanges: number, weightOf: (term: string) => number): string {
  const words = (prompt.match(tokenPattern(prompt)) ?? []).map((word, place) => ({
    word: word.replace(/["\\]/g, ''),
    place,
    weight: Math.max(0, ...termsOf(word).map(weightOf)),
  }));
  const useful = words.filter(
    ({ word, weight }, at) => weight > 0 && words.findIndex((it) => it.word === word) === at,
  );
  useful.sort((a, b) => b.weight - a.weight || a.place - b.place);
  for (let count = useful.length; count > 0; count--) {
    const chosen = useful.slice(0, count).sort((a, b) => a.place - b.place);
    const topic = chosen.map(({ word }) => word).join(' ');
    const text = `Keepsake has ${exchanges} earlier exchange${exchanges === 1 ? '' : 's'} on this: recall "${topic}"`;
    if (estimateTokens(text) <= MOST_TOKENS) return text;
  }
  return '';
}
