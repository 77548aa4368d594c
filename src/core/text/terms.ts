import stem from 'wink-porter2-stemmer';
import { BoundedCache } from './bounded-cache.ts';
import { withoutGermanEnding } from './german-endings.ts';
import { IRREGULAR_FORMS } from './irregular-forms.ts';
import { once } from './once.ts';
import { STOP_WORDS } from './stop-words.ts';

/**
 * Words, identifiers and paths as they are: parts joined by `.`, `/`, `-`, `:`, `@`, `_`, `$` or an apostrophe. Always the
 * same pattern, made on first use: Unicode's classes take their time, so all patterns with them are made where they are used.
 */
export const anyToken = once(() => /[\p{L}\p{M}\p{N}_$]+(?:['’./:@\\-][\p{L}\p{M}\p{N}_$]+)*/gu);

/** The same for texts of plain characters, and of signs that are no part of a word. */
const PLAIN_TOKEN = /[A-Za-z0-9_$]+(?:['./:@\\-][A-Za-z0-9_$]+)*/g;
const PLAIN_TEXT = /^[\t\n\r -~\u2010-\u2018\u201a-\u2027\u2190-\u21ff\u2500-\u2775\u2794-\u27bf]*$/;
const PLAIN_WORDS = /^[\t\n\r -~]*$/;
/** `getUserName` -> get, User, Name; `HTTPServer2` -> HTTP, Server, 2. */
const PLAIN_PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[A-Z]+/g;
const PLAIN = /^[a-z]+$/;
const PLAIN_CONTRACTION = /^[a-z]+'[a-z]+$/;
/** Longer tokens are data (base64, minified code), which nobody searches for whole. */
const LONGEST = 80;
/** Words repeat: without it the terms of a text take four times as long. */
const stems = new BoundedCache<string, string>(20_000);

/**
 * The terms of a text, in order, as the index contains them: words stemmed, stop-words left out; an identifier or a path
 * whole, as well as each of its parts; Chinese, Japanese and Korean as overlapping pairs of characters, which needs no
 * dictionary and so is the same everywhere.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const token of text.match(tokenPattern(text)) ?? []) addToken(token, terms);
  return terms;
}

/** How terms begin that are looked for: their first letters, and their first two. `known`: tokens that came before. */
export type TermStarts = {
  letters: ReadonlySet<string>;
  pairs: ReadonlySet<string>;
  known: Map<string, TermsBeginning>;
};

/** `length`: how many terms `termsOf` has; `found`: in their order, those that may be among the ones that are looked for. */
export type TermsBeginning = { length: number; found: readonly string[] };

export function termStarts(terms: Iterable<string>): TermStarts {
  const [letters, pairs] = [new Set<string>(), new Set<string>()];
  for (const term of terms) {
    letters.add(term.slice(0, 1));
    pairs.add(term.slice(0, 2));
  }
  return { letters, pairs, known: new Map() };
}

/** The terms of a text that begin so: looking for a few terms, most words need no stem. */
export function termsBeginning(text: string, starts: TermStarts): TermsBeginning {
  const tokens = text.match(tokenPattern(text)) ?? [];
  const { known } = starts;
  const found: string[] = [];
  let length = 0;
  // By numbers: this runs once for all texts of a question, before V8 makes anything of an iterator.
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const own = known.get(token) ?? tokenBeginning(token, starts);
    length += own.length;
    for (let of = 0; of < own.found.length; of++) found.push(own.found[of]!);
  }
  return { length, found };
}

function tokenBeginning(token: string, starts: TermStarts): TermsBeginning {
  const terms: string[] = [];
  addToken(token, terms, starts);
  const own = { length: terms.length, found: terms.filter((term) => term !== '') };
  starts.known.set(token, own);
  return own;
}

/** What finds the tokens of a text: `anyToken`, or what finds the same sooner. */
export function tokenPattern(text: string): RegExp {
  return PLAIN_TEXT.test(text) ? PLAIN_TOKEN : anyToken();
}

function addToken(token: string, terms: string[], starts?: TermStarts): void {
  if (token.length > LONGEST) return;
  if (PLAIN.test(token)) addWord(token, terms, starts);
  else if (PLAIN_WORDS.test(token)) addPlainName(token, terms, starts);
  else if (isCjk(token)) addCjk(token, terms, starts);
  else addName(token, terms, starts);
}

/** An identifier, a path, or a word in capitals. */
function addPlainName(token: string, terms: string[], starts: TermStarts | undefined): void {
  const plain = token.replace(/'s?$/, '');
  const parts = plain.match(PLAIN_PARTS) ?? [];
  const whole = plain.toLowerCase();
  // `don't` and `we'll` are no names.
  if (parts.length > 1 && !PLAIN_CONTRACTION.test(whole)) terms.push(whole);
  for (const part of parts) addWord(part.toLowerCase(), terms, starts);
}

/** The same with accents, or in another script. */
function addName(token: string, terms: string[], starts: TermStarts | undefined): void {
  const plain = fold(token.replace(/['’]s?$/u, ''));
  const parts = plain.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}]+|\p{N}+|\p{Lu}+/gu) ?? [];
  const whole = plain.toLowerCase();
  // `don't` and `we'll` are no names.
  if (parts.length > 1 && !/^\p{L}+['’]\p{L}+$/u.test(whole)) terms.push(whole);
  for (const part of parts) addWord(part.toLowerCase(), terms, starts);
}

function addWord(word: string, terms: string[], starts: TermStarts | undefined): void {
  if (!STOP_WORDS.has(word)) terms.push(starts && !canBegin(word, starts) ? '' : stemmed(word));
}

/** Whether the term of a word may begin so: a stem has the first two letters of its word, except for `dying`, and what ends in `ing`. */
function canBegin(word: string, { letters, pairs }: TermStarts): boolean {
  const plain = IRREGULAR_FORMS.get(word) ?? word;
  if (plain[1] === 'y' || plain.startsWith('ing', 1)) return letters.has(plain[0]!);
  return pairs.has(plain.slice(0, 2));
}

function addCjk(token: string, terms: string[], starts: TermStarts | undefined): void {
  const runs =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
  for (const [run] of token.matchAll(runs)) {
    if (!isCjk(run)) {
      addToken(run, terms, starts);
      continue;
    }
    const characters = [...run];
    if (characters.length === 1) terms.push(run);
    for (let i = 0; i + 1 < characters.length; i++) terms.push(characters[i]! + characters[i + 1]!);
  }
}

function isCjk(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
}

/** Without accents: who types `fur` finds `für`. */
function fold(token: string): string {
  return /^[\x20-\x7e]*$/.test(token) ? token : token.normalize('NFKD').replace(/\p{M}/gu, '');
}

function stemmed(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const found =
    word.length > 2 && (PLAIN.test(word) || /^\p{L}+$/u.test(word))
      ? stem(IRREGULAR_FORMS.get(word) ?? withoutGermanEnding(word))
      : word;
  return stems.set(word, found);
}
