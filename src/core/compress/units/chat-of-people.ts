import { isSpoken } from '../../model/l1.ts';
import type { Turn } from '../turn.ts';
import { COMPRESS_WEIGHTS } from '../weights.ts';
import type { Unit } from './unit.ts';
import type { UnitWords } from './unit-words.ts';

/** The share of messages that must have a speaker's name. */
const NAMED = 0.9;

const WHEN =
  /\b(?:yesterday|today|tomorrow|tonight|last|ago|next|recently|just|(?:this|a few|couple of) (?:week|month|day|year)s?|weekend|birthday|since|until|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december)\b/i;
const EXACT = /\d|["“][^"”]+["”]/;
const ASKS = /[?？]\s*$/;
const OWN_NEWS =
  /\b(?:I|we)(?:'ve| have| went| got| took| did| made| started| bought| joined| won| lost| met| moved|'m| am) /i;
const FIRST_PERSON = /\b(?:I|my|me|we|our)\b/i;
/** Inside a sentence. */
const NAMES = /(?<=[a-z,] )[A-Z][a-z]+/g;
const MOST_NAMES = 3;
const RAREST = 6;

/** Whether people talk with each other: nobody works for anyone, and no answer settles an ask. */
export function isChatOfPeople(turns: readonly Turn[]): boolean {
  const spoken = turns.filter(({ line }) => isSpoken(line));
  const named = spoken.filter(({ line }) => line.name !== undefined);
  return spoken.length > 0 && named.length >= NAMED * spoken.length;
}

/** Features of messages that are asked about later, each with its weight in `COMPRESS_WEIGHTS.chat`. */
export type ChatFigures = Record<keyof typeof COMPRESS_WEIGHTS.chat, number>;

/** By unit. `words` of all of them. */
export function chatFigures(turns: readonly Turn[], units: readonly Unit[], words: UnitWords): ChatFigures[] {
  const chats = placesInChats(turns);
  const speakers = new Set(turns.map(({ line }) => line.name));
  const seen = new Set<number>();
  return units.map(({ text, turn }, at) => {
    const terms = [...words.terms[at]!];
    const fresh = terms.filter((term) => !seen.has(term));
    for (const term of fresh) seen.add(term);
    const rarest = terms
      .map((term) => Math.log(1 + units.length / words.counts[term]!))
      .sort((a, b) => b - a)
      .slice(0, RAREST);
    const names = (text.match(NAMES) ?? []).filter((name) => !speakers.has(name));
    return {
      when: WHEN.test(text) ? 1 : 0,
      exact: EXACT.test(text) ? 1 : 0,
      asks: ASKS.test(text) ? 1 : 0,
      ownNews: OWN_NEWS.test(text) ? 1 : 0,
      firstPerson: FIRST_PERSON.test(text) ? 1 : 0,
      names: Math.min(MOST_NAMES, names.length),
      rare: rarest.reduce((sum, one) => sum + one, 0) / RAREST,
      fresh: fresh.length / Math.max(1, terms.length),
      late: chats[turn]!.place,
      firstChat: chats[turn]!.chat === 0 ? 1 : 0,
      base: 1,
    };
  });
}

/** ln of the chance that someone asks for a message later: news comes first, and good wishes last. */
export function chatQuality(figures: ChatFigures): number {
  let sum = 0;
  for (const [name, weight] of Object.entries(COMPRESS_WEIGHTS.chat))
    sum += weight * figures[name as keyof ChatFigures];
  return -Math.log1p(Math.exp(-sum));
}

/** The chat of each turn, and its place in it from 0 to 1; chats of different days are different ones. */
function placesInChats(turns: readonly Turn[]): { chat: number; place: number }[] {
  const places: { chat: number; place: number }[] = [];
  let first = 0;
  let chat = 0;
  for (let at = 1; at <= turns.length; at++) {
    const [before, now] = [turns[at - 1]!.line.ts, turns[at]?.line.ts];
    if (now !== undefined && now.slice(0, 10) === before.slice(0, 10)) continue;
    for (let turn = first; turn < at; turn++)
      places.push({ chat, place: (turn - first) / Math.max(1, at - 1 - first) });
    first = at;
    chat++;
  }
  return places;
}
