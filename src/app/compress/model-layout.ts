import { allowanceOf, type Compressed, type CompressInput, compress } from '../../core/compress/compress.ts';
import { modelTurns } from '../../core/compress/model/model-turns.ts';
import type { ExchangePiece } from '../../core/compress/model/pieces.ts';
import type { CompressedPiece, Why } from '../../core/compress/model/read.ts';
import { receiptOf } from '../../core/compress/receipt.ts';
import type { ModelPlan } from './model-plan.ts';

const MOST_DROPPED = 300;

/** The pieces by what a model made of them. */
export type Answered = {
  compressed: Map<ExchangePiece, CompressedPiece>;
  missing: Map<ExchangePiece, Why>;
};

/** The model's text cut to the budget that the ratio allows, sentence by sentence, by the offline engine's own measure. */
export function laidOut(
  input: CompressInput,
  { selected, pieces }: Pick<ModelPlan, 'selected' | 'pieces'>,
  { compressed, missing }: Answered,
): Compressed {
  const weights = new Map(input.kept.map(({ markerId, weight }) => [markerId, weight]));
  const { turns, kept, origins } = modelTurns(pieces, compressed, (marker) => weights.get(marker) ?? 1);
  const allowed = allowanceOf(input);
  const ratio = Math.max(1, input.inputTokens / Math.max(1, allowed));
  const [tier] = input.tiers;
  const made = compress({
    ...input,
    turns,
    // A model's sentences are no talk in which later words take back earlier ones.
    isTalk: false,
    stated: [],
    kept,
    outcomes: selected.receipt.keepits,
    settings: { ...input.settings, mode: 'uniform', skipFirstMessages: 0, telegraphic: false },
    tiers: [{ endPercent: 100, compactionRatio: ratio, aggressiveness: tier?.aggressiveness ?? 'moderate' }],
  });
  const lines = made.lines.map((line) => {
    const places = line.l1.map((at) => origins[at - 1]!);
    return { ...line, l1: places.flatMap(({ l1 }) => l1), src: places.flatMap(({ src }) => src) };
  });
  const asked = input.tiers.length === 1 ? tier!.compactionRatio : Math.round(100 * ratio) / 100;
  const reached = made.receipt.reachedRatio;
  const hole =
    missing.size === 0
      ? undefined
      : `The model gave no usable answer for ${missingText({ missing, compressed })}.`;
  const reason = [made.receipt.reason, hole].filter((it) => it !== undefined).join(' ');
  const dropped = pieces.flatMap((piece) => compressed.get(piece)?.dropped ?? []);
  return {
    ...made,
    lines,
    jsonl: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    receipt: {
      ...receiptOf(input.turns, { lines, markdown: made.markdown }, made.receipt.keepits, {
        asked,
        reached,
        reason: reason === '' ? undefined : reason,
      }),
      ...(dropped.length === 0 ? {} : { dropped: dropped.slice(0, MOST_DROPPED) }),
    },
  };
}

const WHY: Record<Why, string> = {
  refused: 'refused',
  empty: 'left empty',
  unfounded: 'answered with content that is not in the session',
  cut: 'incomplete',
  foreign: 'answered in words that the session does not use',
};

/** `3 of 20 stretches: 2 refused, 1 left empty` */
export function missingText({ missing, compressed }: Answered): string {
  const counts = new Map<Why, number>();
  for (const why of missing.values()) counts.set(why, (counts.get(why) ?? 0) + 1);
  const reasons = [...counts].map(([why, count]) => `${count} ${WHY[why]}`).join(', ');
  return `${missing.size} of ${missing.size + compressed.size} passages: ${reasons}`;
}
