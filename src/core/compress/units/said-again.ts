import type { Steps } from '../../model/steps.ts';
import type { Unit } from './unit.ts';
import type { UnitWords } from './unit-words.ts';

/** Words of more units than these are left out: they say little, and the work stays linear. */
const COMMON = 60;
/** Added to the sum over a unit's words, so that one of two words is not found everywhere. */
const BASE = 3;
const SAYING = new Set(['user', 'answer', 'closing', 'agent', 'commit']);
const SAID = new Set(['user', 'agent', 'closing', 'plan', 'report', 'closing-code', 'code']);
const REST = 512;

type Talk = {
  units: readonly Unit[];
  words: UnitWords;
  exchangeOf: (turn: number) => number;
  isUser: (turn: number) => boolean;
};

/** By unit. */
export type Again = { later: Float64Array; byUser: Float64Array };

/** For each unit the largest share of its words that one later message of another exchange has, and that one of the user's has. */
export function* saidAgain({ units, words, exchangeOf, isUser }: Talk, rarity: Float64Array): Steps<Again> {
  const [later, byUser] = [new Float64Array(units.length), new Float64Array(units.length)];
  const postings = new Map<number, number[]>();
  units.forEach((unit, at) => {
    if (!SAYING.has(unit.kind) || unit.cues.has('narrates')) return;
    for (const term of words.terms[at]!) {
      if (words.counts[term]! > COMMON) continue;
      const list = postings.get(term);
      // A message counts once, however many of its pieces have the word.
      if (list === undefined) postings.set(term, [unit.turn]);
      else if (list.at(-1) !== unit.turn) list.push(unit.turn);
    }
  });
  for (const [at, unit] of units.entries()) {
    if (at % REST === REST - 1) yield;
    const terms = words.terms[at]!;
    if (!SAID.has(unit.kind) || terms.length === 0) continue;
    const exchange = exchangeOf(unit.turn);
    const sums = new Map<number, number>();
    let mass = BASE;
    for (const term of terms) {
      mass += rarity[term]!;
      for (const turn of postings.get(term) ?? [])
        if (turn > unit.turn && exchangeOf(turn) > exchange)
          sums.set(turn, (sums.get(turn) ?? 0) + rarity[term]!);
    }
    for (const [turn, sum] of sums) {
      const share = sum / mass;
      if (share > later[at]!) later[at] = share;
      if (share > byUser[at]! && isUser(turn)) byUser[at] = share;
    }
  }
  return { later, byUser };
}
