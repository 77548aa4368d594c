import type { ExchangeRecord } from '../../model/exchange.ts';
import { termsOf } from '../../text/terms.ts';
import { keywordKey } from '../keywords.ts';
import { termWeight } from '../term-weight.ts';
import { withoutImages } from '../titles/plain-ask.ts';
import type { ConceptGroup } from './groups.ts';
import { isFileName, isProper, nounPhrasesIn, type PhraseWord } from './noun-phrases.ts';

/** Exchanges of a group that its name is looked for in. */
const MOST_READ = 60;
/** Characters of an exchange's details that a name is looked for in. */
export const NAMING_DETAILS = 300;
/** How well what was written where names a thing. */
const SOURCES = { commit: 2, ask: 1.4, title: 1, summary: 0.8, details: 0.5 };
const LONGEST = 59;
const FLOOR = 0.02;
const LOOKED_AT = 24;
const MOST_KEYS = 4;
/** A longer phrase with the same words; with the same or with others than a single word; one that was said only once. */
const FULLER = 0.68;
const FULLER_THAN_ONE = 0.42;
const OTHER_THAN_ONE = 0.5;
const OTHER_THAN_NAMED = 0.8;
const ONCE_SAID = 0.7;
const OFTEN = 1.4;
/** Words that occur in all kinds of work, and seldom are its topic. */
const PROCESS = new Set(
  termsOf(
    'pr prs commit branch push merge rebase plan phase feedback review comment thread discussion message worktree session repo project ticket task',
  ),
);

type Found = { keys: string[]; forms: Map<string, number>; hits: number; items: number; named: number };
export type ScoredPhrase = {
  text: string;
  score: number;
  hits: number;
  share: number;
  items: number;
  named: boolean;
  most: number;
  keys: string[];
  /** Places of the exchanges looked at that have a word of it in what was asked or committed. */
  inside: Set<number>;
};

/** How often a key is among the keywords of all exchanges, and how many there are. */
export type KeyCounts = { counts: Map<string, number>; items: number };

export function keyCounts(groups: ConceptGroup[]): KeyCounts {
  const counts = new Map<string, number>();
  let items = 0;
  for (const group of groups) {
    items += group.items.length;
    for (const [key, count] of group.keywords) counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return { counts, items };
}

/** What a key says of a group: in many of its exchanges and in few others. */
export function keyWorth(
  group: ConceptGroup,
  key: string,
  inside: number,
  { counts, items }: KeyCounts,
): number {
  const size = group.items.length;
  const outside =
    Math.max(0, (counts.get(key) ?? 0) - (group.keywords.get(key) ?? 0)) / Math.max(1, items - size);
  const lift = Math.log((inside + FLOOR) / (outside + FLOOR));
  return Math.max(0, inside * (lift + 0.3)) * (PROCESS.has(key) ? 0.3 : 0.3 + 0.7 * termWeight(key));
}

/** The noun phrases of a group's exchanges, most descriptive first. */
export function phrasesOf(group: ConceptGroup, all: KeyCounts): ScoredPhrase[] {
  const found = new Map<string, Found>();
  const members = spreadOver(group.items);
  const termSets = members.map(({ record }) => termsIn(record));
  const asked = members.map(({ record }) => askedTerms(record));
  for (const { record } of members) addPhrases(record, found);
  const shares = new Map<string, number>();
  for (const terms of termSets) for (const term of terms) shares.set(term, (shares.get(term) ?? 0) + 1);
  const scored: ScoredPhrase[] = [];
  for (const phrase of found.values()) {
    const text = commonest(phrase.forms);
    if (text.length > LONGEST) continue;
    const distinct = [...new Set(phrase.keys)];
    let covered = 0;
    for (const terms of termSets)
      covered += (distinct.filter((key) => terms.has(key)).length / distinct.length) ** 2 / members.length;
    const worth = distinct.reduce(
      (sum, key) => sum + keyWorth(group, key, (shares.get(key) ?? 0) / members.length, all),
      0,
    );
    const score =
      (worth / (distinct.length + 1.2)) *
      (0.2 + covered) *
      Math.min(phrase.hits, 8) ** 0.4 *
      shape(phrase, text, distinct);
    scored.push({
      text,
      score,
      hits: phrase.hits,
      share: covered,
      items: phrase.items,
      named: 2 * phrase.named >= phrase.hits,
      most: Math.max(...distinct.map((key) => (shares.get(key) ?? 0) / members.length)),
      keys: distinct,
      inside: new Set(
        asked.flatMap((terms, place) => (distinct.some((key) => terms.has(key)) ? [place] : [])),
      ),
    });
  }
  return scored.sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1));
}

function shape({ items, hits, named }: Found, text: string, keys: string[]): number {
  const words = text.split(' ');
  let factor = items === 1 ? 0.8 : 1;
  if (words.length === 1)
    factor *= isFileName(text) ? 0.35 : 2 * named < hits ? 0.45 : /^[A-Z]{2,5}$/.test(text) ? 0.6 : 0.8;
  else if (words.some(isFileName)) factor *= 0.6;
  if (keys.length === 2) factor *= 1.05;
  if (keys.length > 4) factor *= 0.85;
  return factor;
}

