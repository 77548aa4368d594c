import { termsOf, tokenPattern } from '../text/terms.ts';
import type { TokenCounter } from '../text/tokens.ts';
import { EVIDENCE } from './evidence.ts';
import { isName } from './prompt-kind.ts';
import { isWorkingWord } from './working-words.ts';

export type OfferRequest = {
  exchanges: number;
  /** 0 for a term that no exchange of the project has. */
  weightOf: (term: string) => number;
  /** Says nothing of a topic: every session of the project has it. */
  projectName: string;
};

/**
 * One line that says that memory knows something, and how to get it: with the prompt's own words, as many of the weightiest as
 * fit. Empty when every project could say them.
 */
export function offerText(
  prompt: string,
  { exchanges, weightOf, projectName }: OfferRequest,
  count: TokenCounter,
): string {
  const ofProject = new Set(termsOf(projectName));
  const words = (prompt.match(tokenPattern(prompt)) ?? []).map((word, place) => {
    const terms = termsOf(word);
    // Of a name that memory never saw, its parts say nothing.
    const own = isName(terms[0] ?? '') ? terms.slice(0, 1) : terms;
    const known = own.filter((term) => weightOf(term) > 0);
    return {
      word: word.replace(/["\\]/g, ''),
      place,
      weight: Math.max(0, ...known.map(weightOf)),
      isName: isName(terms[0] ?? ''),
      isTelling: known.some((term) => !isWorkingWord(term) && !ofProject.has(term)),
    };
  });
  const useful = words.filter(
    ({ word, weight }, at) => weight > 0 && words.findIndex((it) => it.word === word) === at,
  );
  if (!useful.some(({ isTelling }) => isTelling)) return '';
  // A name says more than any other word; of a long prompt not all of it fits.
  useful.sort((a, b) => Number(b.isName) - Number(a.isName) || b.weight - a.weight || a.place - b.place);
  const textOf = (chosen: typeof useful) => {
    const topic = [...chosen].sort((a, b) => a.place - b.place).map(({ word }) => word);
    return `Keepsake has ${exchanges} earlier exchange${exchanges === 1 ? '' : 's'} on this: recall "${topic.join(' ')}"`;
  };
  const chosen: typeof useful = [];
  for (const word of useful) if (count(textOf([...chosen, word])) <= EVIDENCE.offerTokens) chosen.push(word);
  return chosen.some(({ isTelling }) => isTelling) ? textOf(chosen) : '';
}
