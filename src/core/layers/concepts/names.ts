import type { ExchangeRecord } from '../../model/exchange.ts';
import { termsOf, tokenPattern } from '../../text/terms.ts';
import { keywordKey } from '../keywords.ts';
import { termWeight } from '../term-weight.ts';
import type { ConceptGroup } from './groups.ts';

const LONGEST = 59;
/** Words of a name that say something. */
const MOST_WORDS = 4;
/** Exchanges of a group that its name is looked for in. */
const MOST_READ = 60;
/** Characters of an exchange's details that a name is looked for in. */
export const NAMING_DETAILS = 300;
const MOST_KEYWORDS = 12;
const NUMBERED = /^\d|(?:^|\/)[0-9a-f]{6,}$|[0-9a-f]{8}-[0-9a-f]{4}/i;
/** Words that do not begin or end a name: what is done with a thing, not the thing. */
const LOOSE =
  /^(?:happens?|seems?|with|found|add(?:s|ed|ing)?|fix(?:es|ed|ing)?|updat(?:es?|ed|ing)|remov(?:es?|ed|ing)|chang(?:es?|ed|ing)|creat(?:es?|ed|ing)|implement(?:s|ed|ing)?|all|both|the|new|following|based|us(?:es?|ed|ing)|mak(?:es?|ing)|let|lets|fail(?:s|ed|ing)?|runs?|running|works?|working|calls?|called|calling|starts?|started|another|current(?:ly)?|already|properly|directly|correctly|actually|intentionally|either|becuase|exceeding|taken|pushed|shows?|returns?|returned|takes?|gets?|getting|put|keep|keeps|one|two|ones|thing|things|way|own|same|other|more|most|even|any|able|needs?|needed|want(?:s|ed)?|check(?:s|ed|ing)?|please|hmm+|e?h+|gah|oh|via|onto|looks?|looking|tr(?:y|ies|ied|ying)|feat|fresh|proper|single|third|full|expected|existing|old)$/i;
/** Words that may be between two others of a name. */
const JOINS =
  /^(?:of|for|in|on|from|to|per|by|as|without|between|after|before|at|und|für|von|im|zu|der|des)$/i;

const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u;

type Keyword = { key: string; form: string; count: number; worth: number };

/** What a group is called, and its most characteristic words. */
export type GroupName = { name: string; words: string[] };

/**
 * Names, each its own: the phrase that most exchanges of a group have in common around a keyword of more than half of
 * them, else that keyword with the next ones.
 */
export class ConceptNames {
  readonly #groups: number;
  readonly #spread = new Map<string, number>();
  readonly #taken: Set<string>;
  readonly #known: KnownWords = new Map();
  readonly #numbers: LastNumbers = new Map();

  constructor(groups: ConceptGroup[], taken: Iterable<string> = []) {
    this.#groups = groups.length;
    this.#taken = new Set(taken);
    for (const { keywords } of groups)
      for (const key of keywords.keys()) this.#spread.set(key, (this.#spread.get(key) ?? 0) + 1);
  }

