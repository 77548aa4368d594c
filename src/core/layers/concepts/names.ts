import type { ExchangeRecord } from '../../model/exchange.ts';
import { termsOf } from '../../text/terms.ts';
import { keywordKey } from '../keywords.ts';
import { termWeight } from '../term-weight.ts';
import { askFragment, LEAST_TITLE_WORTH } from '../titles/ask-fragment.ts';
import { NAMING_DETAILS, spreadOver } from './found-phrases.ts';
import { bestPhrases, type KeyCounts, keyCounts, phraseBeside } from './group-phrases.ts';
import type { ConceptGroup } from './groups.ts';

const LONGEST = 59;
const MOST_KEYWORDS = 12;
const NUMBERED = /^\d|(?:^|\/)[0-9a-f]{6,}$|[0-9a-f]{8}-[0-9a-f]{4}/i;

const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u;

type Keyword = { key: string; form: string; count: number; worth: number };

/** What a group is called, and its most characteristic words. */
export type GroupName = { name: string; words: string[] };

/**
 * Names, each its own: a noun phrase of what was asked, committed and said, that contains a word of more than half of a
 * group's exchanges and of few others; of a single exchange what it committed or was asked for.
 */
export class ConceptNames {
  readonly #counts: KeyCounts;
  readonly #spread = new Map<string, number>();
  readonly #groups: number;
  readonly #taken: Set<string>;
  readonly #numbers: LastNumbers = new Map();

  constructor(groups: ConceptGroup[], taken: Iterable<string> = []) {
    this.#groups = groups.length;
    this.#counts = keyCounts(groups);
    this.#taken = new Set(taken);
    for (const { keywords } of groups)
      for (const key of keywords.keys()) this.#spread.set(key, (this.#spread.get(key) ?? 0) + 1);
  }

  nameOf(group: ConceptGroup): GroupName {
    const keywords = keywordsOfGroup(group, this.#spread, this.#groups);
    const words = keywords.slice(0, MOST_KEYWORDS).map(({ form }) => form);
    for (const name of candidates(group, keywords, this.#counts, this.#numbers)) {
      if (this.#taken.has(name.toLowerCase())) continue;
      this.#taken.add(name.toLowerCase());
      return { name, words };
    }
    return { name: '', words };
  }
}

/** Whether a name contains a keyword of more than half of a group's exchanges. */
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
  counts: KeyCounts,
  numbers: LastNumbers,
): Generator<string> {
  const half = group.items.length / 2;
  const anchors = keywords.filter(({ count }) => count > half);
  const [anchor = keywords[0]] = anchors;
  if (!anchor) {
    yield* numbered('Other', numbers);
    return;
  }
  if (group.items.length === 1) yield* ownTitles(group.items[0]!.record);
  yield* unspacedPhrases(group, anchors, keywords);
  const phrases = bestPhrases(group, counts);
  const beside = phrases[0] && phraseBeside(phrases[0], phrases, group, counts);
  const both = beside ? `${phrases[0]!.text} and ${beside.text}` : '';
  if (both !== '' && both.length <= LONGEST) yield capital(both);
  for (const { text } of phrases) yield capital(text);
  const [head = anchor] = keywords.filter(({ form, count }) => count > half && !NUMBERED.test(form));
  yield* numbered(head.form, numbers);
}

/** The topic of a single exchange is its purpose. */
function* ownTitles({ commits, ask }: ExchangeRecord): Generator<string> {
  for (const subject of commits ?? [])
    if (subject.length <= LONGEST && !subject.endsWith('…')) yield capital(subject);
  const asked = askFragment(ask, LONGEST - 1);
  if (asked && asked.worth >= LEAST_TITLE_WORTH && !/[…?]$/.test(asked.text)) yield asked.text;
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

function related(a: string, b: string): boolean {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  return x.includes(y) || y.includes(x);
}

/** A plain word begins with a capital; a name of code stays as it is, and one that nobody can say (`npm`). */
function capital(name: string): string {
  return /^[a-zà-ÿ]+(?:[ :,]|$)/.test(name) && !/^[b-df-hj-np-tv-xz]+(?:[ :,]|$)/.test(name)
    ? name[0]!.toUpperCase() + name.slice(1)
    : name;
}

function commonest(forms: Map<string, number> | undefined): string {
  let [best, most] = ['', 0];
  for (const [form, count] of forms ?? [])
    if (count > most || (count === most && form.length < best.length)) [best, most] = [form, count];
  return best;
}
