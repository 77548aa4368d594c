import { asVector, type ConceptGroup, sumVectors } from './groups.ts';
import { type Pair, PairQueue } from './pairs.ts';
import { type Reach, TermPlaces } from './postings.ts';
import type { VectorItem } from './vectors.ts';

/** How alike two groups must be to become one, and how far to look for such. */
const REACH: Reach = { postings: 20_000, places: 50, least: 0.1 };
/** A queued pair that has become less similar is queued again, unless it lost no more than this share. */
const SLACK = 0.02;

/** So often a pair without a common name is looked at again when one of the two has grown. */
const REFUSED = 2;

/** A group and the sum of its vectors: average link is the product of two sums over the sizes. */
type Node = {
  group: ConceptGroup<VectorItem>;
  sum: Map<number, number>;
  into: number;
  changed: number;
  refused: Pair[];
};

/**
 * The most alike groups become one, again and again, as long as a keyword is in more than half of what they hold
 * together. Two that were never queued can't become alike: by average link what they grow into is never more alike than
 * the more alike of its parts.
 */
export function mergeGroups(groups: ConceptGroup<VectorItem>[]): ConceptGroup<VectorItem>[] {
  const nodes = groups.map(
    (group, place): Node => ({ group, sum: sumVectors(group), into: place, changed: 0, refused: [] }),
  );
  const queue = pairsOf(nodes);
  for (let pair = queue.pop(); pair; pair = queue.pop()) {
    const [x, y] = [rootOf(nodes, pair.a), rootOf(nodes, pair.b)];
    if (x === y) continue;
    const [a, b] = [nodes[x]!, nodes[y]!];
    if (a.changed + b.changed !== pair.changed) {
      const likeness = product(a.sum, b.sum) / (a.group.items.length * b.group.items.length);
      if (likeness < REACH.least) continue;
      if (likeness < pair.likeness * (1 - SLACK)) {
        queue.push({
          likeness,
          a: Math.min(x, y),
          b: Math.max(x, y),
          changed: a.changed + b.changed,
          refused: pair.refused,
        });
        continue;
      }
    }
    if (!isNamed(a.group, b.group)) {
      if (pair.refused === REFUSED) continue;
      const again = { ...pair, refused: pair.refused + 1 };
      a.refused.push(again);
      b.refused.push(again);
      continue;
    }
    const [large, small] = a.group.items.length >= b.group.items.length ? [x, y] : [y, x];
    absorb(nodes[large]!, nodes[small]!);
    nodes[small]!.into = large;
    // Together they may have a name in common with what neither had one with.
    for (const again of [...a.refused.splice(0), ...b.refused.splice(0)]) queue.push(again);
  }
  return nodes.filter(({ into }, place) => into === place).map(({ group }) => group);
}

function pairsOf(nodes: Node[]): PairQueue {
  const queue = new PairQueue();
  const terms = new TermPlaces();
  nodes.forEach(({ group, sum }, place) => {
    const size = group.items.length;
    for (const near of terms.near(asVector(sum, size), REACH))
      if (near.likeness >= REACH.least)
        queue.push({ likeness: near.likeness, a: near.place, b: place, changed: 0, refused: 0 });
    terms.add(place, asVector(sum), size);
  });
  return queue;
}

/** The group that a group was merged into. */
function rootOf(nodes: Node[], place: number): number {
  let at = place;
  while (nodes[at]!.into !== at) at = nodes[at]!.into;
  for (let on = place; on !== at; ) {
    const next = nodes[on]!.into;
    nodes[on]!.into = at;
    on = next;
  }
  return at;
}

function product(a: Map<number, number>, b: Map<number, number>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let sum = 0;
  for (const [term, weight] of small) sum += weight * (large.get(term) ?? 0);
  return sum;
}

/** Whether a keyword would be in more than half of the two together. */
function isNamed(a: ConceptGroup, b: ConceptGroup): boolean {
  const half = (a.items.length + b.items.length) / 2;
  if (a.top > half || b.top > half) return true;
  const [small, large] = a.keywords.size <= b.keywords.size ? [a, b] : [b, a];
  for (const [keyword, count] of small.keywords)
    if (count + (large.keywords.get(keyword) ?? 0) > half) return true;
  return false;
}

/** The smaller one goes into the larger one: what has grown large is not gone over each time. */
function absorb(large: Node, small: Node): void {
  for (const item of small.group.items) large.group.items.push(item);
  addTo(large.sum, small.sum);
  addTo(large.group.files, small.group.files);
  addTo(large.group.keywords, small.group.keywords);
  for (const keyword of small.group.keywords.keys())
    large.group.top = Math.max(large.group.top, large.group.keywords.get(keyword) ?? 0);
  large.changed += small.changed + 1;
  // Its earlier value is no longer needed.
  small.sum = new Map();
  small.group = large.group;
}

function addTo<Key>(sum: Map<Key, number>, other: Map<Key, number>): void {
  for (const [key, weight] of other) sum.set(key, (sum.get(key) ?? 0) + weight);
}
