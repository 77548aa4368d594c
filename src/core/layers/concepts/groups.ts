import { type Reach, TermPlaces } from './postings.ts';
import type { ConceptMember, Vector, VectorItem } from './vectors.ts';

/** Exchanges that belong together. */
export type ConceptGroup<M extends ConceptMember = ConceptMember> = {
  items: M[];
  keywords: Map<string, number>;
  files: Map<string, number>;
  /** In how many of its items the commonest keyword is. */
  top: number;
};

/** The share of files or keywords from which a group is compared in detail. */
const OVERLAP = 0.3;
/**
 * How similar an exchange must be to a group to join it. It is compared only with groups that share its rarest terms, so that
 * the cost of one does not grow with all.
 */
const REACH: Reach = { postings: 2000, places: 24, least: 0.2 };

/** One pass in canonical order: each exchange joins the group it is most like, or begins one. */
export function groupItems(items: VectorItem[]): ConceptGroup<VectorItem>[] {
  const groups: ConceptGroup<VectorItem>[] = [];
  joinItems(groups, new TermPlaces(), items, emptyGroup);
  return groups;
}

/** The same with groups that are known already; `terms` holds what they are about. */
export function joinItems<M extends ConceptMember, G extends ConceptGroup<M>>(
  groups: G[],
  terms: TermPlaces,
  items: (VectorItem & M)[],
  begin: () => G,
): void {
  for (const item of items) {
    const best = terms
      .near(item.vector, REACH)
      .find(({ place }) => overlaps(item, groups[place]!) && staysNamed(groups[place]!, item));
    const place = best ? best.place : groups.push(begin()) - 1;
    add(groups[place]!, item);
    terms.add(place, item.vector);
  }
}

/** The cheap test: a good part of the exchange's files or of its keywords is known to the group. */
function overlaps(item: VectorItem, group: ConceptGroup): boolean {
  const share = (own: string[], known: Map<string, number>) => {
    let shared = 0;
    for (const it of own) if (known.has(it)) shared++;
    return own.length === 0 ? 0 : shared / own.length;
  };
  return share(item.files, group.files) >= OVERLAP || share(item.keywords, group.keywords) >= OVERLAP;
}

function staysNamed(group: ConceptGroup, item: VectorItem): boolean {
  const half = (group.items.length + 1) / 2;
  if (group.top > half) return true;
  for (const keyword of item.keywords) if ((group.keywords.get(keyword) ?? 0) + 1 > half) return true;
  return false;
}

export function emptyGroup<M extends ConceptMember>(): ConceptGroup<M> {
  return { items: [], keywords: new Map(), files: new Map(), top: 0 };
}

export function add<M extends ConceptMember>(
  group: ConceptGroup<M>,
  item: M & { keywords: string[]; files: string[] },
): void {
  group.items.push(item);
  for (const keyword of item.keywords) {
    const count = (group.keywords.get(keyword) ?? 0) + 1;
    group.keywords.set(keyword, count);
    if (count > group.top) group.top = count;
  }
  for (const file of item.files) group.files.set(file, (group.files.get(file) ?? 0) + 1);
}

/** What all of a group's vectors come to. */
export function sumVectors({ items }: ConceptGroup<VectorItem>): Map<number, number> {
  const sum = new Map<number, number>();
  for (const { vector } of items)
    vector.terms.forEach((term, place) => {
      sum.set(term, (sum.get(term) ?? 0) + vector.weights[place]!);
    });
  return sum;
}

export function asVector(sum: Map<number, number>, size = 1): Vector {
  const weights: number[] = [];
  for (const weight of sum.values()) weights.push(weight / size);
  return { terms: [...sum.keys()], weights };
}
