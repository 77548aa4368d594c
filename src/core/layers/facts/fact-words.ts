import { once } from '../../text/once.ts';
import { hasPlainWords } from '../../text/plain-words.ts';

/** Words that say how something is put, never what: leaving one out can't turn a sentence round. */
const FILLING = new Set(
  'a an the this that these those our your my we you i it is are be please just so and from now on here always'.split(
    ' ',
  ),
);
/** A word with the marks that belong to it: `--flag`, `src/a.ts`, `C++`, not the period behind it. */
const anyWord = once(() => /[\p{L}\p{N}_./:@#$%+-]*[\p{L}\p{M}\p{N}_+#]/gu);
const PLAIN_WORD = /[a-z0-9_./:@#$%+-]*[a-z0-9_+#]/g;

/**
 * What a sentence says, whatever its case, marks and filling words: two folders of one project that have it in slightly
 * other words have one fact.
 */
export function factWords(content: string): string {
  const lower = content.toLowerCase();
  const words = lower.match(hasPlainWords(lower) ? PLAIN_WORD : anyWord()) ?? [];
  const meaning = words.filter((word) => !FILLING.has(word));
  return (meaning.length > 0 ? meaning : words).join(' ');
}
