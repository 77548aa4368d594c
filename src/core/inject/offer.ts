import { termsOf, tokenPattern } from '../text/terms.ts';
import type { TokenCounter } from '../text/tokens.ts';
import { EVIDENCE } from './evidence.ts';
import { isName } from './prompt-kind.ts';
import { isWorkingWord } from './working-words.ts';

/**
 * One line that says that memory knows something, and how to get it: with the prompt's own words, as many of the weightiest as
 * fit. Empty when every project could say them.
 */
export function offerText(
  prompt: string,
  exchanges: number,
  weightOf: (term: string) => number,
  count: TokenCounter,
): string {
  const words = (prompt.match(tokenPattern(prompt)) ?? []).map((word, place) => {
    const terms = termsOf(word);
    // Of a name that memory never saw, its parts say nothing.
    const own = isName(terms[0] ?? '') ? terms.slice(0, 1) : terms;
    const known = own.filter((term) => weightOf(term) > 0);
    return {
      word: word.replace(/["\\]/g, ''),
      place,
      weight: Math.max(0, ...known.map(weightOf)),
      isTelling: known.some((term) => !isWorkingWord(term)),
    };
  });
  const useful = words.filter(
    ({ word, weight }, at) => weight > 0 && words.findIndex((it) => it.word === word) === at,
  );
  if (!useful.some(({ isTelling }) => isTelling)) return '';
  useful.sort((a, b) => b.weight - a.weight || a.place - b.place);
  for (let most = Math.min(useful.length, EVIDENCE.offerTokens); most > 0; most--) {
    const chosen = useful.slice(0, most).sort((a, b) => a.place - b.place);
    const topic = chosen.map(({ word }) => word).join(' ');
    const text = `Keepsake has ${exchanges} earlier exchange${exchanges === 1 ? '' : 's'} on this: recall "${topic}"`;
    if (count(text) <= EVIDENCE.offerTokens) return text;
  }
  return '';
}
