import type { Steps } from '../model/steps.ts';
import type { TokenCounter } from '../text/tokens.ts';
import { bestMessages } from './choose/best-messages.ts';
import { type Coverage, coverageOf } from './choose/coverage.ts';
import { fillUp, frameFor, tokensOf, unitsBetween } from './choose/fill-up.ts';
import { costsOf, firstUnits, qualitiesOf } from './choose/measure-units.ts';
import { type KeptPlace, placeKept } from './kept-places.ts';
import type { KeptContent, Turn } from './turn.ts';
import { isChatOfPeople } from './units/chat-of-people.ts';
import { leadsAlone, leftOut, readUnits } from './units/read-units.ts';
import type { Unit } from './units/unit.ts';
import type { StatedWords } from './units/verdicts.ts';
import { COMPRESS_WEIGHTS } from './weights.ts';
import { FRAMES, type Frame, renderLines, type Selection } from './write/render-lines.ts';
import type { VersionLine } from './write/version-line.ts';

/** A stretch of a session whose text is chosen together with those of others. */
export type JointStretch = {
  turns: Turn[];
  /** The survivors. */
  kept: KeptContent[];
  /** `turn` is a place in its own turns. */
  stated: readonly StatedWords[];
  /** How much shorter it becomes, about. */
  ratio: number;
  /** How well a turn fits the topic, by its place in L1. */
  score?: ((turnAt: number) => number) | undefined;
};

/** Choices of messages that are counted. */
const ROUNDS = 6;
/** The share of a budget that may stay unused. */
const SPARE = 0.005;

type Range = { from: number; to: number; ratio: number };

/**
 * Several stretches of sessions as one text: nothing is repeated, and earlier ones do not state what a later one withdrew. Each
 * is filled up to its own budget.
 */
export class JointText {
  readonly #selection: Selection;
  readonly #coverage: Coverage;
  readonly #ranges: Range[];
  readonly #filled: { frame: Frame; taken: number[] }[];
  readonly #count: TokenCounter;
  /** Of chats, by stretch: the messages that were chosen from all of them. */
  #picked: number[][] = [];

  private constructor(selection: Selection, coverage: Coverage, ranges: Range[], count: TokenCounter) {
    this.#selection = selection;
    this.#coverage = coverage;
    this.#ranges = ranges;
    this.#filled = ranges.map(() => ({ frame: FRAMES[0]!, taken: [] }));
    this.#count = count;
  }

  /** Reads and judges all units. The stretches come in the order of time: later words decide. */
  static *read(stretches: readonly JointStretch[], count: TokenCounter): Steps<JointText> {
    const turns: Turn[] = [];
    const ratios: number[] = [];
    const stated: StatedWords[] = [];
    const kept = new Map<number, KeptPlace[]>();
    const fits: number[] = [];
    const ranges: Range[] = [];
    for (const { turns: own, kept: contents, stated: words, ratio, score } of stretches) {
      const from = turns.length;
      for (const [turn, places] of placeKept(own, contents))
        kept.set(
          from + turn,
          places.map((place) => ({ ...place, turn: from + turn })),
        );
      for (const one of words) stated.push({ ...one, turn: from + one.turn });
      for (const turn of own) {
        turns.push(turn);
        ratios.push(ratio);
        fits.push(score?.(turn.at) ?? 0);
      }
      ranges.push({ from, to: turns.length, ratio });
    }
    const topic = stretches.some(({ score }) => score !== undefined) ? fits : undefined;
    const read = yield* readUnits({ turns, ratios, stated, topic, ofSeveral: true }, kept);
    const { units, terse } = read;
    const costs = yield* costsOf(units, count);
    const qualities = qualitiesOf(units, turns, topic && ((_, place) => topic[place]!));
    const repeated = saidInLater(units, ranges);
    const isLeftOut = leftOut(read, COMPRESS_WEIGHTS.repeatsOfSeveralUpTo);
    const isOut = (unit: number) => repeated.has(unit) || isLeftOut(unit);
    const coverage = coverageOf({ ...read, costs, qualities, isOut, isAlone: leadsAlone(read) });
    const { chosen } = coverage;
    const isChat = isChatOfPeople(turns);
    const firstUnit = firstUnits(units, turns.length);
    const selection = { turns, units, firstUnit, kept, chosen, terse, isChat, isDated: true };
    return new JointText(selection, coverage, ranges, count);
  }

  /** Whether people talk with each other in all of them. */
  get isChat(): boolean {
    return this.#selection.isChat;
  }

