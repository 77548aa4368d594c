import { symbol, symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolTriangle } from 'd3-shape';

const SHAPES = {
  commit: symbolCircle,
  decision: symbolDiamond,
  keepit: symbolSquare,
  compaction: symbolCross,
  error: symbolTriangle,
};
export const MARK_FILLS = {
  commit: 'fill-piece-3',
  decision: 'fill-piece-1',
  keepit: 'fill-piece-2',
  compaction: 'fill-ink',
  error: 'fill-bad',
};

/** A mark of the timeline as a path around its middle. */
export function markShape(kind: keyof typeof SHAPES): string {
  return symbol(SHAPES[kind], 40)() ?? '';
}
