import type { Steps } from '../model/steps.ts';
import type { CompressSettings, Tier } from '../model/version.ts';
import type { KeptPlace } from './kept-places.ts';
import type { Turn } from './turn.ts';
import type { Unit } from './unit.ts';
import { unitWords } from './unit-words.ts';
import { compressUnits } from './units.ts';
import { judgeUnits, type StatedWords } from './verdicts.ts';
import { COMPRESS_WEIGHTS } from './weights.ts';
import { wordWorth } from './word-worth.ts';
import { ratiosOf } from './zones.ts';

/** All that could be included of some turns, judged and weighed. */
export type TextUnits = {
  units: Unit[];
  /** Of each unit its words, and what each word is worth. */
  terms: Int32Array[];
  worth: Float64Array;
  /** By turn: the ratio of its zone, and whether it is told by results, in paragraphs. */
  ratios: number[];
  terse: Uint8Array;
};

type Read = {
  turns: Turn[];
  settings: CompressSettings;
  tiers: Tier[];
  stated?: readonly StatedWords[];
  isTalk?: boolean;
  topic?: unknown;
  /** Whether what was taken back is marked, where there is room for it. */
  marks?: boolean;
};

export function* readUnits(
  { turns, settings, tiers, stated = [], isTalk = true, topic, marks = true }: Read,
  kept: Map<number, KeptPlace[]>,
): Steps<TextUnits> {
  const ratios = ratiosOf(turns, settings, tiers);
  const terse = Uint8Array.from(ratios, (ratio) => (ratio > COMPRESS_WEIGHTS.terseBeyond ? 1 : 0));
  const units = yield* compressUnits(turns, kept, terse);
  const words = yield* unitWords(units);
  const exchangeOf = exchangeNumbers(turns);
  const isUser = (turn: number) => turns[turn]!.line.role === 'user';
  if (isTalk) yield* judgeUnits({ units, words, exchangeOf, isUser, stated, hasTopic: topic !== undefined });
  if (marks) markRejected(units, ratios);
  const worth = wordWorth(units, { ...words, exchangeOf, turns: turns.length });
  return { units, terms: words.terms, worth, ratios, terse };
}

/** Where there is room for what was taken back, it says so. */
function markRejected(units: Unit[], ratios: number[]): void {
  for (const unit of units) {
    const { gone, rejectedBy, block, turn } = unit;
    const ratio = ratios[turn] ?? 1;
    const { terseBeyond, leavesOutFrom } = COMPRESS_WEIGHTS;
    if (!gone || rejectedBy === undefined || block || ratio <= terseBeyond || ratio >= leavesOutFrom)
      continue;
    unit.text = `${unit.text} (later rejected: "${rejectedBy}")`;
  }
}

/** Exchanges in the order in which they begin. */
function exchangeNumbers(turns: Turn[]): (turn: number) => number {
  const numbers = new Map<string, number>();
  const byTurn = turns.map(({ exchange }) => {
    const number = numbers.get(exchange) ?? numbers.size;
    numbers.set(exchange, number);
    return number;
  });
  return (turn) => byTurn[turn]!;
}
