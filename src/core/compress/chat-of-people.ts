import { isSpoken } from '../model/l1.ts';
import type { Turn } from './turn.ts';
import { newUnit, type Unit } from './unit.ts';
import { COMPRESS_WEIGHTS } from './weights.ts';

/** Of the messages so many have a speaker's name. */
const NAMED = 0.9;

const WHEN =
  /\b(?:yesterday|today|tomorrow|tonight|last|ago|next|recently|just|(?:this|a few|couple of) (?:week|month|day|year)s?|weekend|birthday|since|until|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december)\b/i;
const EXACT = /\d|["“][^"”]+["”]/;
const ASKS = /[?？]\s*$/;
const OWN_NEWS =
  /\b(?:I|we)(?:'ve| have| went| got| took| did| made| started| bought| joined| won| lost| met| moved|'m| am) /i;

/** Whether people talk with each other: nobody works for anybody, and no answer settles an ask. */
export function isChatOfPeople(turns: readonly Turn[]): boolean {
  const spoken = turns.filter(({ line }) => isSpoken(line));
  const named = spoken.filter(({ line }) => line.name !== undefined);
  return spoken.length > 0 && named.length >= NAMED * spoken.length;
}

/** A whole message between people; `place` in its chat from 0 to 1: news comes first, and good wishes last. */
export function chatUnit(turn: number, text: string, place: number): Unit {
  const { when, exact, asks, ownNews, opening } = COMPRESS_WEIGHTS.chat;
  const quality =
    COMPRESS_WEIGHTS.kind.user +
    (WHEN.test(text) ? when : 0) +
    (EXACT.test(text) ? exact : 0) +
    (ASKS.test(text) ? asks : 0) +
    (OWN_NEWS.test(text) ? ownNews : 0) +
    opening * (0.5 - place);
  return newUnit(turn, 'user', text.trim(), { start: 0, end: text.length, quality });
}

/** The place of each turn in its own chat, from 0 to 1; chats of different days are different ones. */
export function placesInChats(turns: readonly Turn[]): number[] {
  const places: number[] = [];
  let first = 0;
  for (let at = 1; at <= turns.length; at++) {
    const [before, now] = [turns[at - 1]!.line.ts, turns[at]?.line.ts];
    if (now !== undefined && now.slice(0, 10) === before.slice(0, 10)) continue;
    for (let turn = first; turn < at; turn++) places.push((turn - first) / Math.max(1, at - 1 - first));
    first = at;
  }
  return places;
}
