// A pattern takes longer to compile than a short text to look through: what can't match is not tried. Each guard lets through all
// that its pattern matches, and more.

/** Whether any of these parts, in small letters, is in a text in small letters. */
export function holdsAny(lower: string, parts: readonly string[]): boolean {
  return parts.some((part) => lower.includes(part));
}

const FIRST_WORD = /^[A-Za-z]+/;

/** The plain letters that a text begins with, in small ones; undefined where it begins with anything else. */
export function firstLetters(text: string): string | undefined {
  return FIRST_WORD.exec(text)?.[0].toLowerCase();
}

/** For patterns that begin with one of these words: whether a text may, as far as its first letters show. */
export function mayBeginWith(text: string, words: ReadonlySet<string>): boolean {
  const first = firstLetters(text);
  return first === undefined || words.has(first);
}

/** Words in a list, divided by blanks. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
