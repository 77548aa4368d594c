import { scaleLinear } from 'd3-scale';

/** What a block is long by. */
export type StripSize = 'tokens' | 'seconds' | 'bytes';
export type StripBlock = { line: number } & { [Size in StripSize]?: number | undefined };
export type StripPlace = { from: number; size: number };

/** Pixels that even the smallest exchange has, where there is room for it. */
const LEAST_PX = 4;

/** Blocks one behind the other, each as long as its tokens, its bytes or its time; none so short that it cannot be seen. */
export function stripPlaces(blocks: readonly StripBlock[], by: StripSize, length: number): StripPlace[] {
  if (blocks.length === 0 || length <= 0) return [];
  const least = Math.min(LEAST_PX, (length / blocks.length) * 0.4);
  const sum = blocks.reduce((all, it) => all + (it[by] ?? 0), 0);
  const scale = scaleLinear([0, Math.max(1, sum)], [0, length - least * blocks.length]);
  let before = 0;
  return blocks.map((it, at) => {
    const from = scale(before) + at * least;
    before += it[by] ?? 0;
    // Without a figure of any of them all are alike.
    return sum === 0
      ? { from: (at * length) / blocks.length, size: length / blocks.length }
      : { from, size: scale(before) + (at + 1) * least - from };
  });
}

/** How many exchanges a strip shows one by one; a longer session shows neighbors together. */
const MOST_BLOCKS = 200;

type OutcomeBlock = StripBlock & { outcome: string; tools: number; errors: number };
type StripMark = { block: number; at: number };
export type JoinedBlock<B> = B & { first: number; last: number };

/** At most 200 blocks, whatever the session: each drawn element costs time at every step of reading. */
export function joinBlocks<B extends OutcomeBlock>(blocks: readonly B[]): JoinedBlock<B>[] {
  const step = Math.max(1, Math.ceil(blocks.length / MOST_BLOCKS));
  const joined: JoinedBlock<B>[] = [];
  for (let first = 0; first < blocks.length; first += step) {
    const group = blocks.slice(first, first + step);
    const sum = (key: StripSize | 'tools' | 'errors') => group.reduce((all, it) => all + (it[key] ?? 0), 0);
    joined.push({
      ...(group[0] as B),
      outcome: mostFrequent(group.map((it) => it.outcome)) as B['outcome'],
      seconds: sum('seconds'),
      bytes: sum('bytes'),
      ...(group[0]?.tokens === undefined ? {} : { tokens: sum('tokens') }),
      tools: sum('tools'),
      errors: sum('errors'),
      first,
      last: first + group.length - 1,
    });
  }
  return joined;
}

/** Marks by the joined block that they are in now. */
export function joinMarks<M extends StripMark>(marks: readonly M[], blocks: number): M[] {
  const step = Math.max(1, Math.ceil(blocks / MOST_BLOCKS));
  return marks.map((mark) => ({
    ...mark,
    block: Math.floor(mark.block / step),
    at: ((mark.block % step) + mark.at) / Math.min(step, blocks - mark.block + (mark.block % step)),
  }));
}

function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, it) => (it[1] > best[1] ? it : best), ['', 0] as [string, number])[0];
}

/** Of overlapping marks, one of each kind: more cannot be seen. */
export function seenMarks<M extends { kind: string }>(
  marks: readonly M[],
  alongs: readonly number[],
): number[] {
  const seen = new Set<string>();
  return marks.flatMap(({ kind }, at) => {
    const place = `${kind} ${Math.round((alongs[at] ?? 0) / 2)}`;
    if (seen.has(place)) return [];
    seen.add(place);
    return [at];
  });
}

/** Where a line of the conversation is on the strip. */
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
