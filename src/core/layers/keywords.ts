import { BoundedCache } from '../text/bounded-cache.ts';
import { once } from '../text/once.ts';
import { anyToken, termsOf, tokenPattern } from '../text/terms.ts';
import { termWeight } from './term-weight.ts';

const PLAIN = /^[ -~]*$/;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const HIRAGANA_ONLY = /^\p{Script=Hiragana}+$/u;
/** Endings that Korean hangs on a noun. */
const PARTICLE = /(?:에서는|에서|에게|으로|까지|부터|처럼|은|는|이|가|을|를|의|에|로|과|와|도|만)$/u;
const IDENTIFIER = /[_./:@\\$-]|\p{Ll}\p{Lu}|\p{Lu}{2}/u;
const REDACTED = /^redacted|^keepit\d/i;
const FEWEST = 3;
/** A longer one would be no name for anything. */
const LONGEST = 40;

export type KeywordText = { text: string; weight: number };

/** A word as it is counted, and as a person wrote it. */
type Counted = { score: number; forms: Map<string, number>; first: number };

/**
 * The words that characterize texts, the most characteristic first, as they were written. Coding: how often, identifiers and
 * paths as well as plain words. Conversation: rare words more, names most.
 */
export function keywordsOf(texts: KeywordText[], kind: 'coding' | 'conversation', most: number): string[] {
  const counted = new Map<string, Counted>();
  for (const { text, weight } of texts) {
    for (const { form, key, sentenceStart } of wordsIn(text)) {
      const known = counted.get(key) ?? { score: 0, forms: new Map(), first: counted.size };
      const worth = kind === 'coding' ? codingWorth(form, key) : talkWorth(form, key, sentenceStart);
      known.score += weight * worth;
      known.forms.set(form, (known.forms.get(form) ?? 0) + 1);
      counted.set(key, known);
    }
  }
  return [...counted.values()]
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.first - b.first)
    .slice(0, most)
    .map(({ forms }) => shownForm(forms));
}

/** What two keywords have in common when they mean the same word. */
export function keywordKey(keyword: string): string {
  if (!PLAIN.test(keyword) && CJK.test(keyword)) return keyword;
  return termsOf(keyword)[0] ?? keyword.toLowerCase();
}

type Word = { form: string; key: string; sentenceStart: boolean };

function* wordsIn(text: string): Generator<Word> {
  let end = 0;
  const pattern = tokenPattern(text);
  const plain = pattern !== anyToken();
  for (const match of text.matchAll(pattern)) {
    const token = match[0];
    const between = text.slice(end, match.index);
    const sentenceStart = end === 0 || (between !== ' ' && /[.!?:\n]/.test(between));
    end = match.index + token.length;
    if (!plain && CJK.test(token)) {
      if (token.length > LONGEST || REDACTED.test(token)) continue;
      for (const form of cjkWords(token)) yield { form, key: form, sentenceStart: true };
      continue;
    }
    const word = tokenWord(token);
    if (word) yield { ...word, sentenceStart };
  }
}

type Taken = { form: string; key: string };
/** The same words come again and again: without it keywords take a third longer. */
const tokenWords = new BoundedCache<string, Taken | null>(20_000);

function tokenWord(token: string): Taken | null {
  const known = tokenWords.get(token);
  return known === undefined ? tokenWords.set(token, parseToken(token)) : known;
}

function parseToken(token: string): Taken | null {
  if (token.length > LONGEST || REDACTED.test(token)) return null;
  const form = token.replace(/['’]s$/u, '').replace(/[.:'’-]+$/u, '');
  const key = termsOf(form)[0];
  // Numbers and hashes say nothing to a person.
  if (key === undefined || form.length < FEWEST || !/\p{L}{2}/u.test(form)) return null;
  if (/^[0-9a-f]{7,}$/i.test(form) && /\d/.test(form)) return null;
  return { form, key };
}

const segmenter = once(() => new Intl.Segmenter('ja', { granularity: 'word' }));

function cjkWords(token: string): string[] {
  if (/^\p{Script=Hangul}+$/u.test(token)) {
    const noun = token.length > 2 ? token.replace(PARTICLE, '') : token;
    return noun.length >= 2 ? [noun] : [];
  }
  return [...segmenter().segment(token)]
    .map(({ segment }) => segment)
    .filter((word) => [...word].length >= 2 && CJK.test(word) && !HIRAGANA_ONLY.test(word));
}

function codingWorth(form: string, key: string): number {
  // A name represents something of its own; a plain word may be any.
  return IDENTIFIER.test(form) ? 1.3 : termWeight(key);
}

function talkWorth(form: string, key: string, sentenceStart: boolean): number {
  const capital = /^\p{Lu}/u.test(form) && !sentenceStart;
  return Math.sqrt(termWeight(key)) * (capital ? 1.5 : 1);
}

/** As it was written most often; the shorter, then the earlier one of two. */
function shownForm(forms: Map<string, number>): string {
  let [best, most] = ['', 0];
  for (const [form, times] of forms) {
    if (times > most || (times === most && form.length < best.length)) [best, most] = [form, times];
  }
  return best;
}
