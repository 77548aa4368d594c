import type { Steps } from '../../model/steps.ts';
import type { KeptPlace } from '../kept-places.ts';
import type { Turn } from '../turn.ts';
import { COMPRESS_WEIGHTS } from '../weights.ts';
import { chatFigures, chatQuality, isChatOfPeople } from './chat-of-people.ts';
import { isImages } from './cues.ts';
import type { Unit } from './unit.ts';
import { type UnitWords, unitWords } from './unit-words.ts';
import { compressUnits } from './units.ts';
import { judgeUnits, type StatedWords } from './verdicts.ts';
import { wordWorth } from './word-worth.ts';

/** All that could be included of some turns, judged and weighed. */
export type TextUnits = {
  units: Unit[];
  /** Of each unit its words, and what each word is worth. */
  terms: Int32Array[];
  worth: Float64Array;
  /** By turn: the ratio of its zone, and whether it is rendered as results, in paragraphs. */
  ratios: number[];
  terse: Uint8Array;
};

type Read = {
  turns: Turn[];
  /** By turn: the ratio of its zone. */
  ratios: number[];
  stated?: readonly StatedWords[];
  isTalk?: boolean;
  topic?: unknown;
  /** Whether what was taken back is marked, where there is room for it. */
  marks?: boolean;
  ofSeveral?: boolean;
};

export function* readUnits(
  { turns, ratios, stated = [], isTalk = true, topic, marks = true, ofSeveral = false }: Read,
  kept: Map<number, KeptPlace[]>,
): Steps<TextUnits> {
  const terse = Uint8Array.from(ratios, (ratio) => (ratio > COMPRESS_WEIGHTS.terseBeyond ? 1 : 0));
  const units = yield* compressUnits(turns, kept, terse);
  const words = yield* unitWords(units);
  const exchangeOf = exchangeNumbers(turns);
  const isUser = (turn: number) => turns[turn]!.line.role === 'user';
  const isChat = isChatOfPeople(turns);
  if (isTalk && !isChat)
    yield* judgeUnits({
      units,
      words,
      exchangeOf,
      isUser,
      stated,
      hasTopic: topic !== undefined,
      ofSeveral,
    });
  if (marks) markRejected(units, ratios);
  if (isChat) return { units, ...chatTerms(turns, units, words), ratios, terse };
  const worth = wordWorth(units, { ...words, exchangeOf, turns: turns.length });
  return { units, terms: words.terms, worth, ratios, terse };
}

/** Between people every message has its own topic, so a word counts as much as its message. */
function chatTerms(turns: Turn[], units: Unit[], words: UnitWords): Pick<TextUnits, 'terms' | 'worth'> {
  chatFigures(turns, units, words).forEach((figures, at) => {
    units[at]!.quality = chatQuality(figures);
  });
  return { terms: units.map((_, at) => Int32Array.of(at)), worth: new Float64Array(units.length).fill(1) };
}

/** Withdrawn text that fits is marked as withdrawn. */
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

/** What was taken back, what is said again, and what tools printed is no part of short versions. */
export function leftOut(
  { units, ratios, terse }: TextUnits,
  repeatsUpTo: number = COMPRESS_WEIGHTS.repeatsUpTo,
): (unit: number) => boolean {
  return (at) => {
    const { gone, repeated, kind, turn, cues } = units[at]!;
    const ratio = ratios[turn] ?? 1;
    const { leavesOutFrom, outputUpTo, noInputFrom } = COMPRESS_WEIGHTS;
    return (
      (gone && ratio >= leavesOutFrom) ||
      (repeated && ratio > repeatsUpTo) ||
      (kind === 'output' && ratio > outputUpTo) ||
      ((kind === 'input' || cues.has('bare')) && ratio >= noInputFrom) ||
      (terse[turn] === 1 && cues.has('directive'))
    );
  };
}

/** A heading, or a line that only leads to others, comes with these or not at all; a picture stands for no words. */
export function leadsAlone({ units, terse }: TextUnits): (unit: number) => boolean {
  return (at) => {
    const { cues, turn, text } = units[at]!;
    return terse[turn] === 1 && (cues.has('heading') || cues.has('leads') || isImages(text));
  };
}
