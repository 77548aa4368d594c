import { isQuestion } from './query-intent.ts';
import { relatedTerms } from './related-words.ts';
import type { SearchView } from './view.ts';
import { SEARCH_WEIGHTS } from './weights.ts';

/** Lines that hold a term, and what a hit of it is worth. */
export type WeighedPostings = { lines: Uint32Array; counts: Uint8Array; weight: number };

/** One requested thing: a word, and words that may represent it. Only the best of them counts in a text. */
export type WantedTerm = WeighedPostings[];

/** Words that only shape a question: they say little about the answer. */
const SHAPING = new Set(
  'kind type sort mani much long often mention describ go take say tell think make thing specif particular current recent accord discuss share happen name use plan way feel consid new'.split(
    ' ',
  ),
);
/** Terms as they are, each of the same weight. */
export function lookUp(view: SearchView, terms: string[], weight = 1): WantedTerm[] {
  return terms.map((term) => [{ ...view.postings(term), weight }]);
}

/** The most lines that any of the terms has. */
export function longestOf(wanted: WantedTerm[]): number {
  let most = 0;
  for (const word of wanted) for (const { lines } of word) most = Math.max(most, lines.length);
  return most;
}

/** The lines that may be found, and how many they are. */
export type LookUpScope = { accept: (line: number) => boolean; lines: number };

/**
 * Terms of a question to turns: the names of speakers and words that only shape the question weigh less; a word that is
 * rare here brings the words by which it may be answered.
 */
export function lookUpWidely(
  view: SearchView,
  { text, terms }: { text: string; terms: string[] },
  scope: LookUpScope,
  isSpeaker: (term: string) => boolean,
): WantedTerm[] {
  const { speakerAsWord, shapingWord, related, relatedTo, relatedIs } = SEARCH_WEIGHTS;
  const asks = isQuestion(text);
  const known = new Set(terms);
  return terms.map((term) => {
    const own = view.postings(term);
    if (isSpeaker(term)) return [{ ...own, weight: speakerAsWord }];
    const wanted = [{ ...own, weight: asks && SHAPING.has(term) ? shapingWord : 1 }];
    if (!isRare(own.lines, relatedTo, scope)) return wanted;
    for (const other of relatedTerms(term)) {
      if (known.has(other)) continue;
      const found = view.postings(other);
      if (isRare(found.lines, relatedIs, scope)) wanted.push({ ...found, weight: related });
    }
    return wanted;
  });
}

/** Whether at most such a share of the scope's lines are among these. */
function isRare(lines: Uint32Array, share: number, scope: LookUpScope): boolean {
  let left = Math.floor(share * scope.lines);
  if (lines.length <= left) return true;
  for (const line of lines) if (scope.accept(line) && left-- === 0) return false;
  return true;
}
