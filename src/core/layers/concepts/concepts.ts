import type { Concept, ConceptEdit } from '../../model/concept.ts';
import type { ExchangeRecord } from '../../model/exchange.ts';
import { shortHash } from '../../model/ids.ts';
import {
  baseKey,
  bySize,
  type ConceptBase,
  type Described,
  describeGroup,
  EPOCHS,
  epochOf,
  groupsWith,
  type KnownGroup,
  makeBase,
} from './base.ts';
import { applyEdits } from './edits.ts';
import { ConceptNames, holdsName } from './names.ts';
import { conceptMembers } from './vectors.ts';

const MOST_FILES = 30;

export type SessionExchanges = { sessionId: string; exchanges: ExchangeRecord[] };
export type ConceptsMade = {
  concepts: Concept[];
  /** Worth keeping for the next time; undefined where all is grouped at once anyway. */
  base: ConceptBase | undefined;
};

/** The concepts of a project (L3): what its exchanges are about, most exchanges first. */
export function conceptsOf(sessions: SessionExchanges[], edits: ConceptEdit[] = []): Concept[] {
  return conceptsFrom(sessions, edits).concepts;
}

/**
 * The same, with what was kept from an earlier time. Depends on the set of exchanges and on the user's edits, and on
 * nothing else: not on the order in which sessions came in, nor on what was stored before. The earliest exchanges are
 * grouped together, those after them one by one; so what is known about the earliest holds as long as they are the same.
 */
export function conceptsFrom(
  sessions: SessionExchanges[],
  edits: ConceptEdit[],
  known?: ConceptBase,
  epochs = EPOCHS,
): ConceptsMade {
  const members = conceptMembers(sessions);
  const size = epochOf(members.length, epochs);
  const early = members.slice(0, size);
  const of = baseKey(early);
  const base = known?.of === of ? known : makeBase(early, of);
  const { groups, names, touched } = applyEdits(groupsWith(base, members, size), edits);
  groups.sort(bySize);
  const described = describeAll(groups, names);
  const concepts = groups.map((group, place) => conceptOf(group, described[place]!, touched.has(group)));
  return { concepts, base: members.length > epochs.whole ? base : undefined };
}

/** A group that has not even doubled keeps its description, as long as its name still fits. */
function describeAll(groups: KnownGroup[], assigned: Map<KnownGroup, string>): Described[] {
  const taken = new Set(groups.map((group) => assigned.get(group)?.toLowerCase() ?? ''));
  const kept = groups.map(({ known, ...group }) => {
    if (!known || taken.has(known.name.toLowerCase())) return undefined;
    return group.items.length === known.size ||
      (group.items.length <= 2 * known.size && holdsName(group, known.name))
      ? known
      : undefined;
  });
  for (const it of kept) if (it) taken.add(it.name.toLowerCase());
  const names = new ConceptNames(groups, taken);
  return groups.map((group, place) => {
    const { name, words, summary } = kept[place] ?? describeGroup(group, names);
    return { name: assigned.get(group) ?? name, words, summary };
  });
}

function conceptOf(group: KnownGroup, { name, words, summary }: Described, edited: boolean): Concept {
  const records = group.items.map(({ record }) => record);
  const files = new Map<string, number>();
  for (const { files: touched } of records)
    for (const file of touched) files.set(file, (files.get(file) ?? 0) + 1);
  const byUse = [...files].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([file]) => file);
  return {
    id: conceptId(records[0]!.id),
    name,
    summary,
    exchanges: records.map(({ id }) => id),
    files: byUse.slice(0, MOST_FILES),
    keywords: words,
    updated: records.reduce((latest, { ts }) => (ts > latest ? ts : latest), '').slice(0, 10),
    sessions: [...new Set(group.items.map(({ session }) => session))],
    ...(edited ? { edited } : {}),
  };
}

function conceptId(firstExchange: string): string {
  return `c_${shortHash(firstExchange, 10)}`;
}
