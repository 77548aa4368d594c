import { termsOf } from '../../text/terms.ts';
import { termWeight } from '../term-weight.ts';
import {
  addPhrases,
  askedTerms,
  asSpelled,
  commonest,
  type FoundPhrase,
  MOST_READ,
  NAMING_SOURCES,
  type Spellings,
  spreadOver,
  termsIn,
} from './found-phrases.ts';
import type { ConceptGroup } from './groups.ts';
import { isFileName } from './noun-phrases.ts';

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
/** A single word that covers this much of a group is its topic; a longer phrase must cover this share of that. */
const WHOLE = 0.9;
const LEAST_SHARE = 0.5;
/** Folders that every project has. */
const PLACE = /^(?:src|lib|app|apps|docs?|tests?|packages|internal|cmd|public)\//;
/** Another phrase must have this share of its score where a phrase has only words of all kinds of work. */
const BETTER_THAN_PROCESS = 0.6;
/** A word is of this group if it is so much more frequent here than elsewhere. */
const OWN_WORD = 2.5;
/** Words that occur in all kinds of work, and seldom are its topic. */
const PROCESS = new Set(
  termsOf(
    'pr prs commit branch push merge rebase plan phase feedback review comment thread discussion message worktree session repo project ticket task',
  ),
);

const JOINED = /^(?:of|for|in|per)$/;

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
  const found = new Map<string, FoundPhrase>();
  const members = spreadOver(group.items);
  const termSets = members.map(({ record }) => termsIn(record));
  const asked = members.map(({ record }) => askedTerms(record));
  const spelled: Spellings = new Map();
  for (const { record } of members) addPhrases(record, found, spelled);
  const shares = new Map<string, number>();
  for (const terms of termSets) for (const term of terms) shares.set(term, (shares.get(term) ?? 0) + 1);
  const scored: ScoredPhrase[] = [];
  for (const phrase of found.values()) {
    const text = asSpelled(commonest(phrase.forms), spelled);
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
      (0.2 + covered) ** 1.3 *
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

function shape({ items, hits, named }: FoundPhrase, text: string, keys: string[]): number {
  const words = text.split(' ');
  let factor = items === 1 ? 0.8 : 1;
  if (words.length === 1)
    factor *=
      isFileName(text) || PLACE.test(text)
        ? 0.35
        : 2 * named < hits
          ? 0.45
          : /^[A-Z]{2,5}$/.test(text)
            ? 0.6
            : 0.8;
  else if (words.some(isFileName)) factor *= 0.6;
  if (words.some((word) => JOINED.test(word))) factor *= 0.9;
  if (/^[a-z]+ed$/.test(words[0]!)) factor *= 0.9;
  if (keys.length === 2) factor *= 1.05;
  if (keys.length > 4) factor *= 0.85;
  return factor;
}

/** The best first: a phrase that says more about the same goes before a shorter one. */
export function bestPhrases(group: ConceptGroup, all: KeyCounts): ScoredPhrase[] {
  const phrases = phrasesOf(group, all);
  const ordered = ofWork([
    ...phrases.filter(({ most }) => most > 0.5),
    ...phrases.filter(({ most }) => most <= 0.5),
  ]);
  const found: ScoredPhrase[] = [];
  for (let rest = ordered.slice(0, LOOKED_AT); rest.length > 0; ) {
    const best = fuller(rest[0]!, rest);
    found.push(best);
    rest = rest.filter((it) => it !== best);
  }
  return found;
}

/** "PR", "commit message": what it was about says more, if there is such a phrase. */
function ofWork(phrases: ScoredPhrase[]): ScoredPhrase[] {
  const [first] = phrases;
  if (!first?.keys.every((key) => PROCESS.has(key))) return phrases;
  const other = phrases.find(
    ({ keys, score }) => score >= BETTER_THAN_PROCESS * first.score && !keys.every((key) => PROCESS.has(key)),
  );
  return other ? [other, ...phrases.filter((it) => it !== other)] : phrases;
}

function fuller(first: ScoredPhrase, others: ScoredPhrase[]): ScoredPhrase {
  let best = first;
  for (const it of others) {
    if (it.keys.length <= best.keys.length || it.keys.length > MOST_KEYS) continue;
    if (best.keys.length === 1 && best.share >= WHOLE && it.share < LEAST_SHARE * best.share) continue;
    if (it.score >= leastOf(best, it) * best.score) best = it;
  }
  return best;
}

/** The share of its score that a longer phrase must have. */
function leastOf(best: ScoredPhrase, longer: ScoredPhrase): number {
  const often = longer.hits >= (longer.items > 1 ? OFTEN : NAMING_SOURCES.commit);
  const same = best.keys.every((key) => longer.keys.includes(key));
  if (best.keys.length > 1) return same && often ? FULLER : Number.POSITIVE_INFINITY;
  if (!often) return best.named ? Number.POSITIVE_INFINITY : ONCE_SAID;
  return same ? FULLER_THAN_ONE : best.named ? OTHER_THAN_NAMED : OTHER_THAN_ONE;
}

/** A phrase in too few of the exchanges says too little alone; a second phrase must cover this share that the first does not. */
const NARROW = 0.5;
const LEAST_MORE = 0.25;
const LEAST_BESIDE = 0.35;
const SHORTEST_BESIDE = 4;

/** What else a group is about, where its best phrase is of a part of it only. */
export function phraseBeside(
  first: ScoredPhrase,
  others: ScoredPhrase[],
  group: ConceptGroup,
  all: KeyCounts,
): ScoredPhrase | undefined {
  const size = Math.min(group.items.length, MOST_READ);
  if (first.inside.size >= NARROW * size) return undefined;
  let best: ScoredPhrase | undefined;
  let most = 0;
  for (const it of others) {
    if (it === first || it.score < LEAST_BESIDE * first.score || it.text.length < SHORTEST_BESIDE) continue;
    if (it.keys.some((key) => first.keys.includes(key)) || isShortFor(it.text, first.text)) continue;
    if (sharesWord(it.text, first.text) || !it.keys.some((key) => isOwn(group, key, all))) continue;
    const more = [...it.inside].filter((place) => !first.inside.has(place)).length;
    if (more < LEAST_MORE * size || more * it.score <= most) continue;
    [best, most] = [it, more * it.score];
  }
  return best;
}

/** What the whole project is about is no second topic of a group. */
function isOwn(group: ConceptGroup, key: string, { counts, items }: KeyCounts): boolean {
  const inside = group.keywords.get(key) ?? 0;
  const outside = (counts.get(key) ?? 0) - inside;
  const size = group.items.length;
  return !PROCESS.has(key) && (inside + 1) / size >= (OWN_WORD * outside) / Math.max(1, items - size);
}

const SHORTEST_PART = 3;

/** `index.jsonl` and `index JSONL`, `CheckpointID` and `checkpoint ID`: the same in other signs. */
function sharesWord(a: string, b: string): boolean {
  const [x, y] = [a, b].map((text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')) as [string, string];
  if (x.includes(y) || y.includes(x)) return true;
  const parts = (text: string) =>
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.filter((part) => part.length >= SHORTEST_PART) ?? [];
  const known = new Set(parts(a));
  return parts(b).some((part) => known.has(part));
}

/** `CPM warning` and `counts per minute`. */
function isShortFor(a: string, b: string): boolean {
  const initials = (text: string) =>
    text
      .split(/[\s-]+/)
      .map((word) => word[0])
      .join('')
      .toLowerCase();
  const is = (short: string, long: string) =>
    initials(long).length > 1 &&
    short
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .includes(initials(long));
  return is(a, b) || is(b, a);
}