  nameOf(group: ConceptGroup): GroupName {
    const keywords = keywordsOfGroup(group, this.#spread, this.#groups);
    const words = keywords.slice(0, MOST_KEYWORDS).map(({ form }) => form);
    for (const name of candidates(group, keywords, this.#known, this.#numbers)) {
      if (this.#taken.has(name.toLowerCase())) continue;
      this.#taken.add(name.toLowerCase());
      return { name, words };
    }
    return { name: '', words };
  }
}

/** Whether a name holds a keyword of more than half of a group's exchanges. */
export function holdsName({ keywords, items }: ConceptGroup, name: string): boolean {
  const terms = new Set(termsOf(name));
  for (const [key, count] of keywords)
    if (count * 2 > items.length && (terms.has(key) || name.includes(key))) return true;
  return false;
}

/** The most characteristic first: in many of its exchanges and in few other groups. */
function keywordsOfGroup(group: ConceptGroup, spread: Map<string, number>, groups: number): Keyword[] {
  const forms = new Map<string, Map<string, number>>();
  for (const { record } of spreadOver(group.items)) {
    for (const form of record.keywords) {
      const key = keywordKey(form);
      const known = forms.get(key) ?? new Map();
      forms.set(key, known.set(form, (known.get(form) ?? 0) + 1));
    }
  }
  return [...group.keywords]
    .map(([key, count]) => {
      const rarity = Math.log((groups + 1) / ((spread.get(key) ?? 0) + 0.5));
      return {
        key,
        count,
        form: commonest(forms.get(key)) || key,
        worth: (count / group.items.length) * (rarity + 0.3) * (0.3 + termWeight(key)),
      };
    })
    .sort((a, b) => b.worth - a.worth || (a.key < b.key ? -1 : 1));
}

function* candidates(
  group: ConceptGroup,
  keywords: Keyword[],
  words: KnownWords,
  numbers: LastNumbers,
): Generator<string> {
  const half = group.items.length / 2;
  const anchors = keywords.filter(({ count }) => count > half);
  const [anchor = keywords[0]] = anchors;
  if (!anchor) {
    yield* numbered('Other', numbers);
    return;
  }
  yield* bestPhrases(group, anchors, keywords, words).map(fitted);
  yield* unspacedPhrases(group, anchors, keywords);
  const plain = keywords.filter(({ form }) => !LOOSE.test(form) && !NUMBERED.test(form) && form.length <= 30);
  const [head = anchor] = plain.filter(({ count }) => count > half);
  const others = plain.filter(({ key, form }) => key !== head.key && !related(form, head.form));
  for (const { form } of others.slice(0, 6)) yield fitted(`${head.form} and ${form}`);
  yield* numbered(head.form, numbers);
}

/** How far each plain name has been counted: names are only ever taken, so the numbers before it stay taken. */
type LastNumbers = Map<string, number>;

function* numbered(full: string, numbers: LastNumbers): Generator<string> {
  const name = capital(full.slice(0, LONGEST - 9));
  yield name;
  const key = name.toLowerCase();
  for (let number = numbers.get(key) ?? 2; ; number++) {
    numbers.set(key, number);
    yield `${name} (${number})`;
  }
}

type Word = { form: string; key: string; joins: boolean; isEnd: boolean };
/** Each word is looked at once for all groups. */
type KnownWords = Map<string, Word | undefined>;
type Phrase = { text: string; keys: string[]; items: number };

/** Runs of words around a keyword of more than half, those first that say most of what the group is about, and most often. */
function bestPhrases(
  group: ConceptGroup,
  anchors: Keyword[],
  keywords: Keyword[],
  words: KnownWords,
): string[] {
  const wanted = new Set(anchors.map(({ key }) => key));
  const worth = new Map(keywords.map((keyword) => [keyword.key, keyword.worth]));
  const top = keywords[0]?.worth ?? 1;
  const phrases = new Map<string, Phrase>();
  for (const { record } of spreadOver(group.items)) {
    const seen = new Set<string>();
    for (const run of phrasesOf(namingText(record), words, wanted)) {
      if (!run.some(({ key }) => wanted.has(key))) continue;
      const text = run.map(({ form }) => form).join(' ');
      const id = text.toLowerCase();
      if (text.length > LONGEST || seen.has(id)) continue;
      seen.add(id);
      const keys = [...new Set(run.flatMap(({ joins, key }) => (joins ? [] : [key])))];
      const known = phrases.get(id) ?? { text, keys, items: 0 };
      known.items++;
      phrases.set(id, known);
    }
  }
  const score = ({ keys, items }: Phrase) => {
    const matched = keys.reduce((sum, key) => sum + (worth.get(key) ?? 0) / top, 0);
    const strange = keys.filter((key) => !worth.has(key)).length;
    return ((matched + 0.1) / (1 + 0.5 * strange + 0.15 * keys.length)) * Math.sqrt(items);
  };
  return [...phrases.values()]
    .filter(({ keys }) => keys.length > 1)
    .map((phrase) => ({ text: phrase.text, score: score(phrase) }))
    .sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1))
    .slice(0, 12)
    .map(({ text }) => text);
}

function namingText({ ask, summary, details }: ExchangeRecord): string {
  return `${ask}\n${summary}\n${details.slice(0, NAMING_DETAILS)}`;
}

/** Where words are not set apart: two keywords that are side by side in most of what holds both, one of them of more than half. */
function unspacedPhrases(group: ConceptGroup, anchors: Keyword[], keywords: Keyword[]): string[] {
  const firsts = anchors.filter(({ form }) => UNSPACED.test(form)).slice(0, 4);
  if (firsts.length === 0) return [];
  const others = keywords.filter(({ form }) => UNSPACED.test(form)).slice(0, 8);
  const texts = spreadOver(group.items).map(({ record }) => namingText(record));
  const found: { text: string; items: number }[] = [];
  for (const { form: one } of firsts)
    for (const { form: other } of others) {
      if (related(one, other)) continue;
      for (const text of [`${one}${other}`, `${other}${one}`, `${one} ${other}`, `${other} ${one}`]) {
        const items = texts.filter((it) => it.includes(text)).length;
        if (items > 0) found.push({ text, items });
      }
    }
  const best = found.sort((a, b) => b.items - a.items || b.text.length - a.text.length);
  return [...best.map(({ text }) => text), ...firsts.map(({ form }) => form)];
}

/** So many of them at most, evenly from the first to the last: a large group says the same again and again. */
export function spreadOver<T>(items: T[]): T[] {
  const step = Math.max(1, items.length / MOST_READ);
  return Array.from(
    { length: Math.min(items.length, MOST_READ) },
    (_, place) => items[Math.floor(place * step)]!,
  );
}

/** Runs of two to four words that say something, with no other but joining words between them. */
function* phrasesOf(text: string, known: KnownWords, wanted: Set<string>): Generator<Word[]> {
  for (const run of runsOf(text, known)) {
    if (run.length < 2 || !run.some(({ key }) => wanted.has(key))) continue;
    for (let from = 0; from < run.length; from++) {
      if (!run[from]!.isEnd) continue;
      let words = 1;
      for (let to = from + 1; to < run.length && words < MOST_WORDS; to++) {
        if (run[to]!.joins) continue;
        words++;
        if (run[to]!.isEnd) yield run.slice(from, to + 1);
      }
    }
  }
}

function* runsOf(text: string, known: KnownWords): Generator<Word[]> {
  let run: Word[] = [];
  let end = 0;
  for (const match of text.matchAll(tokenPattern(text))) {
    const gap = text.slice(end, match.index);
    end = match.index + match[0].length;
    const word = wordOf(match[0], known);
    if ((gap !== ' ' && gap !== ' `' && gap !== '` ') || !word) {
      yield run;
      run = [];
    }
    if (word) run.push(word);
  }
  yield run;
}

/** Undefined for words that no name runs over: numbers, hashes, and stop words, which have no term. */
function wordOf(form: string, known: KnownWords): Word | undefined {
  if (known.has(form)) return known.get(form);
  const joins = JOINS.test(form);
  const [term] = joins ? [] : termsOf(form);
  const isKeyword = term !== undefined && termWeight(term) > 0 && !NUMBERED.test(form);
  const isEnd = isKeyword && form.length > 1 && !LOOSE.test(form);
  const word = joins || isKeyword ? { form, key: joins ? '' : keywordKey(form), joins, isEnd } : undefined;
  known.set(form, word);
  return word;
}

function related(a: string, b: string): boolean {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  return x.includes(y) || y.includes(x);
}

function fitted(name: string): string {
  if (name.length <= LONGEST) return capital(name);
  const cut = name.slice(0, LONGEST).replace(/[\s,:]+\S*$/, '');
  return capital(cut);
}

/** A plain word begins with a capital; a name of code stays as it is. */
function capital(name: string): string {
  return /^[a-zà-ÿ]+(?:[ :,]|$)/.test(name) ? name[0]!.toUpperCase() + name.slice(1) : name;
}

function commonest(forms: Map<string, number> | undefined): string {
  let [best, most] = ['', 0];
  for (const [form, count] of forms ?? [])
    if (count > most || (count === most && form.length < best.length)) [best, most] = [form, count];
  return best;
}
