import { createHash } from 'node:crypto';
import { LAYERS_ENGINE } from '../../model/layers-engine.ts';
import { summarize } from '../exchanges/summarize.ts';
import { NAMING_DETAILS, spreadOver } from './found-phrases.ts';
import { asVector, type ConceptGroup, groupItems, joinItems, sumVectors } from './groups.ts';
import { mergeGroups } from './merge.ts';
import { ConceptNames, type GroupName } from './names.ts';
import { TermPlaces } from './postings.ts';
import { type ConceptMember, order, strongest, TermWeights, type Vector } from './vectors.ts';

/** Up to this many exchanges, all are grouped at once; beyond, all up to the last growth by this factor. */
export type Epochs = { whole: number; growth: number };
export const EPOCHS: Epochs = { whole: 512, growth: 1.125 };

const SUMMARY = 300;
/** The part of a group that later exchanges are compared with. */
const MOST_TERMS = 64;
const MOST_COUNTED = 64;
/** Figures that are stored need no more. */
const DIGITS = 6;

export type Described = GroupName & { summary: string };
type BaseGroup = Described & {
  /** Places in the list of all exchanges. */
  items: number[];
  about: Vector;
  keywords: [key: string, count: number][];
  files: [file: string, count: number][];
};

/** The grouping of the earliest exchanges: it is kept as long as they are the same. Plain data. */
export type ConceptBase = {
  engine: number;
  of: string;
  terms: string[];
  counts: number[];
  groups: BaseGroup[];
};

/** A group, and its description when it had this many exchanges. */
export type KnownGroup = ConceptGroup & { known?: Described & { size: number } };

export function epochOf(count: number, { whole, growth }: Epochs): number {
  let size = Math.min(count, whole);
  for (let next = whole; next <= count; next = Math.max(next + 1, Math.floor(next * growth))) size = next;
  return size;
}

/** Whether it is as this engine stores it. */
export function isBase(stored: unknown): stored is ConceptBase {
  const base = stored as Partial<ConceptBase> | null;
  if (base?.engine !== LAYERS_ENGINE || typeof base.of !== 'string') return false;
  const { terms, counts, groups } = base;
  if (!Array.isArray(terms) || terms.length !== counts?.length || !Array.isArray(groups)) return false;
  return groups.every(
    (group) =>
      [group?.items, group?.about?.terms, group?.about?.weights].every(Array.isArray) &&
      [group.keywords, group.files, group.words].every(Array.isArray) &&
      typeof group.name === 'string' &&
      typeof group.summary === 'string',
  );
}

export function makeBase(members: ConceptMember[], of: string): ConceptBase {
  const weights = TermWeights.countedIn(members);
  const places = new Map(members.map(({ record }, place) => [record, place]));
  const groups = mergeGroups(groupItems(weights.itemsOf(members)));
  for (const { items } of groups) items.sort((a, b) => order(a.record, b.record));
  // The larger one gets the plain name.
  groups.sort(bySize);
  const names = new ConceptNames(groups);
  return {
    engine: LAYERS_ENGINE,
    of,
    terms: weights.terms,
    counts: weights.counts,
    groups: groups.map((group) => {
      const about = strongest(asVector(sumVectors(group)), MOST_TERMS);
      return {
        ...describeGroup(group, names),
        items: group.items.map(({ record }) => places.get(record)!),
        about: { terms: about.terms, weights: about.weights.map((it) => Number(it.toPrecision(DIGITS))) },
        keywords: commonest(group.keywords),
        files: commonest(group.files),
      };
    }),
  };
}

export function describeGroup(group: ConceptGroup, names: ConceptNames): Described {
  const units = spreadOver(group.items).map(({ record }) => ({ text: record.summary, quality: 1 }));
  return { ...names.nameOf(group), summary: summarize(units, SUMMARY) };
}

/** The groups of a base with what came after it: each later exchange joins one, or begins one. */
export function groupsWith(base: ConceptBase, members: ConceptMember[], size: number): KnownGroup[] {
  const terms = new TermPlaces();
  const groups = base.groups.map(({ items, about, keywords, files, name, words, summary }, place) => {
    terms.add(place, about, items.length);
    return {
      items: items.map((it) => members[it]!),
      keywords: new Map(keywords),
      files: new Map(files),
      top: keywords[0]?.[1] ?? 0,
      known: { name, words, summary, size: items.length },
    } as KnownGroup;
  });
  const late = members.slice(size);
  if (late.length === 0) return groups;
  const weights = new TermWeights(size, base.terms, base.counts);
  joinItems<ConceptMember, KnownGroup>(groups, terms, weights.itemsOf(late), () => ({
    items: [],
    keywords: new Map(),
    files: new Map(),
    top: 0,
  }));
  return groups;
}

/** Of everything that grouping uses, in its order. */
export function baseKey(members: ConceptMember[]): string {
  const hash = createHash('sha256').update(`${LAYERS_ENGINE}\n`);
  for (const { record, before } of members) {
    const { id, ts, ask, title, commits, summary, details, keywords, files } = record;
    const named = details.slice(0, NAMING_DETAILS);
    hash.update(JSON.stringify([id, ts, before?.id, ask, title, commits, summary, named, keywords, files]));
  }
  return hash.digest('hex').slice(0, 32);
}

export function bySize(a: ConceptGroup, b: ConceptGroup): number {
  return b.items.length - a.items.length || order(a.items[0]!.record, b.items[0]!.record);
}

function commonest(counts: Map<string, number>): [string, number][] {
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MOST_COUNTED);
}
