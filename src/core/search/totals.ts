import { ROLE, ROLES } from '../model/search.ts';
import { PerOwner } from '../text/per-owner.ts';
import type { SearchView } from './view.ts';

/** Lines and terms of each source by role: number `ROLES * source + role`. */
export type Totals = { lines: Uint32Array; terms: Uint32Array; sources: number };

/** By a column that each state of an index has of its own. */
const known = new PerOwner<Uint8Array, Totals>();

/** A view does not change: it is counted through once, however many questions it gets. */
export function totalsOf(view: SearchView): Totals {
  return known.of(view.role, () => view.totals?.() ?? count(view));
}

function count({ lineCount, role, length, exchange, source }: SearchView): Totals {
  let sources = 0;
  for (let at = 0; at < source.length; at++) if (source[at]! >= sources) sources = source[at]! + 1;
  const lines = new Uint32Array(ROLES * sources);
  const terms = new Uint32Array(ROLES * sources);
  for (let line = 0; line < lineCount; line++) {
    const by = role[line]!;
    if (by === ROLE.removed) continue;
    const at = ROLES * source[exchange[line]!]! + by;
    lines[at]!++;
    terms[at]! += length[line]!;
  }
  return { lines, terms, sources };
}
