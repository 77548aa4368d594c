import type { Steps } from '../../model/steps.ts';
import { Heap } from '../../text/heap.ts';
import type { Unit } from '../units/unit.ts';
import { COMPRESS_WEIGHTS } from '../weights.ts';

/** Units looked at after which there is a rest. */
const POPS = 4096;

/** A choice of units: each adds new content at its cost. */
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

type CoverageInput = {
  units: Unit[];
  /** Tokens. */
  costs: number[];
  /** ln q of each unit, place and topic included. */
  qualities: number[];
  /** Of each unit its words, and what each word is worth. */
  terms: Int32Array[];
  worth: Float64Array;
  /** Units that must not be taken. */
  isOut: (unit: number) => boolean;
  /** Units that are taken only together with others. */
  isAlone: (unit: number) => boolean;
};

export function coverageOf(input: CoverageInput): Coverage {
  const { units, costs, qualities, terms, worth, isOut, isAlone } = input;
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
  /** A unit and what has to come with it: what it belongs to, what it is tied to, and so on. */
  const together = (unit: number): number[] => {
    const group = new Set([unit]);
    for (const one of group) {
      const { parent, ties } = units[one]!;
      for (const other of parent === -1 ? ties : [parent, ...ties])
        if (!chosen[other] && !isOut(other)) group.add(other);
    }
    return [...group].reverse();
  };
  return {
    chosen,
    costs,
    pool(list) {
      const heap = new Heap();
      for (const unit of list) if (!isOut(unit) && !isAlone(unit)) heap.push(unit, gain(unit));
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
        const group = together(unit);
        const price = group.reduce((sum, one) => sum + costs[one]!, 0);
        if (price > room) {
          waiting.push(unit);
          continue;
        }
        room -= price;
        for (const one of group) {
          mark(one, 1);
          taken.push(one);
        }
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
