import type { ConceptEdit } from '../../model/concept.ts';
import { userEdits } from '../../model/record-order.ts';
import type { KnownGroup } from './base.ts';
import { add, emptyGroup } from './groups.ts';
import { type ConceptMember, keywordKeysOf, order } from './vectors.ts';

type Edited = { groups: KnownGroup[]; names: Map<KnownGroup, string>; touched: Set<KnownGroup> };

/** Merges, splits and names of the user, in the order of their stamps. */
export function applyEdits(grouped: KnownGroup[], edits: ConceptEdit[]): Edited {
  let groups = grouped;
  const names = new Map<KnownGroup, string>();
  const touched = new Set<KnownGroup>();
  for (const edit of userEdits(edits)) {
    if (edit.action === 'rename') {
      const group = groups.find(({ items }) => items.some(({ record }) => record.id === edit.exchange));
      if (!group) continue;
      names.set(group, edit.name);
      if (edit.by !== 'model') touched.add(group);
      continue;
    }
    const named = new Set(edit.exchanges);
    const made: ConceptMember[] = [];
    const rest: KnownGroup[] = [];
    for (const group of groups) {
      const inside = group.items.filter(({ record }) => named.has(record.id));
      if (inside.length === 0) {
        rest.push(group);
        continue;
      }
      // Merged as a whole: what joined it since comes along.
      const whole = edit.action === 'merge' && inside.length * 2 >= group.items.length;
      made.push(...(whole ? group.items : inside));
      if (whole || inside.length === group.items.length) continue;
      const left = groupOf(group.items.filter(({ record }) => !named.has(record.id)));
      const name = names.get(group);
      if (name !== undefined) names.set(left, name);
      if (touched.has(group)) touched.add(left);
      rest.push(left);
    }
    if (made.length === 0) continue;
    const fresh = groupOf(made);
    groups = [...rest, fresh];
    touched.add(fresh);
    if (edit.name !== undefined) names.set(fresh, edit.name);
  }
  return { groups, names, touched };
}

function groupOf(members: ConceptMember[]): KnownGroup {
  const group = emptyGroup<ConceptMember>();
  for (const member of members.sort((a, b) => order(a.record, b.record)))
    add(group, { ...member, keywords: keywordKeysOf(member.record), files: member.record.files });
  return group;
}
