import { ROLE, ROLES } from '../model/search.ts';
import { lookUp } from './look-up.ts';
import { putBack } from './scratch.ts';
import { totalsOf } from './totals.ts';
import { type Grain, unitScores } from './unit-scores.ts';
import type { SearchView } from './view.ts';
import { SEARCH_WEIGHTS } from './weights.ts';

const DOCUMENT: Grain = { unit: 'line', bm25: SEARCH_WEIGHTS.document, worth: [1, 1, 1, 1, 1] };

export type DocumentQuery = {
  terms: string[];
  /** 1 where a source's documents may be found. */
  sources: Uint8Array;
  accept: (line: number) => boolean;
};

/**
 * Documents, best first, by their own words alone. A score is at most 1, and the less the fewer of the query's words a
 * document has, by how rare they are: so it can be beside turns that have them all.
 */
export function rankDocuments(view: SearchView, query: DocumentQuery): { line: number; score: number }[] {
  const { role, exchange, source } = view;
  const { sources } = query;
  const isOpen = (line: number) =>
    role[line] === ROLE.document && sources[source[exchange[line]!]!] === 1 && query.accept(line);
  const wanted = lookUp(view, [...new Set(query.terms)]);
  const [scores] = unitScores(view, wanted, { accept: isOpen }, [DOCUMENT]);
  if (scores === undefined) return [];
  const covered = new Map<number, number>();
  let whole = 0;
  const all = documentsIn(view, sources);
  for (const { lines } of wanted.flat()) {
    const holding = lines.filter(isOpen);
    const rarity = Math.log(1 + (all - holding.length + 0.5) / (holding.length + 0.5));
    whole += rarity;
    for (const line of holding) covered.set(line, (covered.get(line) ?? 0) + rarity);
  }
  const ranked = Array.from(scores.touched, (line) => ({
    line,
    score: (scores.score[line]! * (covered.get(line) ?? 0)) / whole,
  }));
  putBack(view, scores);
  return ranked.sort((a, b) => b.score - a.score || a.line - b.line);
}

function documentsIn(view: SearchView, open: Uint8Array): number {
  const { lines, sources } = totalsOf(view);
  let count = 0;
  for (let source = 0; source < sources; source++)
    if (open[source] === 1) count += lines[ROLES * source + ROLE.document]!;
  return count;
}
