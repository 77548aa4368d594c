import type { Steps } from '../../model/steps.ts';
import { termsOf } from '../../text/terms.ts';
import type { Unit } from './unit.ts';

/** The words of all units as numbers. */
export type UnitWords = {
  /** Of each unit, each word once. */
  terms: Int32Array[];
  /** By number. */
  words: string[];
  /** Units that have it. */
  counts: number[];
};

/** Units after which there is a rest. */
const REST = 256;

export function* unitWords(units: readonly Unit[]): Steps<UnitWords> {
  const numbers = new Map<string, number>();
  const words: string[] = [];
  const counts: number[] = [];
  const terms: Int32Array[] = [];
  for (const unit of units) {
    if (terms.length % REST === REST - 1) yield;
    const own = new Set<number>();
    for (const term of termsOf(unit.text)) {
      let number = numbers.get(term);
      if (number === undefined) {
        number = words.length;
        numbers.set(term, number);
        words.push(term);
        counts.push(0);
      }
      own.add(number);
    }
    for (const number of own) counts[number]!++;
    terms.push(Int32Array.from(own));
  }
  return { terms, words, counts };
}

/** Whether it is no plain word: a path, a name with signs, a number. */
export function isCodeName(word: string): boolean {
  return /[^\p{L}\p{M}']/u.test(word);
}
