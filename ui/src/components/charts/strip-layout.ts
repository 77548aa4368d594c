import { scaleLinear } from 'd3-scale';

export type StripBlock = { seconds: number; tokens: number; line: number };
export type StripPlace = { from: number; size: number };

/** Pixels that even the smallest exchange has, where there is room for it. */
const LEAST_PX = 4;

/** Blocks one behind the other, each as long as its tokens or its time; none so short that it cannot be seen. */
export function stripPlaces(
  blocks: readonly StripBlock[],
  by: 'tokens' | 'seconds',
  length: number,
): StripPlace[] {
  if (blocks.length === 0 || length <= 0) return [];
  const least = Math.min(LEAST_PX, (length / blocks.length) * 0.4);
  const sum = blocks.reduce((all, it) => all + it[by], 0);
  const scale = scaleLinear([0, Math.max(1, sum)], [0, length - least * blocks.length]);
  let before = 0;
  return blocks.map((it, at) => {
    const from = scale(before) + at * least;
    before += it[by];
    // Without a figure of any of them all are alike.
    return sum === 0
      ? { from: (at * length) / blocks.length, size: length / blocks.length }
      : { from, size: scale(before) + (at + 1) * least - from };
  });
}

/** Where a line of the conversation lies on the strip. */
export function stripPosition(
  blocks: readonly StripBlock[],
  places: readonly StripPlace[],
  { line, lines }: { line: number; lines: number },
): number | undefined {
  const at = blocks.findLastIndex((it) => it.line <= line);
  const [block, place] = [blocks[Math.max(0, at)], places[Math.max(0, at)]];
  if (!block || !place) return undefined;
  const next = blocks[Math.max(0, at) + 1]?.line ?? Math.max(lines + 1, block.line + 1);
  const share = Math.min(1, Math.max(0, (line - block.line) / Math.max(1, next - block.line)));
  return place.from + share * place.size;
}

/** Pixels between two marks, and how far one may be moved so that it does not cover another. */
const MARK_PX = 8;
const MOST_MOVED = 24;

/** Marks that would cover each other side by side, as far as that does not lead astray. */
export function spread(places: readonly number[], length: number): number[] {
  let before = Number.NEGATIVE_INFINITY;
  return places.map((place) => {
    const wanted = Math.max(place, before + MARK_PX);
    before = wanted - place > MOST_MOVED ? place : wanted;
    return Math.min(length - 4, Math.max(4, before));
  });
}