function addPhrases(record: ExchangeRecord, found: Map<string, Found>): void {
  const own = new Map<string, { words: PhraseWord[]; weight: number }>();
  for (const [text, weight] of textsOf(record))
    for (const words of nounPhrasesIn(text)) {
      const id = words.map(({ key, form }) => key || form.toLowerCase()).join(' ');
      const known = own.get(id);
      if (!known || known.weight < weight) own.set(id, { words, weight });
    }
  for (const [id, { words, weight }] of own) {
    const keys = words.flatMap(({ key }) => (key === '' ? [] : key.split(' ')));
    const known = found.get(id) ?? { keys, forms: new Map(), hits: 0, items: 0, named: 0 };
    const text = words.map(({ form }) => form).join(' ');
    known.forms.set(text, (known.forms.get(text) ?? 0) + weight);
    known.hits += weight;
    known.items++;
    if (words.length === 1 && isProper(words[0]!)) known.named += weight;
    found.set(id, known);
  }
}

function textsOf({ ask, title, commits, summary, details }: ExchangeRecord): [string, number][] {
  return [
    ...(commits ?? []).map((subject): [string, number] => [subject, SOURCES.commit]),
    [withoutImages(ask), SOURCES.ask],
    [title ?? '', SOURCES.title],
    [summary, SOURCES.summary],
    [details.slice(0, NAMING_DETAILS), SOURCES.details],
  ];
}

function termsIn(record: ExchangeRecord): Set<string> {
  const terms = new Set(record.keywords.map(keywordKey));
  for (const [text] of textsOf(record)) for (const term of termsOf(text)) terms.add(term);
  return terms;
}

/** What an exchange is about by its ask, its title and its commits: its report names much besides. */
function askedTerms({ ask, title = '', commits = [] }: ExchangeRecord): Set<string> {
  return new Set(termsOf([withoutImages(ask), title, ...commits].join('\n')));
}

/** The best first: a phrase that says more of the same goes before a shorter one. */
export function bestPhrases(group: ConceptGroup, all: KeyCounts): ScoredPhrase[] {
  const phrases = phrasesOf(group, all);
  const ordered = [...phrases.filter(({ most }) => most > 0.5), ...phrases.filter(({ most }) => most <= 0.5)];
  const found: ScoredPhrase[] = [];
  for (let rest = ordered.slice(0, LOOKED_AT); rest.length > 0; ) {
    const best = fuller(rest[0]!, rest);
    found.push(best);
    rest = rest.filter((it) => it !== best);
  }
  return found;
}

function fuller(first: ScoredPhrase, others: ScoredPhrase[]): ScoredPhrase {
  let best = first;
  for (const it of others) {
    if (it.keys.length <= best.keys.length || it.keys.length > MOST_KEYS) continue;
    if (it.score >= leastOf(best, it) * best.score) best = it;
  }
  return best;
}

/** So much of its score a longer phrase must have. */
function leastOf(best: ScoredPhrase, longer: ScoredPhrase): number {
  const often = longer.hits >= (longer.items > 1 ? OFTEN : SOURCES.commit);
  const same = best.keys.every((key) => longer.keys.includes(key));
  if (best.keys.length > 1) return same && often ? FULLER : Number.POSITIVE_INFINITY;
  if (!often) return best.named ? Number.POSITIVE_INFINITY : ONCE_SAID;
  return same ? FULLER_THAN_ONE : best.named ? OTHER_THAN_NAMED : OTHER_THAN_ONE;
}

/** A phrase in too few of the exchanges says too little alone; a second phrase must cover this share that the first does not. */
const NARROW = 0.5;
const LEAST_MORE = 0.25;
const LEAST_BESIDE = 0.35;

/** What else a group is about, where its best phrase is of a part of it only. */
export function phraseBeside(
  first: ScoredPhrase,
  others: ScoredPhrase[],
  group: ConceptGroup,
): ScoredPhrase | undefined {
  const size = Math.min(group.items.length, MOST_READ);
  if (first.inside.size >= NARROW * size) return undefined;
  let best: ScoredPhrase | undefined;
  let most = 0;
  for (const it of others) {
    if (it === first || it.score < LEAST_BESIDE * first.score) continue;
    if (it.keys.some((key) => first.keys.includes(key)) || isShortFor(it.text, first.text)) continue;
    if (sharesWord(it.text, first.text)) continue;
    const more = [...it.inside].filter((place) => !first.inside.has(place)).length;
    if (more < LEAST_MORE * size || more * it.score <= most) continue;
    [best, most] = [it, more * it.score];
  }
  return best;
}

const SHORTEST_PART = 3;

/** `index.jsonl` and `index JSONL`: the same in other signs. */
function sharesWord(a: string, b: string): boolean {
  const parts = (text: string) =>
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.filter((part) => part.length >= SHORTEST_PART) ?? [];
  const known = new Set(parts(a));
  return parts(b).some((part) => known.has(part));
}

/** `CPM` and `counts per minute`. */
function isShortFor(a: string, b: string): boolean {
  const initials = (text: string) => text.split(/[\s-]+/).map((word) => word[0]);
  const is = (short: string, long: string) => short.toLowerCase() === initials(long).join('').toLowerCase();
  return is(a, b) || is(b, a);
}

/** So many of them at most, evenly from the first to the last: a large group says the same again and again. */
export function spreadOver<T>(items: T[]): T[] {
  const step = Math.max(1, items.length / MOST_READ);
  return Array.from(
    { length: Math.min(items.length, MOST_READ) },
    (_, place) => items[Math.floor(place * step)]!,
  );
}

function commonest(forms: Map<string, number>): string {
  let [best, most] = ['', 0];
  for (const [form, count] of forms)
    if (
      count > most ||
      (count === most && (form.length < best.length || (form.length === best.length && form < best)))
    )
      [best, most] = [form, count];
  return best;
}
