import { wordsOf } from './mark-words.ts';

type Read = { text: string; title: string; snippet: string };

/** Words that say nothing about what is looked for. */
const SMALL = new Set(
  'a an and are as at be by can did do does for from had has have how i in is it its my no not of on or our so that the then this to was we were what when where which who why will with you your'.split(
    ' ',
  ),
);
/** Writing without blanks between words: what a word is cannot be seen here. */
const UNDIVIDED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

/**
 * What to say where words were looked for that no result has together; empty: one has them all, or nobody can tell.
 * Endings do not count, so it says rather too little than something that is not so.
 */
export function missingWords(query: string, hits: readonly Read[]): string {
  const words = wordsOf(query).filter((word) => !SMALL.has(word));
  if (words.length < 2 || hits.length === 0 || UNDIVIDED.test(query)) return '';
  const texts = hits.map(({ text, title, snippet }) => `${title} ${text || snippet}`.toLowerCase());
  const has = (text: string, word: string) => text.includes(stemOf(word));
  if (texts.some((text) => words.every((word) => has(text, word)))) return '';
  const nowhere = words.filter((word) => !texts.some((text) => has(text, word)));
  const named = nowhere.map((word) => `“${word}”`).join(', ');
  return nowhere.length > 0 && nowhere.length < words.length
    ? `No result contains ${named}. These contain the other words.`
    : 'No result contains all of the words. These contain some of them.';
}

function stemOf(word: string): string {
  return word.length > 5 ? word.slice(0, -2) : word.length > 3 ? word.slice(0, -1) : word;
}
