import type { Steps } from '../model/steps.ts';
import { Heap } from '../text/heap.ts';
import { termsOf } from '../text/terms.ts';
import type { Unit } from './unit.ts';
import { COMPRESS_WEIGHTS } from './weights.ts';

/** Hashes, ids and long numbers. */
const DATA = /^(?=.*\d)[0-9a-f-]{7,}$|^\d{5,}$/;

/** Units after which there is a rest: where their words are read, and where the best are looked for. */
const REST = 256;
const POPS = 4096;

/** A choice of units: each brings what it says that was not said before, for what it costs. */
export type Coverage = {
  chosen: Uint8Array;
  /** Tokens of each unit, as reckoned. */
  costs: number[];
  /** Takes the best of these units as long as there is room; what does not fit waits. Gives them in the order taken. */
  take(pool: Heap, room: number): Steps<number[]>;
  /** All units of a range, ready to be taken from. */
  pool(units: Iterable<number>): Heap;
  /** Gives back the last ones taken. */
  release(pool: Heap, units: number[]): void;
};

/** `costs` are tokens; `qualities` ln q of each unit, place and topic included. */
export function* coverageOf(units: Unit[], costs: number[], qualities: number[]): Steps<Coverage> {
  const { terms, worth } = yield* wordsOf(units);
  const left = Array.from({ length: 40 }, (_, times) => COMPRESS_WEIGHTS.repeat ** times);
  const covered = new Int32Array(worth.length);
  const chosen = new Uint8Array(units.length);
  const scale = units.map(
    (_, unit) =>
      Math.exp(qualities[unit]!) / (costs[unit]! + COMPRESS_WEIGHTS.costBase) ** COMPRESS_WEIGHTS.costPower,
  );
  const gain = (unit: number): number => {
    let sum = 0;
    for (const term of terms[unit]!) sum += worth[term]! * (left[covered[term]!] ?? 0);
    // Rounded, so that no last bit of another machine's arithmetic decides.
    return Math.fround(sum * scale[unit]!);
  };
  const mark = (unit: number, by: 1 | -1) => {
    chosen[unit] = by === 1 ? 1 : 0;
    for (const term of terms[unit]!) covered[term]! += by;
  };
  const price = (unit: number): number => {
    const { parent } = units[unit]!;
    return costs[unit]! + (parent !== -1 && !chosen[parent] ? costs[parent]! : 0);
  };
  return {
    chosen,
    costs,
    pool(list) {
      const heap = new Heap();
      for (const unit of list) heap.push(unit, gain(unit));
      return heap;
    },
    *take(pool, most) {
      const taken: number[] = [];
      const waiting: number[] = [];
      let room = most;
      for (let pops = 1; room >= 1; pops++) {
        if (pops % POPS === 0) yield;
        const unit = pool.pop();
        if (unit === undefined) break;
        if (chosen[unit]) continue;
        const worthNow = gain(unit);
        // Someone else has said it meanwhile: it goes back to where it belongs now.
        if (worthNow < pool.top) {
          pool.push(unit, worthNow);
          continue;
        }
        if (price(unit) > room) {
          waiting.push(unit);
          continue;
        }
        room -= price(unit);
        const { parent } = units[unit]!;
        if (parent !== -1 && !chosen[parent]) {
          mark(parent, 1);
          taken.push(parent);
        }
        mark(unit, 1);
        taken.push(unit);
      }
      for (const unit of waiting) pool.push(unit, gain(unit));
      return taken;
    },
    release(pool, list) {
      for (const unit of list) mark(unit, -1);
      for (const unit of list) pool.push(unit, gain(unit));
    },
  };
}

/** Each unit's words as numbers, and what each word is worth: the rarer the more. */
function* wordsOf(units: Unit[]): Steps<{ terms: Int32Array[]; worth: Float64Array }> {
  const numbers = new Map<string, number>();
  const counts: number[] = [];
  const inMessages: number[] = [];
  const terms: Int32Array[] = [];
  for (const unit of units) {
    if (terms.length % REST === REST - 1) yield;
    const own = new Set<number>();
    for (const term of termsOf(unit.text)) {
      const number = numbers.get(term) ?? numbers.size;
      if (number === numbers.size) {
        numbers.set(term, number);
        counts.push(0);
        inMessages.push(0);
      }
      own.add(number);
    }
    const message = unit.kind === 'user' || unit.kind === 'agent' || unit.kind === 'closing';
    for (const number of own) {
      counts[number]!++;
      if (message) inMessages[number]!++;
    }
    terms.push(Int32Array.from(own));
  }
  const worth = new Float64Array(counts.length);
  for (const [term, number] of numbers) {
    const rare = Math.log(1 + units.length / counts[number]!) ** COMPRESS_WEIGHTS.idfPower;
    const recurs = (1 + Math.log(1 + inMessages[number]!)) ** COMPRESS_WEIGHTS.recurrence;
    worth[number] = rare * recurs * (DATA.test(term) ? COMPRESS_WEIGHTS.data : 1);
  }
  return { terms, worth };
}
