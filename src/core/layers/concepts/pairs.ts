/** Two groups by their places, how often they had changed when they were so alike, and how often they had no name in common. */
export type Pair = { likeness: number; a: number; b: number; changed: number; refused: number };

/** Most alike first; of two alike pairs the one that is earlier. */
export class PairQueue {
  readonly #heap: Pair[] = [];

  push(pair: Pair): void {
    const heap = this.#heap;
    heap.push(pair);
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!before(heap[at]!, heap[parent]!)) break;
      [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
      at = parent;
    }
  }

  pop(): Pair | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    heap[0] = last;
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < heap.length && before(heap[left]!, heap[least]!)) least = left;
      if (right < heap.length && before(heap[right]!, heap[least]!)) least = right;
      if (least === at) return first;
      [heap[at], heap[least]] = [heap[least]!, heap[at]!];
      at = least;
    }
  }
}

function before(x: Pair, y: Pair): boolean {
  return x.likeness > y.likeness || (x.likeness === y.likeness && (x.a < y.a || (x.a === y.a && x.b < y.b)));
}
