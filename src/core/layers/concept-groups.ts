import type { Item } from './concept-vectors.ts';

/** Items that belong together, with the sum of their vectors: average link is the product of two sums over the sizes. */
export type Group = {
  items: Item[];
  sum: Map<number, number>;
  keywords: Map<string, number>;
  files: Map<string, number>;
};

/** How alike an exchange must be to a group to join it, and two groups to become one. */
export type Likeness = { join: number; merge: number };
export const LIKENESS: Likeness = { join: 0.2, merge: 0.1 };

/** The share of files or keywords that makes a group worth a closer look. */
const OVERLAP = 0.3;

/**
 * One pass in canonical order: each exchange joins the group it is most like, or begins one. Then the groups that are most
 * alike become one (average link), as long as a keyword stands in more than half of what they hold together.
 */
export function groupItems(items: Item[], likeness: Likeness = LIKENESS): Group[] {
  const groups: Group[] = [];
  const byTerm = new Map<number, Set<Group>>();
  for (const item of items) {
    const best = closest(item, byTerm, likeness.join);
    const group = best ?? emptyGroup();
    if (!best) groups.push(group);
    add(group, item);
    for (const key of item.vector.keys()) {
      const holders = byTerm.get(key) ?? new Set();
      byTerm.set(key, holders.add(group));
    }
  }
  return mergeGroups(groups, likeness.merge);
}

function closest(item: Item, byTerm: Map<number, Set<Group>>, least: number): Group | undefined {
  const products = new Map<Group, number>();
  for (const [key, weight] of item.vector) {
    for (const group of byTerm.get(key) ?? [])
      products.set(group, (products.get(group) ?? 0) + weight * (group.sum.get(key) ?? 0));
  }
  let best: Group | undefined;
  let most = least;
  for (const [group, product] of products) {
    const likeness = product / group.items.length;
    if (likeness < most || !overlaps(item, group) || !staysNamed(group, item)) continue;
    if (likeness > most || best === undefined) [best, most] = [group, likeness];
  }
  return best;
}

/** The cheap test: a good part of the exchange's files or of its keywords is known to the group. */
function overlaps(item: Item, group: Group): boolean {
  const share = (own: Set<string>, known: Map<string, number>) => {
    let shared = 0;
    for (const it of own) if (known.has(it)) shared++;
    return own.size === 0 ? 0 : shared / own.size;
  };
  return share(item.files, group.files) >= OVERLAP || share(item.keywords, group.keywords) >= OVERLAP;
}

function staysNamed(group: Group, item: Item): boolean {
  const half = (group.items.length + 1) / 2;
  for (const keyword of item.keywords) if ((group.keywords.get(keyword) ?? 0) + 1 > half) return true;
  for (const [keyword, count] of group.keywords)
    if (count > half || (item.keywords.has(keyword) && count + 1 > half)) return true;
  return false;
}

function mergeGroups(found: Group[], least: number): Group[] {
  const groups: (Group | undefined)[] = [...found];
  const queue = new Queue();
  const byTerm = new Map<number, number[]>();
  groups.forEach((group, place) => {
    for (const [other, likeness] of likenesses(group!, groups, byTerm))
      if (likeness >= least) queue.push(likeness, other, place);
    for (const key of group!.sum.keys()) {
      const holders = byTerm.get(key);
      if (holders) holders.push(place);
      else byTerm.set(key, [place]);
    }
  });
  for (let pair = queue.pop(); pair; pair = queue.pop()) {
    const [a, b] = [groups[pair.a], groups[pair.b]];
    if (!a || !b || !isNamed(a, b)) continue;
    const joined = union(a, b);
    groups[pair.a] = undefined;
    groups[pair.b] = undefined;
    const place = groups.push(joined) - 1;
    for (const [other, likeness] of likenesses(joined, groups, byTerm))
      if (likeness >= least) queue.push(likeness, other, place);
    for (const key of joined.sum.keys()) byTerm.get(key)?.push(place);
  }
  return groups.filter((group) => group !== undefined);
}

/** The average likeness of a group to each other one that shares a term with it. */
function likenesses(
  group: Group,
  groups: (Group | undefined)[],
  byTerm: Map<number, number[]>,
): Map<number, number> {
  const products = new Map<number, number>();
  for (const [key, weight] of group.sum) {
    for (const place of byTerm.get(key) ?? []) {
      const other = groups[place];
      if (other && other !== group)
        products.set(place, (products.get(place) ?? 0) + weight * (other.sum.get(key) ?? 0));
    }
  }
  for (const [place, product] of products)
    products.set(place, product / (group.items.length * groups[place]!.items.length));
  return products;
}

/** Whether a keyword would stand in more than half of the two together. */
function isNamed(a: Group, b: Group): boolean {
  const half = (a.items.length + b.items.length) / 2;
  for (const [keyword, count] of a.keywords) if (count + (b.keywords.get(keyword) ?? 0) > half) return true;
  for (const [keyword, count] of b.keywords) if (count > half && !a.keywords.has(keyword)) return true;
  return false;
}

export function emptyGroup(): Group {
  return { items: [], sum: new Map(), keywords: new Map(), files: new Map() };
}

export function add(group: Group, item: Item): void {
  group.items.push(item);
  for (const [key, weight] of item.vector) group.sum.set(key, (group.sum.get(key) ?? 0) + weight);
  for (const keyword of item.keywords) group.keywords.set(keyword, (group.keywords.get(keyword) ?? 0) + 1);
  for (const file of item.files) group.files.set(file, (group.files.get(file) ?? 0) + 1);
}

function union(a: Group, b: Group): Group {
  const both = emptyGroup();
  for (const item of [...a.items, ...b.items]) add(both, item);
  return both;
}

type Pair = { likeness: number; a: number; b: number };

/** Most alike first; of two alike pairs the one that stands earlier. */
class Queue {
  readonly #heap: Pair[] = [];

  push(likeness: number, a: number, b: number): void {
    const heap = this.#heap;
    heap.push({ likeness, a: Math.min(a, b), b: Math.max(a, b) });
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
