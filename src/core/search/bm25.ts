export type Bm25 = { k1: number; b: number };

/** Scores by unit (line, exchange or source) and those units that have one. */
export type Scores = { score: Float64Array; touched: Uint32Array };

/** The same scores, the best one being 1. */
export function normalized({ score, touched }: Scores): Scores {
  let best = 0;
  for (let at = 0; at < touched.length; at++) {
    const own = score[touched[at]!]!;
    if (own > best) best = own;
  }
  for (let at = 0; at < touched.length; at++) score[touched[at]!]! /= best;
  return { score, touched };
}

/** The best units, best first; equal ones in the order of their numbers. Never sorts all of them. */
export function best({ score, touched }: Scores, limit: number): number[] {
  const better = (a: number, b: number) => score[b]! - score[a]! || a - b;
  if (touched.length <= limit) return Array.from(touched).sort(better);
  // A heap with the worst of the best at its top.
  const heap = Array.from(touched.subarray(0, limit)).sort((a, b) => better(b, a));
  if (limit === 0) return heap;
  let least = score[heap[0]!]!;
  for (let at = limit; at < touched.length; at++) {
    const unit = touched[at]!;
    if (score[unit]! < least || better(unit, heap[0]!) > 0) continue;
    sink(heap, unit, score);
    least = score[heap[0]!]!;
  }
  return heap.sort(better);
}

/** Takes the place of the worst. Calls nothing: most processes run it before it is compiled. */
function sink(heap: number[], unit: number, score: Float64Array): void {
  const own = score[unit]!;
  const { length } = heap;
  let at = 0;
  for (let child = 1; child < length; child = 2 * at + 1) {
    let worse = heap[child]!;
    let least = score[worse]!;
    if (child + 1 < length) {
      const other = heap[child + 1]!;
      const of = score[other]!;
      if (of < least || (of === least && other > worse)) {
        child++;
        worse = other;
        least = of;
      }
    }
    if (own < least || (own === least && unit >= worse)) break;
    heap[at] = worse;
    at = child;
  }
  heap[at] = unit;
}