  /**
   * Tokens for each stretch, with its heading, so that the best messages of all fit together; `headings` in tokens. Counted on the
   * Markdown itself, and chosen again with the room that is left: a name that is not repeated leaves some.
   */
  *shares(headings: readonly number[], budget: number): Steps<number[]> {
    const { units, turns } = this.#selection;
    const messages = units.map(({ quality, turn, text }) => ({
      chat: this.#ranges.findIndex(({ from, to }) => turn >= from && turn < to),
      tokens: this.#count(`**${turns[turn]!.line.name ?? ''}:** ${text}\n\n`),
      quality,
    }));
    let best = { shares: headings.map(() => 0), tokens: 0 };
    let allowed = budget;
    for (let round = 0; round < ROUNDS; round++) {
      const taken = bestMessages(messages, headings, allowed);
      const picked = this.#ranges.map((_, chat) => taken.filter((at) => messages[at]!.chat === chat));
      const shares: number[] = [];
      for (const [stretch, own] of picked.entries())
        shares.push(own.length === 0 ? 0 : headings[stretch]! + (yield* this.#tokensWith(stretch, own)));
      const tokens = shares.reduce((sum, one) => sum + one, 0);
      if (tokens <= budget && tokens > best.tokens) {
        best = { shares, tokens };
        this.#picked = picked;
      }
      if (tokens <= budget && budget - tokens < SPARE * budget) break;
      allowed += tokens > budget ? Math.floor((budget - tokens) * 1.1) - 1 : budget - tokens;
    }
    return best.shares;
  }

  *#tokensWith(stretch: number, picked: number[]): Steps<number> {
    const pool = this.#coverage.pool(picked);
    const taken = yield* this.#coverage.take(pool, Number.POSITIVE_INFINITY);
    yield;
    const tokens = this.#tokens(stretch);
    this.#coverage.release(pool, taken);
    return tokens;
  }

  /** Fills a stretch up to this many tokens, or removes what exceeds them. */
  *fit(stretch: number, budget: number): Steps<VersionLine[]> {
    const range = this.#ranges[stretch]!;
    const filled = this.#filled[stretch]!;
    const picked = this.#coverage.pool(this.#picked[stretch] ?? []);
    const first = yield* this.#coverage.take(picked, Number.POSITIVE_INFINITY);
    this.#picked[stretch] = [];
    filled.taken.push(...first);
    if (first.length > 0 && this.#tokens(stretch) <= budget)
      return renderLines(this.#selection, () => filled.frame, range.from, range.to);
    if (this.#tokens(stretch) > budget) this.#giveBack(stretch, budget);
    else {
      const more = yield* fillUp(this.#selection, this.#coverage, { ...range, budget }, this.#count);
      filled.frame = more.frame;
      filled.taken.push(...more.taken);
    }
    return renderLines(this.#selection, () => filled.frame, range.from, range.to);
  }

  #tokens(stretch: number): number {
    return tokensOf(this.#selection, this.#filled[stretch]!.frame, this.#ranges[stretch]!, this.#count);
  }

  /** The last ones taken go, then what frames the rest. */
  #giveBack(stretch: number, budget: number): void {
    const filled = this.#filled[stretch]!;
    const nothing = this.#coverage.pool([]);
    for (;;) {
      let over = this.#tokens(stretch) - budget;
      if (over <= 0) return;
      const place = FRAMES.indexOf(filled.frame);
      if (filled.taken.length === 0 && place === FRAMES.length - 1) return;
      if (filled.taken.length === 0) filled.frame = FRAMES[Math.max(place + 1, frameFor(budget))]!;
      const back: number[] = [];
      while (over > 0 && filled.taken.length > 0) {
        const unit = filled.taken.pop()!;
        over -= this.#coverage.costs[unit]!;
        back.push(unit);
      }
      this.#coverage.release(nothing, back);
    }
  }

  turnsOf(stretch: number): Turn[] {
    const { from, to } = this.#ranges[stretch]!;
    return this.#selection.turns.slice(from, to);
  }

  /** Whether anything is left to include of it. */
  hasMore(stretch: number): boolean {
    const { from, to } = this.#ranges[stretch]!;
    for (const unit of unitsBetween(this.#selection, from, to))
      if (!this.#selection.chosen[unit]) return true;
    return false;
  }
}

/** Shorter ones may be said any number of times. */
const LEAST_REPEATED = 25;

/** Units that a later stretch says in the same words. */
function saidInLater(units: readonly Unit[], ranges: readonly Range[]): Set<number> {
  const repeated = new Set<number>();
  const later = new Set<string>();
  let at = units.length - 1;
  for (let stretch = ranges.length - 1; stretch >= 0; stretch--) {
    const own: string[] = [];
    for (; at >= 0 && units[at]!.turn >= ranges[stretch]!.from; at--) {
      const words = units[at]!.text.toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim();
      if (words.length < LEAST_REPEATED) continue;
      if (later.has(words)) repeated.add(at);
      own.push(words);
    }
    for (const words of own) later.add(words);
  }
  return repeated;
}
