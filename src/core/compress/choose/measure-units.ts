import type { Steps } from '../../model/steps.ts';
import type { TokenCounter } from '../../text/tokens.ts';
import type { KeptPlace } from '../kept-places.ts';
import type { Turn } from '../turn.ts';
import { isChatOfPeople } from '../units/chat-of-people.ts';
import type { Unit } from '../units/unit.ts';
import { COMPRESS_WEIGHTS } from '../weights.ts';
import { isEnglish, telegraph } from './telegraph.ts';
import type { Zone } from './zones.ts';

/** Tokens that a unit costs beside its words: list marks, separators, fences. */
const MARKS = { said: 1, header: 4, error: 2, block: 6, edit: 4 };
const LISTED = new Set(['header', 'file', 'read']);
const PROSE = new Set(['user', 'agent', 'closing']);

/** The first unit of each turn, and one more at the end. */
export function firstUnits(units: Unit[], turns: number): number[] {
  const first = new Array<number>(turns + 1).fill(units.length);
  for (let unit = units.length - 1; unit >= 0; unit--) first[units[unit]!.turn] = unit;
  for (let turn = turns - 1; turn >= 0; turn--) first[turn] = Math.min(first[turn]!, first[turn + 1]!);
  return first;
}

/** Units after which there is a rest. */
const REST = 512;

/** What each turn has to say, in tokens. */
export function* turnTokens(
  turns: Turn[],
  units: Unit[],
  kept: Map<number, KeptPlace[]>,
  count: TokenCounter,
): Steps<number[]> {
  const tokens = turns.map(() => 0);
  for (const [index, unit] of units.entries()) {
    if (index % REST === REST - 1) yield;
    tokens[unit.turn]! += count(unit.text);
  }
  for (const [turn, places] of kept) {
    if (turn < tokens.length) for (const place of places) tokens[turn]! += count(place.text);
  }
  return tokens;
}

export function* costsOf(units: Unit[], count: TokenCounter): Steps<number[]> {
  const costs: number[] = [];
  for (const { text, kind, block } of units) {
    if (costs.length % REST === REST - 1) yield;
    const marks = block
      ? MARKS.block
      : LISTED.has(kind)
        ? MARKS.header
        : kind === 'error' || kind === 'edit'
          ? MARKS[kind]
          : MARKS.said;
    costs.push(count(text) + marks);
  }
  return costs;
}

/** ln q with the place in the session, and with how well its turn fits a topic. */
export function qualitiesOf(
  units: Unit[],
  turns: Turn[],
  fitOf: ((turn: Turn, place: number) => number) | undefined,
): number[] {
  // Of people's lives nothing is replaced by what comes later.
  const recency = isChatOfPeople(turns) ? 0 : COMPRESS_WEIGHTS.recency;
  const byTurn = turns.map(
    (turn, index) =>
      recency * (turns.length === 1 ? 1 : index / (turns.length - 1)) +
      (turn.abandoned ? COMPRESS_WEIGHTS.abandoned : 0) +
      (fitOf ? COMPRESS_WEIGHTS.topic * fitOf(turn, index) : 0),
  );
  const { gone: taken, repeated: again } = COMPRESS_WEIGHTS;
  return units.map(
    ({ quality, turn, gone, repeated }) => quality + byTurn[turn]! + (gone ? taken : repeated ? again : 0),
  );
}

/** Leaves out the words that carry little, in the prose of English messages. */
export function thinOut(turns: Turn[], units: Unit[], firstUnit: number[], zone: Zone): void {
  for (let turn = zone.from; turn < zone.to; turn++) {
    const { text } = turns[turn]!.line;
    if (text === undefined || !isEnglish(text)) continue;
    for (let unit = firstUnit[turn]!; unit < firstUnit[turn + 1]!; unit++) {
      const own = units[unit]!;
      if (PROSE.has(own.kind) && !own.block) own.text = telegraph(own.text);
    }
  }
}

const BEYOND_L1 = new Set(['command', 'edit', 'note', 'input', 'output', 'commit', 'todo', 'report']);

/** Whether L1 contains it; inputs and outputs of tools are only in the original. */
export function isOfL1({ kind }: Unit): boolean {
  return !BEYOND_L1.has(kind);
}
