import { once } from '../text/once.ts';
import { termsOf, tokenPattern } from '../text/terms.ts';
import { type Matches, matchesOf } from './snippet.ts';

/** What a person typed, ready for looking it up. */
export type Query = {
  /** As typed, without control characters and cut to a sane length. */
  text: string;
  /** Every term looked for, those of phrases too, each once. */
  terms: string[];
  /** Quoted words, lower case, one space between; `holdsPhrase` checks whether a text contains them. */
  phrases: string[];
  /** What a hit must not hold. */
  not: { terms: string[]; phrases: string[] };
  /** Beginnings of terms, for `IndexView.termsFrom`. */
  prefixes: string[];
};

/** In UTF-16 units. Longer ones are pasted files, whose first words show what is meant. */
const LONGEST = 10_240;
/** `"a phrase"`, `-"not this"`, or anything else up to a space. A quote that is never closed is an ordinary character. */
const PIECE = /(-?)(?:"([^"]*)"|“([^“”]*)”|«([^«»]*)»)|\S+/gu;
/** Letters and digits of scripts that put spaces between words. */
const SPACED =
  '(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}])[\\p{L}\\p{M}\\p{N}]';
/** Made for the first phrase: the classes of all scripts take milliseconds. */
const wordEdges = once(() => ({
  letter: new RegExp(`^${SPACED}`, 'u'),
  letterBefore: new RegExp(`${SPACED}$`, 'u'),
}));

function isPrefix(word: string): boolean {
  return word.endsWith('*') && /^[\p{L}\p{M}\p{N}_$][\p{L}\p{M}\p{N}_$./:@\\-]*\*$/u.test(word);
}

/** Reads a query: `"phrases"`, `-not`, `-"not this"`, `prefix*`; all else is words. Any string is a query. */
export function parseQuery(text: string): Query {
  const clean = cleaned(text);
  const terms = new Set<string>();
  const phrases = new Set<string>();
  const prefixes = new Set<string>();
  const not = { terms: new Set<string>(), phrases: new Set<string>() };
  for (const [piece, minus, straight, curly, angled] of clean.matchAll(PIECE)) {
    const quoted = straight ?? curly ?? angled;
    if (quoted !== undefined)
      addPhrase(quoted, minus === '-' ? undefined : terms, minus ? not.phrases : phrases);
    else if (/^-[^-]/.test(piece)) exclude(piece.slice(1), not);
    else if (isPrefix(piece)) addPrefix(piece.slice(0, -1), prefixes, terms);
    else for (const term of termsOf(piece)) terms.add(term);
  }
  return {
    text: clean,
    terms: [...terms],
    phrases: [...phrases],
    not: { terms: [...not.terms], phrases: [...not.phrases] },
    prefixes: [...prefixes],
  };
}

/** Whether a text has the words of a phrase side by side, in any case and over the ends of lines; no part of a word. */
export function holdsPhrase(text: string, phrase: string): boolean {
  const plain = plainPhrase(text);
  for (let at = plain.indexOf(phrase); at !== -1; at = plain.indexOf(phrase, at + 1)) {
    const end = at + phrase.length;
    if (!isWithin(plain, at) && !isWithin(plain, end)) return true;
  }
  return false;
}

/** The terms that every text with the phrase holds; none where it is made of small words only. */
export function termsOfPhrase(phrase: string): string[] {
  const terms = [...phrase.matchAll(tokenPattern(phrase))].flatMap(([token]) => {
    const [first, ...parts] = termsOf(token);
    // At its edges a phrase may be a piece of a longer name, which the index contains whole and by its parts.
    return parts.length > 0 ? parts : (first ?? []);
  });
  return [...new Set(terms)];
}

/** Whether a term is one that was looked for: what `snippetOf` marks. */
export function queryMatcher(query: Query): Matches {
  if (query.prefixes.length === 0) return matchesOf(query.terms);
  const terms = new Set(query.terms);
  return (term) => terms.has(term) || query.prefixes.some((prefix) => term.startsWith(prefix));
}

/** Whether there is anything to search for. */
export function asksNothing(query: Query): boolean {
  return query.terms.length + query.phrases.length + query.prefixes.length === 0;
}

function addPhrase(quoted: string, terms: Set<string> | undefined, phrases: Set<string>): void {
  const phrase = plainPhrase(quoted).trim();
  if (phrase === '') return;
  phrases.add(phrase);
  for (const term of terms === undefined ? [] : termsOf(quoted)) terms?.add(term);
}

/** A name of several parts is left out as it is: `-src/a.ts` says nothing against `src`. */
function exclude(word: string, not: { terms: Set<string>; phrases: Set<string> }): void {
  const plain = isPrefix(word) ? word.slice(0, -1) : word;
  const [term, ...more] = termsOf(plain);
  if (term === undefined) return;
  if (more.length === 0) not.terms.add(term);
  else not.phrases.add(plainPhrase(plain));
}

/** Terms are stems: `caching*` would never meet `cach`, so that is looked for besides. */
function addPrefix(word: string, prefixes: Set<string>, terms: Set<string>): void {
  const plain = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  prefixes.add(plain);
  const [stem, ...more] = termsOf(plain);
  if (stem !== undefined && more.length === 0 && !stem.startsWith(plain)) terms.add(stem);
}

function plainPhrase(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ');
}

/** Whether a place is inside a word. Scripts without spaces between words have no such places. */
function isWithin(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const { letter, letterBefore } = wordEdges();
  return letterBefore.test(text.slice(at - 2, at)) && letter.test(text.slice(at, at + 2));
}

function cleaned(text: string): string {
  const short = text.length > LONGEST ? text.slice(0, LONGEST) : text;
  // Half a pair at the cut, or anywhere else, is no character.
  return short
    .replace(/[\ud800-\udfff]/gu, ' ')
    .replace(/\p{Cc}/gu, ' ')
    .trim();
}
