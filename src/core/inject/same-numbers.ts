import { once } from '../text/once.ts';
import { hasPlainWords } from '../text/plain-words.ts';

/** `story 5`, `#10`, `step 3`: what is counted, and its number. Dotted numbers need nothing before them. */
const anyCounted = once(() => /([\p{L}]{3,}) ?#?(\d{1,6})(?![\w.]*\w)/giu);
const PLAIN_COUNTED = /([A-Za-z]{3,}) ?#?(\d{1,6})(?![\w.]*\w)/g;
const NUMBERED = /(?<![\w.:/-])#\d+\b|(?<![\w.:/@-])\d+(?:\.\d+)+(?![\w/-])/g;

/**
 * Whether what is quoted speaks of the numbers that a prompt names: another number beside the same word is another thing, and so
 * is a quote without the ticket or section that was asked for.
 */
export function hasSameNumbers(prompt: string, quoted: string): boolean {
  if (!/\d/.test(prompt)) return true;
  const named = prompt.match(NUMBERED) ?? [];
  const has = new Set(quoted.match(NUMBERED) ?? []);
  if (named.length > 0 && !named.some((number) => has.has(number))) return false;
  const beside = countedIn(quoted);
  return [...countedIn(prompt)].every(([word, numbers]) => {
    const others = beside.get(word);
    return others === undefined || [...numbers].some((number) => others.has(number));
  });
}

function countedIn(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, word = '', number = ''] of text.matchAll(
    hasPlainWords(text) ? PLAIN_COUNTED : anyCounted(),
  )) {
    const key = word.toLowerCase();
    found.set(key, (found.get(key) ?? new Set()).add(number));
  }
  return found;
}
