import type { Leaf } from './nodes.ts';

/** A range of the source that is kept, end exclusive. */
export type Mark = { id: string; weight: number; start: number; end: number };

type Piece = Leaf & { mark?: Mark };

/** A piece of text cut where a mark begins or ends. Of two marks, the heavier one is shown. */
export function splitByMarks({ text, at }: Leaf, marks: readonly Mark[]): Piece[] {
  const end = at + text.length;
  const here = marks.filter((mark) => mark.start < end && mark.end > at);
  if (here.length === 0) return [{ text, at }];
  const cuts = new Set([at, end]);
  for (const mark of here) {
    cuts.add(Math.max(at, mark.start));
    cuts.add(Math.min(end, mark.end));
  }
  const places = [...cuts].sort((a, b) => a - b);
  const pieces: Piece[] = [];
  for (const [index, from] of places.entries()) {
    const to = places[index + 1];
    if (to === undefined) break;
    const [mark] = here.filter((it) => it.start <= from && it.end >= to).sort((a, b) => b.weight - a.weight);
    const piece = { text: text.slice(from - at, to - at), at: from };
    pieces.push(mark ? { ...piece, mark } : piece);
  }
  return pieces;
}
