import type { Concept, ConceptEdit } from '../model/concept.ts';
import type { ExchangeRecord } from '../model/exchange.ts';
import { shortHash } from '../model/ids.ts';
import { add, emptyGroup, type Group, groupItems } from './concept-groups.ts';
import { mergeGroups } from './concept-merge.ts';
import { keywordsOfGroup, nameGroups } from './concept-names.ts';
import { itemsOf, order } from './concept-vectors.ts';
import { summarise } from './summarise.ts';

const SUMMARY = 300;
const MOST_KEYWORDS = 12;
const MOST_FILES = 30;

export type SessionExchanges = { sessionId: string; exchanges: ExchangeRecord[] };

/**
 * The concepts of a project (L3): what its exchanges are about, most exchanges first. Depends on the set of exchanges and
 * on the user's edits, and on nothing else: not on the order in which sessions came in, nor on what was stored before.
 */
export function conceptsOf(sessions: SessionExchanges[], edits: ConceptEdit[] = []): Concept[] {
  const grouped = mergeGroups(groupItems(itemsOf(sessions))).map(sorted);
  grouped.sort((a, b) => order(a.items[0]!.record, b.items[0]!.record));
  const { groups, names, touched } = applyEdits(grouped, edits);
  const spread = new Map<string, number>();
  for (const group of groups)
    for (const key of group.keywords.keys()) spread.set(key, (spread.get(key) ?? 0) + 1);
  // The larger one gets the plain name.
  const bySize = [...groups].sort(
    (a, b) => b.items.length - a.items.length || order(a.items[0]!.record, b.items[0]!.record),
  );
  const given = nameGroups(bySize);
  const taken = new Set(names.values());
  return bySize.map((group, place) => {
    const own = names.get(group);
    const made = given[place]!;
    const name = own ?? (taken.has(made) ? `${made.slice(0, 50)} (${place + 1})` : made);
    return describe(group, name, keywordsOfGroup(group, spread, groups.length), touched.has(group));
  });
}

function describe(group: Group, name: string, keywords: { form: string }[], edited: boolean): Concept {
  const records = group.items.map(({ record }) => record);
  const units = records.map(({ summary }) => ({ text: summary, quality: 1 }));
  const files = new Map<string, number>();
  for (const { files: touched } of records)
    for (const file of touched) files.set(file, (files.get(file) ?? 0) + 1);
  const byUse = [...files].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([file]) => file);
  return {
    id: conceptId(records[0]!.id),
    name,
    summary: summarise(units, SUMMARY),
    exchanges: records.map(({ id }) => id),
    files: byUse.slice(0, MOST_FILES),
    keywords: keywords.slice(0, MOST_KEYWORDS).map(({ form }) => form),
    updated: records.reduce((latest, { ts }) => (ts > latest ? ts : latest), '').slice(0, 10),
    sessions: [...new Set(group.items.map(({ session }) => session))],
    ...(edited ? { edited } : {}),
  };
}

export function conceptId(firstExchange: string): string {
  return `c_${shortHash(firstExchange, 10)}`;
}

type Edited = { groups: Group[]; names: Map<Group, string>; touched: Set<Group> };

function applyEdits(grouped: Group[], edits: ConceptEdit[]): Edited {
  let groups = grouped;
  const names = new Map<Group, string>();
  const touched = new Set<Group>();
  for (const edit of edits) {
    if (edit.action === 'rename') {
      const group = groups.find(({ items }) => items.some(({ record }) => record.id === edit.exchange));
      if (!group) continue;
      names.set(group, edit.name);
      touched.add(group);
      continue;
    }
    const named = new Set(edit.exchanges);
    const made = emptyGroup();
    const rest: Group[] = [];
    for (const group of groups) {
      const [inside, outside] = parted(group, named);
      // Merged as a whole: what joined it since comes along.
      const whole = edit.action === 'merge' && inside.length * 2 >= group.items.length && inside.length > 0;
      for (const item of whole ? group.items : inside) add(made, item);
      if (whole || inside.length === 0) {
        if (!whole) rest.push(group);
        continue;
      }
      if (outside.length === 0) continue;
      const left = emptyGroup();
      for (const item of outside) add(left, item);
      const name = names.get(group);
      if (name !== undefined) names.set(left, name);
      if (touched.has(group)) touched.add(left);
      rest.push(left);
    }
    if (made.items.length === 0) continue;
    const fresh = sorted(made);
    groups = [...rest, fresh];
    touched.add(fresh);
    if (edit.name !== undefined) names.set(fresh, edit.name);
  }
  return { groups, names, touched };
}

function parted(group: Group, named: Set<string>): [inside: Group['items'], outside: Group['items']] {
  const inside = group.items.filter(({ record }) => named.has(record.id));
  return [
    inside,
    inside.length === 0 ? group.items : group.items.filter(({ record }) => !named.has(record.id)),
  ];
}

function sorted(group: Group): Group {
  return { ...group, items: [...group.items].sort((a, b) => order(a.record, b.record)) };
}
